package org.lampyris.samplers.diagnostics;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * R̂, effective sample sizes and Monte-Carlo standard errors of one variable.
 *
 * <p>Every method takes the variable's draws as {@code double[chains][iterations]}, warm-up left
 * out, does not modify them, and throws {@link IllegalArgumentException} if there are none or the
 * chains differ in length. Chains are split into halves, so that one chain that drifts is noticed.
 *
 * <p>NaN means "not defined": with a NaN among the draws, with draws that are all equal (within
 * 2⁻⁵², an absolute tolerance), with fewer than four (R̂) or six (ESS) draws a chain, and, for
 * figures that do not use ranks, with an infinite draw. A chain that never moved where others did
 * is no such case: it shows as a large R̂, infinite if no chain moved. A comparison with a
 * threshold must therefore be written such that NaN fails it.
 *
 * <p>The numbers equal those of R's posterior 1.4.0, except in two cases that deviate from the
 * definition. It gives R̂ and ESS for chains of two or three draws, by taking chains for
 * iterations, and a very large R̂, from rounding, instead of an infinite one.
 *
 * <p>Cost O(S log S) for S draws in all. Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner
 * (2021), "Rank-normalization, folding, and localization: an improved R̂ for assessing convergence
 * of MCMC", Bayesian Analysis 16(2).
 */
public final class Diagnostics {
  /** Φ(−1) and Φ(1) to the digits of the reference: one standard error to either side. */
  private static final double ONE_SD_BELOW = 0.1586553;

  private static final double ONE_SD_ABOVE = 0.8413447;

  private Diagnostics() {}

  /**
   * Returns R̂, the larger of two rank-normalised split R̂: of the draws, which detects chains that
   * differ in location, and of the draws folded about their median, which detects chains that
   * differ in scale. Near 1 at convergence; above 1.01 the chains do not agree.
   */
  public static double rhat(double[][] draws) {
    Ranks ranks = new Ranks(draws);
    return ranks.rhat(ranks.bulkScores());
  }

  /** Returns the effective sample size of the rank-normalised draws, for measures of location. */
  public static double essBulk(double[][] draws) {
    return EffectiveSampleSize.of(new Ranks(draws).bulkScores());
  }

  /** Returns the smaller one of the effective sample sizes of the 5 % and the 95 % quantile. */
  public static double essTail(double[][] draws) {
    return new Ranks(draws).essTail();
  }

  /** Returns the effective sample size for the mean, which exists if the variance does. */
  public static double essMean(double[][] draws) {
    return CentredDraws.of(draws).ess();
  }

  /** Returns the effective sample size for the standard deviation: the ESS of |x − mean|. */
  public static double essSd(double[][] draws) {
    return EffectiveSampleSize.of(
        SplitChains.of(Chains.map(CentredDraws.of(draws).deviations(), Math::abs)));
  }

  /**
   * Returns the effective sample size for a quantile: the ESS of the indicator of x ≤ quantile.
   *
   * @param draws chains × iterations. Not modified.
   * @param probability in [0, 1]; 1 stands for 1 − 1/(2S)
   */
  public static double essQuantile(double[][] draws, double probability) {
    requireProbability(probability);
    return new Ranks(draws).essQuantile(probability);
  }

  /** Returns the Monte-Carlo standard error of the mean: sd/√ESS. */
  public static double mcseMean(double[][] draws) {
    return CentredDraws.of(draws).mcseMean();
  }

  /** Returns the Monte-Carlo standard error of the standard deviation, by the delta method. */
  public static double mcseSd(double[][] draws) {
    return CentredDraws.of(draws).mcseSd();
  }

  /**
   * Returns the Monte-Carlo standard error of a quantile: half the distance between the order
   * statistics that enclose the quantile with probability 0.68, given its effective sample size.
   *
   * <p>Source: Vehtari et al. (2021), section 4.4.
   *
   * @param draws chains × iterations. Not modified.
   * @param probability in [0, 1]
   */
  public static double mcseQuantile(double[][] draws, double probability) {
    requireProbability(probability);
    return mcseQuantile(new Ranks(draws), probability);
  }

  /** Returns {@link #mcseQuantile(double[][], double)} of draws that have been ranked. */
  static double mcseQuantile(Ranks ranks, double probability) {
    double ess = ranks.essQuantile(probability);
    if (Double.isNaN(ess)) {
      return Double.NaN;
    }
    double[] sorted = ranks.ascending();
    BetaDistribution beta = BetaDistribution.of(ess * probability + 1, ess * (1 - probability) + 1);
    // Which order statistic a Beta quantile falls on is found on the distribution function itself:
    // its numerical inverse, good to 1e-9, misses by one now and then where S is in the millions.
    int size = sorted.length;
    DoubleUnaryOperator share = k -> beta.cumulativeProbability(k / size);
    int low = RankedDraws.first(size, k -> share.applyAsDouble(k) > ONE_SD_BELOW) - 1;
    int high = RankedDraws.first(size, k -> share.applyAsDouble(k) >= ONE_SD_ABOVE);
    return (sorted[high - 1] - sorted[Math.max(low, 1) - 1]) / 2;
  }

  private static void requireProbability(double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability " + probability + " is not in [0, 1]");
    }
  }
}
