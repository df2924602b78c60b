package org.lampyris.bounds.family;

import org.lampyris.bounds.algebra.DerivedLikelihood;
import org.lampyris.bounds.algebra.Term;

/**
 * Regression with the complementary log-log link, P(y = +1) = 1 − exp(−e^η): the chance that a
 * Poisson count of mean e^η is not 0, or that an event of a proportional hazard has come.
 */
public final class CloglogFamily extends LinkedFamily {
  public CloglogFamily() {
    super(
        "cloglog",
        LabelKind.BINARY,
        "cloglog",
        new CloglogLikelihood(),
        Expectation.ofTrial(eta -> -Math.expm1(-Math.exp(eta))));
  }

  /**
   * log L(η; y) = log(1 − exp(−e^η)) for y = +1, and −e^η for y = −1, natural log: concave. Source:
   * McCullagh and Nelder (1989), section 4.3.1.
   */
  public static final class CloglogLikelihood extends DerivedLikelihood {
    @Override
    protected Term logLikelihood(Term eta, double y) {
      return y > 0 ? eta.log1mExpExp() : eta.exp().negate();
    }

    /** {@inheritDoc} Here either term is. */
    @Override
    public boolean isConcave() {
      return true;
    }
  }
}
