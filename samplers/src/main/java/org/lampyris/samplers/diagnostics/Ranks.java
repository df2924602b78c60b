package org.lampyris.samplers.diagnostics;

/** What the ranks of one variable's draws say: the draws are sorted once for all of it. */
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
  double[][] bulkScores() {
    return Chains.split(halves.normalScores(scores));
  }

  /** Returns {@link Diagnostics#rhat}, with {@link #bulkScores}, which others need too. */
  double rhat(double[][] bulkScores) {
    double[][] folded = Chains.split(foldedHalves.normalScores(scores));
    return Math.max(splitRhat(bulkScores), splitRhat(folded));
  }

  /**
   * Returns R̂ = sqrt(((N − 1)/N · W + B/N) / W) of M split chains of N draws, with B the variance
   * between and W the variance within chains: NaN where a draw is NaN or infinite, all draws are
   * equal or the chains have one draw; infinite where each chain is constant but not the same.
   * Source: Gelman and Rubin (1992); Vehtari et al. (2021), section 3.1.
   */
  private static double splitRhat(double[][] chains) {
    if (Chains.areDegenerate(chains)) {
      return Double.NaN;
    }
    int n = chains[0].length;
    double[] means = new double[chains.length];
    double[] variances = new double[chains.length];
    for (int chain = 0; chain < chains.length; chain++) {
      means[chain] = Moments.mean(chains[chain]);
      variances[chain] = Moments.sumOfSquares(chains[chain], means[chain]) / (n - 1);
    }
    double between = n * Moments.variance(means);
    double within = Moments.mean(variances);
    return Math.sqrt((between / within + n - 1) / n);
  }

  double essTail() {
    return Math.min(essQuantile(0.05), essQuantile(0.95));
  }

  double essQuantile(double probability) {
    if (Chains.areDegenerate(draws)) {
      return Double.NaN;
    }
    double size = all.ascending().length;
    double quantile = quantile(probability == 1 ? (size - 0.5) / size : probability);
    return EffectiveSampleSize.of(Chains.split(Chains.map(draws, x -> x <= quantile ? 1 : 0)));
  }
}
