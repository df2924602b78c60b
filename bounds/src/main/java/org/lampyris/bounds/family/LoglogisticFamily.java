package org.lampyris.bounds.family;

/**
 * Loglogistic times, with the median e^η and, for {@code scale} < 1, the mean e^η·πs/sin(πs): the
 * odds of an event by a time are proportional to t^(1/scale).
 */
public final class LoglogisticFamily extends SurvivalFamily {
  public LoglogisticFamily() {
    super("loglogistic", Response.Time.Residual.LOGISTIC);
  }

  @Override
  double logMean(double scale) {
    double angle = Math.PI * scale;
    return scale < 1 ? Math.log(angle / Math.sin(angle)) : Double.POSITIVE_INFINITY;
  }
}
