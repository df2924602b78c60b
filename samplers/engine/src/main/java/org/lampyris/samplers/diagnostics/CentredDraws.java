package org.lampyris.samplers.diagnostics;

/**
 * The draws of one variable about their mean, which is found once for all that depends on it.
 *
 * @param mean the mean of all chains
 * @param sd the standard deviation, with divisor S − 1
 * @param deviations x − mean, chains × iterations; not copied
 */
record CentredDraws(double mean, double sd, double[][] deviations) {
  /** Centres draws, chains × iterations, a rectangle. Not modified. */
  static CentredDraws of(double[][] draws) {
    Chains.requireRectangle(draws);
    double[] pooled = Chains.pool(draws);
    double mean = DrawMoments.mean(pooled);
    double sd = Math.sqrt(DrawMoments.sumOfSquares(pooled, mean) / (pooled.length - 1));
    return new CentredDraws(mean, sd, Chains.map(draws, x -> x - mean));
  }

  /**
   * Returns the effective sample size for the mean. It is computed from the deviations: far from
   * zero, the means of the chains differ by their last digits.
   */
  double ess() {
    return EffectiveSampleSize.of(SplitChains.of(deviations));
  }

  /** Returns the Monte-Carlo standard error of the mean: sd/√ESS. */
  double mcseMean() {
    return sd / Math.sqrt(ess());
  }

  /**
   * Returns the Monte-Carlo standard error of the standard deviation, by the delta method: with v
   * and f the means of the second and fourth powers of x − mean, √((f − v²)/(4 v ESS)), with the
   * ESS of (x − mean)².
   *
   * <p>Source: Kenney and Keeping (1951), p. 141, as in R's posterior.
   */
  double mcseSd() {
    double[][] squares = Chains.map(deviations, x -> x * x);
    double[] pooled = Chains.pool(squares);
    double second = DrawMoments.mean(pooled);
    double ess = EffectiveSampleSize.of(SplitChains.of(Chains.map(squares, x -> x - second)));
    for (int i = 0; i < pooled.length; i++) {
      pooled[i] *= pooled[i];
    }
    double fourth = DrawMoments.mean(pooled);
    return Math.sqrt((fourth - second * second) / ess / second / 4);
  }
}
