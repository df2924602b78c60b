package org.lampyris.samplers.diagnostics;

/**
 * The halves of the chains of one variable, and what R̂ and the effective sample size both take of
 * them.
 *
 * @param draws the first halves of all chains, then the second halves; not copied
 * @param means of each half
 * @param squares Σ (x − mean)² of each half
 */
record SplitChains(double[][] draws, double[] means, double[] squares) {
  /** Splits chains × iterations. Not modified. */
  static SplitChains of(double[][] chains) {
    return new SplitChains(Chains.split(chains));
  }

  /** Takes chains that are split already. */
  SplitChains(double[][] draws) {
    this(draws, new double[draws.length], new double[draws.length]);
    for (int half = 0; half < draws.length; half++) {
      means[half] = Moments.mean(draws[half]);
      squares[half] = Moments.sumOfSquares(draws[half], means[half]);
    }
  }

  /** Returns how many draws each half has. */
  int length() {
    return draws[0].length;
  }

  /**
   * Returns R̂ = sqrt(((N − 1)/N · W + B/N) / W) of M split chains of N draws, with B the variance
   * between and W the variance within chains: NaN where a draw is NaN or infinite, all draws are
   * equal or the chains have one draw; infinite where each chain is constant but not the same.
   * Source: Gelman and Rubin (1992); Vehtari et al. (2021), section 3.1.
   */
  double rhat() {
    if (Chains.areDegenerate(draws)) {
      return Double.NaN;
    }
    int n = length();
    double[] variances = new double[squares.length];
    for (int half = 0; half < squares.length; half++) {
      variances[half] = squares[half] / (n - 1);
    }
    double between = n * Moments.variance(means);
    double within = Moments.mean(variances);
    return Math.sqrt((between / within + n - 1) / n);
  }
}
