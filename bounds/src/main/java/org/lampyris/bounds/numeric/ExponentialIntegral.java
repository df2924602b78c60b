package org.lampyris.bounds.numeric;

/**
 * Function f(u) = eᵘE₁(u), u > 0, with E₁(u) = ∫_u^∞ e⁻ᵗ/t dt, and its logarithm: about −log u − γ
 * near 0, and 1/u far out.
 *
 * <p>Uses the series −γ − log u − Σ_{k≥1} (−u)ᵏ/(k·k!) up to 1. Beyond, it uses the even part of
 * Stieltjes's continued fraction, f = 1/(u + 1 − c), c = 1/(u + 3 − 4/(u + 5 − 9/(u + 7 − …))),
 * from the end. The relative error is below 10⁻¹⁵ of f, and below 10⁻¹⁴ of the derivatives of log f
 * for u ≥ 0.1. Source: Abramowitz and Stegun (1964), 5.1.11 and 5.1.22.
 */
public final class ExponentialIntegral {
  private static final double EULER = 0.5772156649015329;

  private ExponentialIntegral() {}

  /** Returns log f(u). */
  public static double logScaled(double u) {
    return u > 1 ? -Math.log(u + 1 - rest(u)) : Math.log(series(u));
  }

  /** Returns d log f/du = 1 − 1/(uf). */
  public static double slope(double u) {
    return u > 1 ? (rest(u) - 1) / u : 1 - 1 / (u * series(u));
  }

  /** Returns d² log f/du² = slope − slope² + (1 − slope)/u. */
  public static double curvature(double u) {
    double slope = slope(u);
    double linear = u > 1 ? (rest(u) - slope) / u : slope + (1 - slope) / u;
    return linear - slope * slope;
  }

  private static double series(double u) {
    double sum = -EULER - Math.log(u);
    double power = 1;
    for (int k = 1; Math.abs(power) > 1e-18; k++) {
      power *= -u / k;
      sum -= power / k;
    }
    return Math.exp(u) * sum;
  }

  /** Returns c; its error falls as e^(−4√(ku)) with the k terms of the fraction. */
  private static double rest(double u) {
    double tail = 0;
    for (int k = 5 + (int) (100 / u); k >= 1; k--) {
      tail = (double) k * k / (u + 2 * k + 1 - tail);
    }
    return tail;
  }
}
