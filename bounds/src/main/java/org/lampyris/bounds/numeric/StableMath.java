package org.lampyris.bounds.numeric;

/**
 * Logarithms and exponentials of sums of exponentials, accurate to a few units in the last place
 * over the whole range of their argument, subnormal numbers, zero and infinities included. NaN
 * gives NaN.
 *
 * <p>Made of {@link #exp}, {@link Math#log} and short series: {@link Math#log1p} and {@link
 * Math#expm1} are not compiled in place on Java 17. Measured, log L̃ took 8.7 ns with {@link
 * Math#exp}, and 18.2 ns with them.
 */
public final class StableMath {
  /** Below this gap the series about 0 is both shorter and more accurate than exp. */
  private static final double SERIES_LIMIT = 0.5;

  private StableMath() {}

  /**
   * Returns eˣ, within 0.52 units in the last place if it is a normal number.
   *
   * <p>{@link Math#exp} is a call of a routine, around which every sum in progress is put aside;
   * this is compiled in place. Measured, a pass over rows of 20 and of 50 doubles takes 2 and 2.5
   * ns a row less.
   */
  public static double exp(double x) {
    return ExpTable.exp(x);
  }

  /** Returns log(1 + eˣ) = max(x, 0) + log(1 + e^−|x|), natural log. */
  public static double log1pExp(double x) {
    return Math.max(x, 0) + log1pSmall(exp(-Math.abs(x)));
  }

  /** Returns log σ(x) = −log(1 + e⁻ˣ), natural log. */
  public static double logSigmoid(double x) {
    return -log1pExp(-x);
  }

  /** Returns σ(x) = 1 / (1 + e⁻ˣ). */
  public static double sigmoid(double x) {
    double e = exp(-Math.abs(x));
    return (x < 0 ? e : 1) / (1 + e);
  }

  /**
   * Returns log(1 + u), natural log, for u > −1.
   *
   * <p>Corrects log(1 + u) for what was rounded off in 1 + u, after Kahan.
   */
  public static double log1pSmall(double u) {
    double w = 1 + u;
    return Math.log(w) + (u - (w - 1)) / w;
  }

  /**
   * Returns log L̃ = log(e^gap − 1) = gap + log(1 − e^−gap), natural log: −∞ at 0, and about gap if
   * e^gap would overflow. The absolute error stays below 3·10⁻¹⁶ where the result crosses 0, at gap
   * = log 2.
   *
   * @param gap log L − log B, not negative
   */
  public static double logExpm1(double gap) {
    if (gap < SERIES_LIMIT) {
      // log(e^g − 1) = log g + g/2 + log(sinh(g/2) / (g/2))
      return Math.log(gap) + gap * (0.5 + gap * logSinhSeries(gap * gap));
    }
    return gap + log1pSmall(-exp(-gap));
  }

  /**
   * Returns the probability that a row is bright, 1 − B/L = 1 − e^−gap.
   *
   * @param gap log L − log B, not negative (a negative argument gives 1 − e^−gap just as
   *     accurately)
   */
  public static double brightProbability(double gap) {
    if (Math.abs(gap) < SERIES_LIMIT) {
      // The numerator is small, the denominator near 1: nothing cancels.
      return gap / (1 + gap * (0.5 + gap * cothSeries(gap * gap)));
    }
    return 1 - exp(-gap);
  }

  /**
   * Returns d log(e^gap − 1) / d gap = 1 / (1 − e^−gap): +∞ at 0.
   *
   * @param gap log L − log B, not negative
   */
  public static double logExpm1Derivative(double gap) {
    if (gap < SERIES_LIMIT) {
      return 1 / gap + (0.5 + gap * cothSeries(gap * gap));
    }
    return 1 / (1 - exp(-gap));
  }

  /** Returns eˣ − 1. */
  public static double expm1(double x) {
    return -brightProbability(-x);
  }

  /** Returns eˣ − 1 − x, never negative; its relative error is a few units in the last place. */
  public static double expMinusLinear(double x) {
    if (Math.abs(x) >= SERIES_LIMIT) {
      return exp(x) - 1 - x;
    }
    // Σ x^k / k! from k = 2 to 15, in two chains; at ½ the first term left out adds 7·10⁻¹⁹.
    double x2 = x * x;
    double even = 1.0 / 87178291200.0;
    even = 1.0 / 479001600.0 + x2 * even;
    even = 1.0 / 3628800.0 + x2 * even;
    even = 1.0 / 40320.0 + x2 * even;
    even = 1.0 / 720.0 + x2 * even;
    even = 1.0 / 24.0 + x2 * even;
    even = 1.0 / 2.0 + x2 * even;
    double odd = 1.0 / 1307674368000.0;
    odd = 1.0 / 6227020800.0 + x2 * odd;
    odd = 1.0 / 39916800.0 + x2 * odd;
    odd = 1.0 / 362880.0 + x2 * odd;
    odd = 1.0 / 5040.0 + x2 * odd;
    odd = 1.0 / 120.0 + x2 * odd;
    odd = 1.0 / 6.0 + x2 * odd;
    return x2 * (even + x * odd);
  }

  /**
   * Returns eˣ − 1 − x − x²/2, of the sign of x; its relative error is a few units in the last
   * place.
   */
  public static double expMinusQuadratic(double x) {
    if (Math.abs(x) >= 1) {
      return exp(x) - 1 - x - 0.5 * x * x;
    }
    // Σ x^k / k! from k = 3 to 20; at 1 the first term left out adds 2·10⁻²⁰.
    double sum = 0;
    for (int k = 20; k >= 3; k--) {
      sum = (1 + x * sum) / k;
    }
    return 0.5 * x * x * x * sum;
  }

  /**
   * Returns x − log(1 + x), never negative; its relative error is a few units in the last place,
   * plus the one in 1 + x.
   *
   * @param x above −1
   */
  public static double minusLog1p(double x) {
    if (Math.abs(x) >= 0.25) {
      return x - log1pSmall(x);
    }
    // With s = x/(2 + x), log(1 + x) = 2 artanh s, and x − 2s = s·x.
    double s = x / (2 + x);
    double s2 = s * s;
    double sum = 0;
    for (int k = 21; k >= 3; k -= 2) {
      sum = 1.0 / k + s2 * sum;
    }
    return s * (x - 2 * s2 * sum);
  }

  /**
   * Returns (½ coth(g/2) − 1/g) / g = Σ_k B_{2k} g^{2k−2} / (2k)!, with the Bernoulli numbers
   * B_{2k}, given g². At g = ½ the first term left out adds 5·10⁻¹⁸.
   */
  private static double cothSeries(double g2) {
    double sum = 1.0 / 74724249600.0;
    sum = -691.0 / 1307674368000.0 + g2 * sum;
    sum = 1.0 / 47900160 + g2 * sum;
    sum = -1.0 / 1209600 + g2 * sum;
    sum = 1.0 / 30240 + g2 * sum;
    sum = -1.0 / 720 + g2 * sum;
    return 1.0 / 12 + g2 * sum;
  }

  /** Returns log(sinh(g/2) / (g/2)) / g² = Σ_k B_{2k} g^{2k−2} / (2k (2k)!), given g². */
  private static double logSinhSeries(double g2) {
    double sum = 1.0 / 1046139494400.0;
    sum = -691.0 / 15692092416000.0 + g2 * sum;
    sum = 1.0 / 479001600 + g2 * sum;
    sum = -1.0 / 9676800 + g2 * sum;
    sum = 1.0 / 181440 + g2 * sum;
    sum = -1.0 / 2880 + g2 * sum;
    return 1.0 / 24 + g2 * sum;
  }
}
