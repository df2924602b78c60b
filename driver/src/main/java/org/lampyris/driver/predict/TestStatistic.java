package org.lampyris.driver.predict;

/**
 * Test statistic T(y) of the observed table with its replicates T(y_rep), y_rep drawn from the
 * posterior predictive distribution. Source: Gelman, Meng and Stern (1996).
 *
 * @param kind what it is sensitive to
 * @param name what it is, in words
 * @param observed T(y)
 * @param mean mean of T(y_rep)
 * @param low 2.5 % quantile of T(y_rep)
 * @param high 97.5 % quantile
 * @param p posterior predictive p-value, two-sided: twice the smaller of the shares of tables (the
 *     observed one among them) with T at most, and at least, T(y); at most 1
 */
public record TestStatistic(
    Kind kind, String name, double observed, double mean, double low, double high, double p) {
  /**
   * Aspect of the model that a statistic tests. Each kind is tested once, whatever it has
   * statistics of.
   */
  public enum Kind {
    /** Means over groups of rows: curves, interactions, levels that are missing. */
    MEANS,
    /** The mean of squared standardised residuals. */
    SCATTER,
    /** The number of rows with responses of certain sizes. */
    DISTRIBUTION,
    /** The smallest and the largest response. */
    EXTREMES
  }
}
