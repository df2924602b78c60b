package org.lampyris.samplers.diagnostics;

/** What the ranks of one variable's draws say: the draws are sorted once for all of it. */
final class Ranks {
  private final double[][] draws;
  private final NormalScores scores;
  private final RankedDraws all;
  private final RankedDraws halves;
  private final double median;
  private final RankedDraws foldedHalves;

  /**
   * Ranks draws.
   *
   * @param draws chains × iterations, a rectangle. Not modified.
   * @param scores for chains of that number and length
   */
  Ranks(double[][] draws, NormalScores scores) {
    this.draws = draws;
    this.scores = scores;
    double[][] inHalves = Chains.withoutMiddle(draws);
    all = RankedDraws.of(draws);
    halves = inHalves == draws ? all : RankedDraws.of(inHalves);
    median = OrderStatistics.median(all.ascending());
    foldedHalves = halves.foldedAbout(median);
  }

  /** Ranks draws without a table of scores. */
  Ranks(double[][] draws) {
    this(draws, NormalScores.untabulated(Chains.sizeOfHalves(draws.length, draws[0].length)));
  }

  /** Returns the median. */
  double median() {
    return median;
  }

  /** Returns 1.4826 · the median absolute deviation. */
  double medianAbsoluteDeviation() {
    RankedDraws folded = all == halves ? foldedHalves : all.foldedAbout(median);
    return OrderStatistics.medianAbsoluteDeviation(folded.ascending());
  }

  /** Returns a quantile. */
  double quantile(double probability) {
    return OrderStatistics.quantile(all.ascending(), probability);
  }

  /** Returns all draws in ascending order; not copied. */
  double[] ascending() {
    return all.ascending();
  }

  /** Returns the normal scores of the split chains. */
  double[][] bulkScores() {
    return Chains.split(halves.normalScores(scores));
  }

  /** Returns the normal scores of the split chains folded about the median of all. */
  double[][] foldedScores() {
    return Chains.split(foldedHalves.normalScores(scores));
  }

  /** Returns {@link Diagnostics#essQuantile}, for draws that are not degenerate. */
  double essQuantile(double probability) {
    double size = all.ascending().length;
    double quantile = quantile(probability == 1 ? (size - 0.5) / size : probability);
    double[][] indicators = new double[draws.length][draws[0].length];
    for (int chain = 0; chain < draws.length; chain++) {
      for (int i = 0; i < draws[chain].length; i++) {
        indicators[chain][i] = draws[chain][i] <= quantile ? 1 : 0;
      }
    }
    return EffectiveSampleSize.of(Chains.split(indicators));
  }
}
