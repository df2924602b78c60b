package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Replaces draws by the normal scores of their ranks, so that R̂ and ESS exist whatever the moments
 * of the draws: z = Φ⁻¹((r − 3/8)/(S + 1/4)) with r the rank among all S draws, ties averaged.
 *
 * <p>Cost O(S log S). Source: Vehtari et al. (2021), section 4, after Blom (1958).
 */
final class RankNormalization {
  private static final double BLOM = 3.0 / 8;
  private static final NormalDistribution STANDARD_NORMAL = NormalDistribution.of(0, 1);

  private RankNormalization() {}

  /**
   * Returns the normal scores; NaN for a draw that is NaN.
   *
   * @param draws chains × iterations. Not modified.
   */
  static double[][] normalScores(double[][] draws) {
    double[] distinct = Chains.pool(draws);
    int size = distinct.length;
    for (int i = 0; i < size; i++) {
      distinct[i] += 0.0; // −0 becomes 0: one value, one rank
    }
    Arrays.sort(distinct);
    double[] scores = new double[size];
    int count = 0;
    for (int first = 0, next; first < size; first = next) {
      double value = distinct[first];
      next = first + 1;
      while (next < size && distinct[next] == value) {
        next++;
      }
      double averageRank = 0.5 * (first + 1.0) + 0.5 * next;
      distinct[count] = value;
      scores[count++] =
          STANDARD_NORMAL.inverseCumulativeProbability(
              (averageRank - BLOM) / (size - 2 * BLOM + 1));
    }
    double[][] out = new double[draws.length][draws[0].length];
    for (int chain = 0; chain < draws.length; chain++) {
      for (int i = 0; i < out[chain].length; i++) {
        double draw = draws[chain][i] + 0.0;
        out[chain][i] =
            Double.isNaN(draw) ? Double.NaN : scores[Arrays.binarySearch(distinct, 0, count, draw)];
      }
    }
    return out;
  }

  /**
   * Returns |x − median(x)| over all draws: chains that differ in scale alone then differ in
   * location. Source: Vehtari et al. (2021), section 4.
   *
   * @param draws chains × iterations. Not modified.
   */
  static double[][] fold(double[][] draws) {
    double[] pooled = Chains.pool(draws);
    Arrays.sort(pooled);
    double median = OrderStatistics.median(pooled);
    double[][] folded = new double[draws.length][draws[0].length];
    for (int chain = 0; chain < draws.length; chain++) {
      for (int i = 0; i < folded[chain].length; i++) {
        folded[chain][i] = Math.abs(draws[chain][i] - median);
      }
    }
    return folded;
  }
}
