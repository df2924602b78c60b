package org.lampyris.bounds.prior;

import org.lampyris.bounds.laplace.Ball;

/**
 * A prior confined to a ball: the given density in it, not renormalised, and zero elsewhere. Cost
 * of the metric, O(d²), on top of the prior's.
 */
public final class BallPrior implements Prior {
  private final Prior prior;
  private final Ball ball;

  /**
   * Confines a prior.
   *
   * @param prior the prior
   * @param ball where to
   */
  public BallPrior(Prior prior, Ball ball) {
    if (ball.dimension() != prior.dimension()) {
      throw new IllegalArgumentException(
          "a ball in dimension " + ball.dimension() + " for a prior of " + prior.dimension());
    }
    this.prior = prior;
    this.ball = ball;
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  @Override
  public double logDensity(double[] theta) {
    return ball.holds(theta) ? prior.logDensity(theta) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double value = prior.addGradient(theta, gradient);
    return ball.holds(theta) ? value : Double.NEGATIVE_INFINITY;
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    prior.addCurvature(theta, diagonal);
  }

  @Override
  public double lower(int j) {
    return prior.lower(j);
  }

  @Override
  public double upper(int j) {
    return prior.upper(j);
  }

  @Override
  public double kink(int j) {
    return prior.kink(j);
  }

  @Override
  public double kinkSize(int j) {
    return prior.kinkSize(j);
  }
}
