package org.lampyris.bounds.family;

/** Lognormal times: log t is normal with mean η and standard deviation {@code scale}. */
public final class LognormalFamily extends SurvivalFamily {
  public LognormalFamily() {
    super("lognormal", Response.Time.Residual.NORMAL);
  }

  @Override
  double logMean(double scale) {
    return 0.5 * scale * scale;
  }
}
