package org.lampyris.samplers.diagnostics;

/** Figures from the ranks of one variable's draws, which are sorted once for all of them. */
final class Ranks {
  /** 1/Φ⁻¹(¾) to the digits that R uses: the MAD of a normal variable is then its sd. */
  private static final double NORMAL_CONSISTENCY = 1.4826;

  private final double[][] draws;
  private final NormalScores scores;
  private final RankedDraws all;
  private final RankedDraws halves;
  private final double median;
  private final RankedDraws foldedHalves;

  /** Ranks draws, a rectangle, not modified; the scores are for chains of that size. */
  Ranks(double[][] draws, NormalScores scores) {
    Chains.requireRectangle(draws);
    this.draws = draws;
    this.scores = scores;
    double[][] inHalves = Chains.withoutMiddle(draws);
    all = RankedDraws.of(draws);
    halves = inHalves == draws ? all : RankedDraws.of(inHalves);
    median = all.quantile(0.5);
    foldedHalves = halves.foldedAbout(median);
  }

  Ranks(double[][] draws) {
    this(draws, NormalScores.untabulated(draws));
  }

  double median() {
    return median;
  }

  /** Returns 1.4826 · the median absolute deviation. */
  double medianAbsoluteDeviation() {
    RankedDraws folded =
        all.ascending().length == halves.ascending().length
            ? foldedHalves
            : all.foldedAbout(median);
    return NORMAL_CONSISTENCY * folded.quantile(0.5);
  }

  double quantile(double probability) {
    return all.quantile(probability);
  }

  /** Returns all draws in ascending order; not copied. */
  double[] ascending() {
    return all.ascending();
  }

  /** Returns the normal scores of the split chains. */
  SplitChains bulkScores() {
    return SplitChains.of(halves.normalScores(scores));
  }

  /** Returns {@link Diagnostics#rhat}, with {@link #bulkScores}, which others need too. */
  double rhat(SplitChains bulkScores) {
    return Math.max(bulkScores.rhat(), SplitChains.of(foldedHalves.normalScores(scores)).rhat());
  }

  double essTail() {
    return Math.min(essQuantile(0.05), essQuantile(0.95));
  }

  double essQuantile(double probability) {
    double[] ascending = all.ascending();
    double size = ascending.length;
    if (Chains.areDegenerate(ascending[0], ascending[ascending.length - 1])) {
      return Double.NaN;
    }
    double quantile = quantile(probability == 1 ? (size - 0.5) / size : probability);
    return EffectiveSampleSize.of(SplitChains.of(Chains.map(draws, x -> x <= quantile ? 1 : 0)));
  }
}
