package org.lampyris.bounds.laplace;

/**
 * Ball about the mode that is open on one side: distances of the last element τ count below τ̂
 * alone, and there so that e^(τ̂ − τ) is at most 1 + R·sd(τ). So τ may be as large as it likes, as
 * where the likelihood is flat for τ → ∞.
 *
 * @param ball the ball whose radius R it has
 */
public record BentBall(Ball ball) implements Region {
  @Override
  public int dimension() {
    return ball.dimension();
  }

  @Override
  public double radius() {
    return ball.radius();
  }

  @Override
  public double distance(double[] theta) {
    int last = dimension() - 1;
    double center = ball.laplace().mode()[last];
    double reach = radius() * ball.laplace().sd(last);
    double[] below = theta.clone();
    below[last] = center + Math.min(0, theta[last] - center) * reach / Math.log1p(reach);
    return ball.distance(below);
  }

  @Override
  public double normalBeyond(double distance) {
    return ball.normalBeyond(distance);
  }

  @Override
  public String unit() {
    return ball.unit();
  }

  @Override
  public double[] onRay(double[] theta, double factor) {
    return ball.onRay(theta, factor);
  }

  @Override
  public int rayDimension() {
    return ball.rayDimension();
  }
}
