package org.lampyris.samplers.minibatch;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;

/**
 * Test whether means of batches are normal, so that {@link StudentDecision} errs as rarely as it
 * promises: t = (v̄ − μ)/s of batches of m rows, with the known mean μ of all rows, should follow
 * Student's t with m − 1 degrees of freedom. Kolmogorov–Smirnov, two-sided.
 *
 * <p>Source: Korattikara, Chen and Welling (2014), section 5; Chen, Mansinghka and Ghahramani
 * (2014), section 3.3.
 */
public final class BatchNormality {
  /** Number of batches of a pair (θ, θ′) that are compared. */
  public static final int BATCHES = 400;

  /** Number of pairs that are compared. */
  public static final int PAIRS = 4;

  /** The probability of a false alarm, for all pairs together. */
  private static final double FALSE_ALARM = 0.001;

  private BatchNormality() {}

  /**
   * Returns the p-value of the batches of a pair; 0 if a batch has no variance.
   *
   * @param batches of m rows each, drawn without replacement
   * @param mean μ
   * @param rows N
   */
  public static double pValue(List<BatchMoments> batches, double mean, long rows) {
    double[] t =
        batches.stream()
            .mapToDouble(seen -> (seen.mean() - mean) / seen.standardError(rows))
            .toArray();
    for (double one : t) {
      if (!Double.isFinite(one)) {
        return 0;
      }
    }
    return KolmogorovSmirnovTest.withDefaults()
        .test(t, TDistribution.of(batches.get(0).count() - 1.0)::cumulativeProbability)
        .getPValue();
  }

  /** Returns whether the least p-value of {@link #PAIRS} pairs is a reason for a warning. */
  public static boolean isAlarm(double leastP) {
    return leastP < FALSE_ALARM / PAIRS;
  }
}
