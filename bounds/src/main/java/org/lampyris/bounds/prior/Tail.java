package org.lampyris.bounds.prior;

/**
 * The standard Student-t log-density with df degrees of freedom as a function of z, and its
 * derivatives in z. df = 1 is the Cauchy density.
 */
final class Tail {

  private Tail() {}

  /** Returns −(df + 1)/2 · log(1 + z²/df), for any z without overflow. */
  static double logKernel(double z, double df) {
    double r = Math.abs(z) / Math.sqrt(df);
    // Past 10⁸, log(1 + r²) = 2 log r to the last digit, and r² may overflow.
    double log = r > 1e8 ? 2 * Math.log(r) : Math.log1p(r * r);
    return -0.5 * (df + 1) * log;
  }

  /** Returns −(df + 1) z / (df + z²). */
  static double derivative(double z, double df) {
    return Math.abs(z) > 1e150 ? -(df + 1) / z : -(df + 1) * z / (df + z * z);
  }

  /**
   * Returns −(df + 1)(df − z²) / (df + z²)², positive beyond √df: the density is not log-concave.
   */
  static double secondDerivative(double z, double df) {
    if (Math.abs(z) > 1e150) {
      return (df + 1) / z / z;
    }
    double s = df + z * z;
    return -(df + 1) * ((df - z * z) / s) / s;
  }

  /** Returns log Γ((df + 1)/2) − log Γ(df/2) − ½ log(df π). */
  static double logConstant(double df) {
    return logGammaRatio(0.5 * df) - 0.5 * (Math.log(df) + Math.log(Math.PI));
  }

  /**
   * Returns log Γ(x + ½) − log Γ(x) for x > 0, as the difference of two Stirling series past 20
   * (where neither log Γ, which grows like x log x, is ever formed), reached by Γ(x + 1) = xΓ(x).
   */
  static double logGammaRatio(double x) {
    double shift = 0;
    double u = x;
    while (u < 20) {
      shift += Math.log1p(0.5 / u);
      u += 1;
    }
    // Stirling: log Γ(u) = (u − ½) log u − u + ½ log 2π + S(u)
    double half = u + 0.5;
    return u * Math.log1p(0.5 / u) - 0.5 + 0.5 * Math.log(u) + stirling(half) - stirling(u) - shift;
  }

  /** Returns S(u) = 1/(12u) − 1/(360u³) + 1/(1260u⁵) − 1/(1680u⁷) + …, for u ≥ 20. */
  private static double stirling(double u) {
    double r = 1 / u;
    double r2 = r * r;
    return r
        * (1.0 / 12
            + r2 * (-1.0 / 360 + r2 * (1.0 / 1260 + r2 * (-1.0 / 1680 + r2 * (1.0 / 1188)))));
  }
}
