package org.lampyris.bounds.prior;

import org.lampyris.bounds.numeric.Parameters;

/**
 * An exponential density: log p(x) = log rate − rate·x for x ≥ 0, −∞ below.
 *
 * @param rate its rate; the mean is 1/rate
 */
public record ExponentialPrior(double rate) implements UnivariatePrior {
  public ExponentialPrior {
    Parameters.requirePositive("rate", rate);
  }

  @Override
  public double logDensity(double x) {
    return x >= 0 ? Math.log(rate) - rate * x : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double derivative(double x) {
    return -rate;
  }

  @Override
  public double precision() {
    return rate * rate;
  }

  @Override
  public UnivariatePrior scaled(double factor) {
    return new ExponentialPrior(rate / factor);
  }

  @Override
  public double lower() {
    return 0;
  }

  @Override
  public String toString() {
    return "exponential(" + rate + ")";
  }
}
