package org.lampyris.bounds.prior;

/**
 * The prior of t = log x where the scale x > 0 has a given prior: log p(t) = log p_x(eᵗ) + t, with
 * the Jacobian dx/dt = eᵗ. A scale is sampled as t.
 *
 * @param ofScale the prior of x: a half prior, exponential, uniform on positive numbers, or flat
 */
public record LogScalePrior(UnivariatePrior ofScale) implements UnivariatePrior {
  /** Past this, e^2t is near the largest number, and derivatives are taken there. */
  private static final double LARGEST = 340;

  /** Checks that the prior is one of a scale. */
  public LogScalePrior {
    boolean positive = ofScale.lower() >= 0 || ofScale instanceof Flat;
    if (!positive || ofScale instanceof LogScalePrior) {
      throw new IllegalArgumentException(
          "the prior of a scale has no negative values, unlike " + ofScale);
    }
  }

  @Override
  public double logDensity(double t) {
    return ofScale.logDensity(Math.exp(t)) + t;
  }

  @Override
  public double derivative(double t) {
    double x = Math.exp(Math.min(t, LARGEST));
    return ofScale.derivative(x) * x + 1;
  }

  @Override
  public double secondDerivative(double t) {
    double x = Math.exp(Math.min(t, LARGEST));
    return (ofScale.secondDerivative(x) * x + ofScale.derivative(x)) * x;
  }

  @Override
  public boolean isNormalised() {
    return ofScale.isNormalised();
  }

  /**
   * Refuses: a multiple of a logarithm is the logarithm of a power.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public UnivariatePrior scaled(double factor) {
    throw new UnsupportedOperationException("the logarithm of a scale cannot be rescaled");
  }

  @Override
  public double lower() {
    double t = ofScale.lower() > 0 ? Math.log(ofScale.lower()) : Double.NEGATIVE_INFINITY;
    // Rounding must not lead out of the support: exp(log 10) is above 10.
    while (Math.exp(t) < ofScale.lower()) {
      t = Math.nextUp(t);
    }
    return t;
  }

  @Override
  public double upper() {
    double t = Math.log(ofScale.upper());
    while (Math.exp(t) > ofScale.upper()) {
      t = Math.nextDown(t);
    }
    return t;
  }

  @Override
  public String toString() {
    return "log_scale(" + ofScale + ")";
  }
}
