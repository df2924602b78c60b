package org.lampyris.bounds.numeric;

/**
 * How far rounding may carry a sum of terms whose exact value obeys an inequality: {@value #ULPS}
 * units in the last place of its largest term. Up to eight terms, each good to four units, are off
 * by 32 together; the additions, one half unit each, and what the terms share add less than that
 * again.
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

  /** Returns a sum that is exactly 0 or more: 0 where rounding alone has made it negative. */
  public static double notNegative(double sum, double largest) {
    return sum < 0 && explains(-sum, largest) ? 0 : sum;
  }
}
