package org.lampyris.bounds.family.beta;

import org.lampyris.bounds.model.DispersedLikelihood;

/**
 * Beta regression with a logistic link and its precision φ = e^τ sampled: y in (0, 1) has mean μ =
 * σ(η) and variance μ(1 − μ)/(1 + φ). The formulas are those of {@link GivenPrecision}. Source:
 * Ferrari and Cribari-Neto (2004).
 */
public final class BetaPrecisionLikelihood implements DispersedLikelihood {
  @Override
  public At at(double tau) {
    return new GivenPrecision(Math.exp(tau), tau);
  }

  @Override
  public void thirdDerivatives(double eta, double r, double tau, double s, double y, double[] out) {
    GivenPrecision.thirdDerivatives(eta, r, tau, s, y, out);
  }
}
