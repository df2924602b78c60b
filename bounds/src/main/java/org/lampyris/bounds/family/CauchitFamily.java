package org.lampyris.bounds.family;

import org.lampyris.bounds.algebra.DerivedLikelihood;
import org.lampyris.bounds.algebra.Term;

/**
 * Regression with the distribution function of a Cauchy variable as inverse link, P(y = +1) = ½ +
 * arctan(η)/π: a few labels against a large η have little weight.
 */
public final class CauchitFamily extends LinkedFamily {
  public CauchitFamily() {
    super(
        "cauchit",
        LabelKind.BINARY,
        "cauchit",
        new CauchitLikelihood(),
        Expectation.ofTrial(eta -> Math.atan2(1, -eta) / Math.PI));
  }

  /**
   * log L(η; y) = log(arccot(−yη)/π) for y ∈ {−1, +1}, natural log; it is not concave. Source:
   * Koenker and Yoon (2009), "Parametric links for binary choice models", section 2.
   */
  public static final class CauchitLikelihood extends DerivedLikelihood {
    private static final double LOG_PI = Math.log(Math.PI);

    @Override
    protected Term logLikelihood(Term eta, double y) {
      return eta.times(-y).arccot().log().minus(LOG_PI);
    }
  }
}
