package org.lampyris.bounds.prior;

import org.lampyris.bounds.numeric.ExponentialIntegral;
import org.lampyris.bounds.numeric.Parameters;

/**
 * The horseshoe: x = scale·λ·ε, λ half-Cauchy(0, 1), ε normal(0, 1), with λ integrated out:
 *
 * <pre>p(x) = eᵘE₁(u) / (scale √(2π³)),   u = ½(x/scale)².</pre>
 *
 * <p>Its tails are Cauchy tails, and at 0 it is infinite, like −log |x|. Half of the mass lies
 * within 0.59 scales. Source: Carvalho, Polson and Scott (2010), theorem 1 and its proof; the scale
 * is their τ, given.
 *
 * <p>Proposals and the mode search use the derivatives of {@link #smoothLogDensity}, log p at √(x²
 * + scale²). The pole would make 0 the mode for any rows, and would throw off trajectories near it,
 * which would be rejected. Any function of position may steer a trajectory, which is
 * volume-preserving and reversible for any force. Acceptance uses log p itself, so draws are exact.
 *
 * @param scale τ, above 0
 */
public record HorseshoePrior(double scale) implements UnivariatePrior {
  /** log √(2π³). */
  private static final double LOG_CONSTANT = 0.5 * Math.log(2 * Math.PI * Math.PI * Math.PI);

  /** Softening added to u. */
  private static final double SOFTENED = 0.5;

  /** Beyond this u, log p is −log u to the last digit. */
  private static final double LARGE = 1e17;

  /** Checks the scale. */
  public HorseshoePrior {
    Parameters.requirePositive("scale", scale);
  }

  private double u(double x) {
    return 0.5 * (x / scale) * (x / scale);
  }

  private double log(double x, double added) {
    double u = u(x) + added;
    double log =
        u < LARGE
            ? ExponentialIntegral.logScaled(Math.max(u, Double.MIN_NORMAL))
            : Math.log(2) - 2 * Math.log(Math.abs(x / scale));
    return log - LOG_CONSTANT - Math.log(scale);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Within 2·10⁻¹⁵⁴ scales of 0, that at their end: the largest value is finite.
   */
  @Override
  public double logDensity(double x) {
    return log(x, 0);
  }

  @Override
  public double smoothLogDensity(double x) {
    return log(x, SOFTENED);
  }

  @Override
  public double derivative(double x) {
    double u = u(x) + SOFTENED;
    return u < LARGE ? ExponentialIntegral.slope(u) * (x / scale) / scale : -2 / x;
  }

  @Override
  public double secondDerivative(double x) {
    double u = u(x) + SOFTENED;
    double z = x / scale;
    if (u >= LARGE) {
      return 2 / x / x;
    }
    return (ExponentialIntegral.slope(u) + ExponentialIntegral.curvature(u) * z * z)
        / scale
        / scale;
  }

  @Override
  public double precision() {
    return 1 / scale / scale;
  }

  @Override
  public boolean isLogConcave() {
    return false;
  }

  /** {@inheritDoc} Its tails are Cauchy tails. */
  @Override
  public double leastPower() {
    return 0.5;
  }

  @Override
  public UnivariatePrior scaled(double factor) {
    return new HorseshoePrior(factor * scale);
  }

  @Override
  public UnivariatePrior mirrored() {
    return this;
  }

  @Override
  public String toString() {
    return "horseshoe(" + scale + ")";
  }
}
