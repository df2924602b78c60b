package org.lampyris.bounds.family.beta;

import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.numeric.Parameters;

/**
 * Beta regression with a logistic link: y in (0, 1) has mean μ = σ(η) and variance μ(1 − μ)/(1 +
 * φ), φ the precision. The formulas are those of {@link GivenPrecision}; the log-likelihood is not
 * concave in η. Source: Ferrari and Cribari-Neto (2004).
 */
public final class BetaLikelihood extends GivenDispersion {
  private final double tau;

  /** Takes the precision φ, above 0. */
  public BetaLikelihood(double precision) {
    super(new GivenPrecision(Parameters.requirePositive("phi", precision), Math.log(precision)));
    this.tau = Math.log(precision);
  }

  /** {@inheritDoc} For k = 2 the derivative at the middle, with what it changes by up to an end. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    double half = 0.5 * (high - low);
    if (!(half < Double.POSITIVE_INFINITY)) {
      return Double.POSITIVE_INFINITY;
    }
    double[] third = new double[4];
    GivenPrecision.thirdDerivatives(low + half, half, tau, 0, y, third);
    return order == 3 ? third[0] : Math.abs(secondDerivative(low + half, y)) + half * third[0];
  }
}
