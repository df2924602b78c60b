package org.lampyris.samplers.kernel;

import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.GradientDensity;

/**
 * A density that is everything that a normal one is not and that can be drawn from exactly: θ = Mu
 * with independent
 *
 * <ul>
 *   <li>u₁ = log G, G ~ Gamma(2): skewed, log-density 2u − eᵘ;
 *   <li>u₂ ~ Exp(1): density 0 below 0, log-density −u above;
 *   <li>u₃ = ±Gamma(3): density 0 at 0, log-density 2 log|u| − |u|, the shape that a bright row
 *       whose bound is tight gives Firefly's conditional,
 * </ul>
 *
 * and M lower triangular, so that the coordinates of θ depend on each other.
 */
final class SkewedTarget extends GradientDensity {
  static final int DIMENSION = 3;
  private static final double[][] M = {{1, 0, 0}, {0.6, 0.8, 0}, {-0.5, 0.3, 0.7}};

  /** A map that is not M, so that preconditioning by it leaves the target as it is. */
  static Preconditioner preconditioner() {
    return Factors.choleskyOf(new double[] {0.7, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 4}, 3);
  }

  private long points;

  SkewedTarget() {
    super(DIMENSION);
  }

  /** Returns how many points have been asked about. */
  long points() {
    return points;
  }

  /** Draws from the target. */
  static double[] draw(Noise noise) {
    double gamma2 = noise.exponential() + noise.exponential();
    double gamma3 = noise.exponential() + noise.exponential() + noise.exponential();
    double[] u = {Math.log(gamma2), noise.exponential(), noise.flip(0.5) ? gamma3 : -gamma3};
    double[] theta = new double[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      for (int j = 0; j <= i; j++) {
        theta[i] += M[i][j] * u[j];
      }
    }
    return theta;
  }

  @Override
  public double valueAndGradient(double[] theta, double[] gradient) {
    points++;
    double[] u = new double[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      u[i] = theta[i];
      for (int j = 0; j < i; j++) {
        u[i] -= M[i][j] * u[j];
      }
      u[i] /= M[i][i];
    }
    double[] slope = {2 - Math.exp(u[0]), -1, 2 / u[2] - Math.signum(u[2])};
    // gradient = M⁻ᵀ slope, by back substitution
    for (int i = DIMENSION - 1; i >= 0; i--) {
      gradient[i] = slope[i];
      for (int j = i + 1; j < DIMENSION; j++) {
        gradient[i] -= M[j][i] * gradient[j];
      }
      gradient[i] /= M[i][i];
    }
    if (u[1] < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    return 2 * u[0] - Math.exp(u[0]) - u[1] + 2 * Math.log(Math.abs(u[2])) - Math.abs(u[2]);
  }
}
