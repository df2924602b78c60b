package org.lampyris.samplers.diagnostics;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * How large differences grow by chance: of all comparisons together, where nothing differs, one is
 * beyond its limit with a probability of at most {@code rate} (Bonferroni: each with rate/T).
 *
 * @param rate the chance of any false alarm, in (0, 1)
 * @param comparisons T, how many there are
 */
public record FalseAlarms(double rate, int comparisons) {
  private double each() {
    return rate / comparisons;
  }

  /** Returns z with P(|Z| &gt; z) = rate/T for a standard normal Z: a limit in standard errors. */
  public double sigmas() {
    return NormalDistribution.of(0, 1).inverseSurvivalProbability(each() / 2);
  }

  /**
   * Returns k with P(K &gt; k) = rate/T for Kolmogorov's K: sup|F₁ − F₂| of independent draws, m of
   * one and n of the other, is beyond k √(1/m + 1/n) that often. P(K &gt; k) = 2 Σ_j (−1)^(j−1)
   * exp(−2j²k²), of which the first term alone is right to a relative (rate/2T)³.
   *
   * <p>Source: Smirnov (1948), "Table for estimating the goodness of fit of empirical
   * distributions", Annals of Mathematical Statistics 19(2).
   */
  public double kolmogorov() {
    return Math.sqrt(Math.log(2 / each()) / 2);
  }

  /** Returns x with P(χ² &gt; x) = rate/T, for a χ² of so many degrees of freedom. */
  double chiSquared(double degrees) {
    return ChiSquaredDistribution.of(degrees).inverseSurvivalProbability(each());
  }
}
