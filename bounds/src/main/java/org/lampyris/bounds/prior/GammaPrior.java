package org.lampyris.bounds.prior;

import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Parameters;

/**
 * A gamma density: log p(x) = a log b − log Γ(a) + (a − 1) log x − bx for x > 0, −∞ below.
 *
 * @param shape a
 * @param rate b; the mean is a/b
 */
public record GammaPrior(double shape, double rate) implements UnivariatePrior {
  public GammaPrior {
    Parameters.requirePositive("shape", shape);
    Parameters.requirePositive("rate", rate);
  }

  @Override
  public double logDensity(double x) {
    double ofPower = shape == 1 ? 0 : (shape - 1) * Math.log(x);
    return x >= 0 && x < Double.POSITIVE_INFINITY
        ? shape * Math.log(rate) - LogGamma.of(shape) + ofPower - rate * x
        : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double derivative(double x) {
    return (shape - 1) / x - rate;
  }

  @Override
  public double secondDerivative(double x) {
    return (1 - shape) / x / x;
  }

  @Override
  public double precision() {
    return shape > 1 ? 0 : rate * rate / shape;
  }

  @Override
  public UnivariatePrior scaled(double factor) {
    return new GammaPrior(shape, rate / factor);
  }

  @Override
  public boolean isLogConcave() {
    return shape >= 1;
  }

  @Override
  public double lower() {
    return 0;
  }

  @Override
  public String toString() {
    return "gamma(" + shape + ", " + rate + ")";
  }
}
