package org.lampyris.samplers.diagnostics;

/**
 * The potential scale reduction R̂ = sqrt(((N − 1)/N · W + B/N) / W) of M chains of N draws, with B
 * the variance between and W the variance within chains.
 *
 * <p>Cost O(M N). Source: Gelman and Rubin (1992); Vehtari et al. (2021), section 3.1.
 */
final class SplitRHat {
  private SplitRHat() {}

  /**
   * Returns R̂ of chains that are split already: NaN where a draw is NaN or infinite, all draws are
   * equal or the chains have one draw; infinite where each chain is constant but not the same.
   *
   * @param chains chains × iterations. Not modified.
   */
  static double of(double[][] chains) {
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
}
