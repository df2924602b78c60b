package org.lampyris.bounds.numeric;

/**
 * The standard Student-t log-density with df degrees of freedom as a function of z, and its
 * derivatives in z. df = 1 is the Cauchy density.
 */
public final class StudentDensity {
  private StudentDensity() {}

  /** Returns −(df + 1)/2 · log(1 + z²/df), for any z without overflow. */
  public static double logKernel(double z, double df) {
    double r = Math.abs(z) / Math.sqrt(df);
    // Past 10⁸, log(1 + r²) = 2 log r to the last digit, and r² may overflow.
    double log = r > 1e8 ? 2 * Math.log(r) : Math.log1p(r * r);
    return -0.5 * (df + 1) * log;
  }

  /** Returns −(df + 1) z / (df + z²). */
  public static double derivative(double z, double df) {
    return Math.abs(z) > 1e150 ? -(df + 1) / z : -(df + 1) * z / (df + z * z);
  }

  /**
   * Returns −(df + 1)(df − z²) / (df + z²)², positive beyond √df: the density is not log-concave.
   */
  public static double secondDerivative(double z, double df) {
    if (Math.abs(z) > 1e150) {
      return (df + 1) / z / z;
    }
    double s = df + z * z;
    return -(df + 1) * ((df - z * z) / s) / s;
  }

  /** Returns log Γ((df + 1)/2) − log Γ(df/2) − ½ log(df π). */
  public static double logConstant(double df) {
    return LogGamma.halfStep(0.5 * df) - 0.5 * (Math.log(df) + Math.log(Math.PI));
  }
}
