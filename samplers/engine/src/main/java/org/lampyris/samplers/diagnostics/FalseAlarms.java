package org.lampyris.samplers.diagnostics;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Limits of chance differences: if nothing differs, some comparison exceeds its limit with a
 * probability of at most {@code rate} in all (Bonferroni: each with rate/T).
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
   * Returns k with P(K &gt; k) = rate/T for Kolmogorov's K: sup|F₁ − F₂| of independent draws, m
   * and n of them, exceeds k √(1/m + 1/n) with that probability. P(K &gt; k) = 2 Σ_j (−1)^(j−1)
   * exp(−2j²k²); the first term alone has a relative error of (rate/2T)³.
   *
   * <p>Source: Smirnov (1948), "Table for estimating the goodness of fit of empirical
   * distributions", Annals of Mathematical Statistics 19(2).
   */
  public double kolmogorov() {
    return Math.sqrt(Math.log(2 / each()) / 2);
  }

  /**
   * Returns the R̂ that any of T variables of converged chains exceeds by chance with at most the
   * rate. It is √(1 + mx/ESS) for m half chains, with (m − 1)x the quantile of χ² with m − 1
   * degrees of freedom at rate/2T, as R̂ is the larger of two. The means of halves of N draws, with
   * autocorrelation time mN/ESS, have the variance m/ESS relative to the draws. R̂² − 1 is that
   * relative variance, except for terms of order 1/N. Near 1 + 15/ESS for four chains and one
   * variable at a rate of 1 in 1,000, and 1 + 22/ESS for 300 variables.
   *
   * <p>Source: Gelman and Rubin (1992), Vats and Knudson (2021) for R̂ as a function of the ESS.
   *
   * @param chains the number of chains, each of which is split
   * @param ess the effective sample size of all chains
   */
  public double rhat(int chains, double ess) {
    int halves = 2 * chains;
    double x = new FalseAlarms(rate, 2 * comparisons).chiSquared(halves - 1) / (halves - 1);
    return Math.sqrt(1 + halves / ess * x);
  }

  /** Returns x with P(χ² &gt; x) = rate/T, for a χ² with the given degrees of freedom. */
  double chiSquared(double degrees) {
    return ChiSquaredDistribution.of(degrees).inverseSurvivalProbability(each());
  }
}
