package org.lampyris.bounds.prior;

import org.lampyris.bounds.numeric.Parameters;

/**
 * A density to a power: log p(x) = power · log p_base(x), not normalised.
 *
 * @param power above 0
 */
public record TemperedPrior(UnivariatePrior base, double power) implements UnivariatePrior {
  /** Checks the power. */
  public TemperedPrior {
    Parameters.requirePositive("power", power);
  }

  @Override
  public double logDensity(double x) {
    return power * base.logDensity(x);
  }

  @Override
  public double smoothLogDensity(double x) {
    return power * base.smoothLogDensity(x);
  }

  @Override
  public double derivative(double x) {
    return power * base.derivative(x);
  }

  @Override
  public double secondDerivative(double x) {
    return power * base.secondDerivative(x);
  }

  @Override
  public double precision() {
    return power * base.precision();
  }

  @Override
  public UnivariatePrior scaled(double factor) {
    return new TemperedPrior(base.scaled(factor), power);
  }

  @Override
  public double leastPower() {
    return base.leastPower() / power;
  }

  @Override
  public boolean isNormalised() {
    return false;
  }

  @Override
  public boolean isLogConcave() {
    return base.isLogConcave();
  }

  @Override
  public double lower() {
    return base.lower();
  }

  @Override
  public double upper() {
    return base.upper();
  }

  @Override
  public double kink() {
    return base.kink();
  }

  @Override
  public double kinkSize() {
    return power * base.kinkSize();
  }

  @Override
  public String toString() {
    return base + "^" + power;
  }
}
