package org.lampyris.bounds.numeric;

/**
 * Rounding allowance for sums whose exact value obeys an inequality: {@value #ULPS} units in the
 * last place of the largest term. Fourteen terms, each good to four units, are off by 56 together,
 * and their additions by half a unit each. A log-likelihood has up to seven terms, and a difference
 * of two has fourteen: where they cancel, the largest is none of the two values, but {@link
 * org.lampyris.bounds.model.Likelihood#largestTerm}.
 */
public final class Rounding {
  private static final double ULPS = 64;

  private Rounding() {}

  /**
   * Returns whether rounding explains that an inequality fails; false for NaN.
   *
   * @param by by how much it fails
   * @param largest the largest absolute value among the terms
   */
  public static boolean explains(double by, double largest) {
    return by <= ULPS * Math.ulp(largest);
  }

  /** Returns a sum whose exact value is 0 or more: 0 if rounding alone has made it negative. */
  public static double notNegative(double sum, double largest) {
    return sum < 0 && explains(-sum, largest) ? 0 : sum;
  }
}
