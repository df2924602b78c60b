package org.lampyris.bounds.family.beta;

import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.numeric.Parameters;

/**
 * Beta regression with a logistic link: y in (0, 1) has mean μ = σ(η) and variance μ(1 − μ)/(1 +
 * φ), φ the precision. The formulas are those of {@link GivenPrecision}; the log-likelihood is not
 * concave in η. Source: Ferrari and Cribari-Neto (2004).
 */
public final class BetaLikelihood extends GivenDispersion {
  /** Takes the precision φ, above 0. */
  public BetaLikelihood(double precision) {
    super(new GivenPrecision(Parameters.requirePositive("phi", precision), Math.log(precision)));
  }
}
