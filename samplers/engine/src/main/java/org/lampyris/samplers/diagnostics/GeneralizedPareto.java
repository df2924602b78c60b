package org.lampyris.samplers.diagnostics;

/**
 * The generalized Pareto distribution of excesses over a threshold, with shape k and scale σ.
 *
 * <p>Fitted by the empirical Bayes estimate of Zhang and Stephens (2009), with a prior on k that
 * weighs as ten draws about ½ (Vehtari et al. 2024, appendix G): no iterations, and k is finite for
 * any draws above 0.
 */
record GeneralizedPareto(double k, double sigma) {
  private static final double PRIOR = 3;
  private static final int FEWEST_POINTS = 30;
  private static final double PRIOR_DRAWS = 10;

  /**
   * Fits. Cost (30 + √N)·N logarithms.
   *
   * @param excess N excesses above 0, in ascending order. Not modified.
   * @return k is +∞ where nothing can be said
   */
  static GeneralizedPareto fit(double[] excess) {
    int size = excess.length;
    int points = FEWEST_POINTS + (int) Math.sqrt(size);
    double quartile = excess[(int) Math.floor(size / 4.0 + 0.5) - 1];
    double[] theta = new double[points];
    double[] log = new double[points];
    double most = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < points; j++) {
      theta[j] = 1 / excess[size - 1] + (1 - Math.sqrt(points / (j + 0.5))) / PRIOR / quartile;
      double k = meanLog(theta[j], excess);
      log[j] = size * (Math.log(-theta[j] / k) - k - 1);
      most = Math.max(most, log[j]);
    }
    double sum = 0;
    double mean = 0;
    for (int j = 0; j < points; j++) {
      double weight = Math.exp(log[j] - most);
      sum += weight;
      mean += weight * theta[j];
    }
    mean /= sum;
    double k = meanLog(mean, excess);
    double sigma = -k / mean;
    double shrunk = (k * size + 0.5 * PRIOR_DRAWS) / (size + PRIOR_DRAWS);
    return new GeneralizedPareto(Double.isNaN(shrunk) ? Double.POSITIVE_INFINITY : shrunk, sigma);
  }

  /** Returns the mean of log(1 − θx). */
  private static double meanLog(double theta, double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += Math.log1p(-theta * value);
    }
    return sum / x.length;
  }

  /** Returns the quantile σ((1 − p)^−k − 1)/k. */
  double quantile(double p) {
    double log = -Math.log1p(-p);
    return k == 0 ? sigma * log : sigma * Math.expm1(k * log) / k;
  }
}
