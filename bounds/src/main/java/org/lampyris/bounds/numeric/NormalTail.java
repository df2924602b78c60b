package org.lampyris.bounds.numeric;

import org.apache.commons.numbers.gamma.Erfcx;

/**
 * log Φ, Φ the standard normal distribution function, and its derivatives by the inverse of Mills'
 * ratio h(s) = φ(s)/Φ(s): h, −h(s + h) and h((s + h)(s + 2h) − 1).
 *
 * <p>Accurate to a few units in the last place at any argument: below {@value #TAIL}, h and s + h,
 * in which s nearly cancels, both come from Laplace's continued fraction. Source: DLMF 7.9.
 */
public final class NormalTail {
  /** The largest third derivative. */
  public static final double LARGEST_THIRD = 0.29571881919312304;

  /** Where the third derivative is largest: it rises before, and falls after. */
  public static final double LARGEST_THIRD_AT = 1.0023693422683706;

  /** Below, {@value #TERMS} terms of the continued fraction are exact to the last digit. */
  private static final double TAIL = -4;

  private static final int TERMS = 60;

  /** From here on φ is less than the least positive number. */
  private static final double ZERO_FROM = 39;

  private static final double ROOT_HALF = Math.sqrt(0.5);
  private static final double ROOT_TWO_OVER_PI = Math.sqrt(2 / Math.PI);

  private NormalTail() {}

  /**
   * Returns log Φ(s), natural log, and writes h(s) and s + h(s), from one evaluation.
   *
   * @param slopeAndSum of length 2. Modified.
   */
  public static double logCdf(double s, double[] slopeAndSum) {
    double h;
    double sum;
    double value;
    if (s < TAIL) {
      // h = x + 1/(x + 2/(x + 3/(x + …))), x = −s
      double x = -s;
      double rest = x;
      for (int k = TERMS; k >= 2; k--) {
        rest = x + k / rest;
      }
      sum = 1 / rest;
      h = x + sum;
      value = -0.5 * s * s + Math.log(0.5 * ROOT_TWO_OVER_PI / h);
    } else if (s < 0) {
      double erfcx = Erfcx.value(-s * ROOT_HALF);
      h = ROOT_TWO_OVER_PI / erfcx;
      sum = s + h;
      value = Math.log(0.5 * erfcx) - 0.5 * s * s;
    } else {
      // Not by erfc, which what is rounded off in s/√2 changes by s² units in the last place.
      double density = halfSquareExp(s);
      double upper = 0.5 * density * Erfcx.value(s * ROOT_HALF);
      h = 0.5 * ROOT_TWO_OVER_PI * density / (1 - upper);
      sum = s + h;
      value = Math.log1p(-upper);
    }
    slopeAndSum[0] = h;
    slopeAndSum[1] = sum;
    return value;
  }

  /** Returns e^(−s²/2), corrected for the rounding error of s². */
  private static double halfSquareExp(double s) {
    double square = s * s;
    double lost = Math.fma(s, s, -square);
    return s > ZERO_FROM ? 0 : Math.exp(-0.5 * square) * (1 - 0.5 * lost);
  }
}
