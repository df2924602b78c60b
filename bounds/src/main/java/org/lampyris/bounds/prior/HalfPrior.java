package org.lampyris.bounds.prior;

/**
 * Half of a density that is symmetric about 0: log p(x) = log 2 + log p_symmetric(x) for x ≥ 0, −∞
 * below. Half-normal, half-Cauchy and half-Student-t are priors of scales; of a coefficient, they
 * say that it is not negative.
 *
 * @param symmetric a normal, Cauchy or Student-t density with location 0
 */
public record HalfPrior(UnivariatePrior symmetric) implements UnivariatePrior {
  /** Checks that the density is one of the three, and symmetric about 0. */
  public HalfPrior {
    double location;
    if (symmetric instanceof Normal normal) {
      location = normal.mean();
    } else if (symmetric instanceof HeavyTailed heavyTailed) {
      location = heavyTailed.location();
    } else {
      throw new IllegalArgumentException("no half prior exists for " + symmetric);
    }
    if (location != 0) {
      throw new IllegalArgumentException(
          "the location " + location + " of a half prior must be 0, or absent");
    }
  }

  @Override
  public double logDensity(double x) {
    return x >= 0 ? Math.log(2) + symmetric.logDensity(x) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double derivative(double x) {
    return symmetric.derivative(x);
  }

  @Override
  public double secondDerivative(double x) {
    return symmetric.secondDerivative(x);
  }

  @Override
  public double precision() {
    return symmetric.precision();
  }

  @Override
  public double leastPower() {
    return symmetric.leastPower();
  }

  @Override
  public UnivariatePrior scaled(double factor) {
    return new HalfPrior(symmetric.scaled(factor));
  }

  @Override
  public boolean isLogConcave() {
    return symmetric.isLogConcave();
  }

  @Override
  public double lower() {
    return 0;
  }

  @Override
  public String toString() {
    return "half_" + symmetric;
  }
}
