package org.lampyris.samplers.diagnostics;

/**
 * Difference of one variable's distribution from a reference run's: figures near 0 if both runs
 * sample one distribution, each with its Monte-Carlo error. NaN where one is not defined: see
 * {@link Diagnostics}.
 *
 * @param mean the difference of the means, in sds of the reference
 * @param meanError its standard error, of both runs
 * @param logSd the natural logarithm of the ratio of the sds
 * @param logSdError its standard error, of both runs, by the delta method
 * @param distance Kolmogorov's distance, sup |F₁ − F₂|
 * @param distanceScale √(1/m + 1/n), m and n the {@link Marginal#size} of both: by chance, the
 *     distance is that times Kolmogorov's K
 */
public record MarginalDifference(
    double mean,
    double meanError,
    double logSd,
    double logSdError,
    double distance,
    double distanceScale) {

  /** Returns how far a run's distribution is from the reference's. */
  public static MarginalDifference of(Marginal reference, Marginal run) {
    VariableSummary a = reference.summary();
    VariableSummary b = run.summary();
    return new MarginalDifference(
        (b.mean() - a.mean()) / a.sd(),
        Math.hypot(a.mixing().mcseMean(), b.mixing().mcseMean()) / a.sd(),
        Math.log(b.sd() / a.sd()),
        Math.hypot(a.mixing().mcseSd() / a.sd(), b.mixing().mcseSd() / b.sd()),
        reference.distance(run),
        Math.sqrt(1 / reference.size() + 1 / run.size()));
  }

  /** Returns whether the means differ beyond chance; undefined values count as different. */
  public boolean meansDiffer(FalseAlarms chance) {
    return !(Math.abs(mean) <= chance.sigmas() * meanError);
  }

  /** Returns whether the sds differ beyond chance; undefined values count as different. */
  public boolean sdsDiffer(FalseAlarms chance) {
    return !(Math.abs(logSd) <= chance.sigmas() * logSdError);
  }

  /**
   * Returns whether the distributions differ beyond chance; undefined values count as different.
   */
  public boolean distributionsDiffer(FalseAlarms chance) {
    return !(distance <= distanceLimit(chance));
  }

  /** Returns the value that the distance exceeds by chance at the rate of false alarms. */
  public double distanceLimit(FalseAlarms chance) {
    return chance.kolmogorov() * distanceScale;
  }

  /** Returns the largest of the three, as a multiple of its limit; infinite if one is undefined. */
  public double largest(FalseAlarms chance) {
    double largest =
        Math.max(
            Math.max(Math.abs(mean) / meanError, Math.abs(logSd) / logSdError) / chance.sigmas(),
            distance / distanceLimit(chance));
    return Double.isNaN(largest) ? Double.POSITIVE_INFINITY : largest;
  }
}
