package org.lampyris.samplers.diagnostics;

/**
 * Halves of one variable's chains, with the common figures of R̂ and the effective sample size.
 *
 * @param deviations x − mean, of the first halves of all chains, then of the second; not copied
 * @param means of each half
 * @param squares Σ (x − mean)² of each half
 * @param degenerate whether no diagnostic is defined: see {@link Chains#areDegenerate}
 */
record SplitChains(double[][] deviations, double[] means, double[] squares, boolean degenerate) {
  /** Splits chains × iterations. Not modified. */
  static SplitChains of(double[][] chains) {
    double[][] halves = Chains.split(chains);
    return ofHalves(halves == chains ? Chains.map(chains, x -> x) : halves);
  }

  /**
   * Takes chains that are split already, one after the other, each small enough for a cache.
   *
   * @param draws set to their deviations. Modified.
   */
  static SplitChains ofHalves(double[][] draws) {
    double[] means = new double[draws.length];
    double[] squares = new double[draws.length];
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (int half = 0; half < draws.length; half++) {
      for (double draw : draws[half]) {
        min = Math.min(min, draw);
        max = Math.max(max, draw);
      }
      means[half] = DrawMoments.mean(draws[half]);
      squares[half] = DrawMoments.sumOfSquares(draws[half], means[half]);
      for (int i = 0; i < draws[half].length; i++) {
        draws[half][i] -= means[half];
      }
    }
    return new SplitChains(draws, means, squares, Chains.areDegenerate(min, max));
  }

  /** Returns how many draws each half has. */
  int length() {
    return deviations[0].length;
  }

  /**
   * Returns R̂ = sqrt(((N − 1)/N · W + B/N) / W) of M split chains of N draws, with B the variance
   * between and W the variance within chains. It is NaN if a draw is NaN or infinite, all draws are
   * equal or the chains have one draw; infinite if the chains are different constants. Source:
   * Gelman and Rubin (1992); Vehtari et al. (2021), section 3.1.
   */
  double rhat() {
    if (degenerate) {
      return Double.NaN;
    }
    int n = length();
    double[] variances = new double[squares.length];
    for (int half = 0; half < squares.length; half++) {
      variances[half] = squares[half] / (n - 1);
    }
    double between = n * DrawMoments.variance(means);
    double within = DrawMoments.mean(variances);
    return Math.sqrt((between / within + n - 1) / n);
  }
}
