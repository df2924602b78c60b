package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The normal scores of ranks: Φ⁻¹((r − 3/8)/(S + 1/4)) for the rank r among S draws.
 *
 * <p>They depend on S alone, and Φ⁻¹ costs more than sorting: variables of equally many draws share
 * a {@linkplain #table table}. With and without a table the scores have the same bits. Source:
 * Vehtari et al. (2021), section 4, after Blom (1958).
 *
 * @param size S
 * @param ofTwiceRank the score of each rank times two; empty to compute each when it is asked for
 */
public record NormalScores(int size, double[] ofTwiceRank) {
  private static final double BLOM = 3.0 / 8;
  private static final NormalDistribution STANDARD_NORMAL = NormalDistribution.of(0, 1);

  /**
   * Returns a table of the scores that {@link VariableSummary} needs for some chains of equally
   * many iterations, 1 at least. It takes 16 bytes a draw; several threads may use it at once.
   */
  public static NormalScores table(int chains, int iterations) {
    int size = Chains.sizeOfHalves(chains, iterations);
    double[] ofTwiceRank = new double[Math.addExact(Math.multiplyExact(2, size), 1)];
    Arrays.setAll(ofTwiceRank, twice -> twice < 2 ? Double.NaN : score(twice, size));
    return new NormalScores(size, ofTwiceRank);
  }

  /** Returns the scores for such chains, computed on demand. */
  static NormalScores untabulated(double[][] draws) {
    Chains.requireRectangle(draws);
    return new NormalScores(Chains.sizeOfHalves(draws.length, draws[0].length), new double[0]);
  }

  /** Returns the score of a rank, given times two, 2 … 2S: an integer even if ties are averaged. */
  double of(int twiceRank) {
    return ofTwiceRank.length > 0 ? ofTwiceRank[twiceRank] : score(twiceRank, size);
  }

  private static double score(int twiceRank, int size) {
    return STANDARD_NORMAL.inverseCumulativeProbability(
        (0.5 * twiceRank - BLOM) / (size - 2 * BLOM + 1));
  }
}
