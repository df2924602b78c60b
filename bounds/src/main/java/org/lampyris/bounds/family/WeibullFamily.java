package org.lampyris.bounds.family;

import org.lampyris.bounds.numeric.LogGamma;

/**
 * Weibull times of shape 1/{@code scale} and mean e^η Γ(1 + scale): hazards are proportional, too,
 * with the coefficients −θ/scale.
 */
public final class WeibullFamily extends SurvivalFamily {
  public WeibullFamily() {
    super("weibull", Response.Time.Residual.EXTREME);
  }

  @Override
  double logMean(double scale) {
    return LogGamma.of(1 + scale);
  }
}
