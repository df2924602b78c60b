package org.lampyris.samplers.diagnostics;

/**
 * Median, quantiles and the median absolute deviation of one variable's draws. NaN if a draw is.
 */
final class OrderStatistics {
  /** 1/Φ⁻¹(¾) to the digits that R uses: the MAD of a normal variable is then its sd. */
  private static final double NORMAL_CONSISTENCY = 1.4826;

  private OrderStatistics() {}

  /**
   * Returns the quantile of type 7 of Hyndman and Fan (1996), R's default: linear between the order
   * statistics about 1 + (n − 1)·probability.
   *
   * @param sorted ascending. Not modified.
   * @param probability in [0, 1]
   */
  static double quantile(double[] sorted, double probability) {
    if (endsInNaN(sorted)) {
      return Double.NaN;
    }
    double index = (sorted.length - 1) * probability + 1;
    int below = (int) Math.floor(index);
    int above = (int) Math.ceil(index);
    double low = sorted[below - 1];
    double high = sorted[above - 1];
    // Ties take no part in the interpolation: rounding would lift the quantile off the tied value.
    if (low == high) {
      return low;
    }
    double share = index - below;
    return (1 - share) * low + share * high;
  }

  /**
   * Returns the median, the mean of the two middle values of an even number.
   *
   * @param sorted ascending. Not modified.
   */
  static double median(double[] sorted) {
    if (endsInNaN(sorted)) {
      return Double.NaN;
    }
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : 0.5 * sorted[half - 1] + 0.5 * sorted[half];
  }

  /**
   * Returns 1.4826 · median |x − median(x)|.
   *
   * @param distances |x − median(x)|, ascending. Not modified.
   */
  static double medianAbsoluteDeviation(double[] distances) {
    return NORMAL_CONSISTENCY * median(distances);
  }

  private static boolean endsInNaN(double[] sorted) {
    return Double.isNaN(sorted[sorted.length - 1]);
  }
}
