package org.lampyris.samplers.diagnostics;

/**
 * The effective sample size S/τ of M chains of N draws, S = M·N.
 *
 * <p>Let γ_t be the {@linkplain Autocovariance autocovariance}, W = γ_0·N/(N − 1) the variance
 * within chains and var⁺ = γ_0 + (variance of the chains' means). The autocorrelation is ρ_t = 1 −
 * (W − γ_t)/var⁺, so chains that disagree have a small effective sample size. The autocorrelation
 * time is τ = −1 + 2 Σ ρ_t, over Geyer's initial sequence: the pairs ρ_{2k} + ρ_{2k+1} up to the
 * first negative one, made to decrease. The even term of the next pair, if positive, counts once. τ
 * is at least 1/log₁₀ S, which caps the ESS of antithetic chains at S log₁₀ S.
 *
 * <p>Cost O(M N) where the sequence is short, O(M N log N) at most. Source: Vehtari et al. (2021),
 * section 3.2, after Geyer (1992); where the sequence is cut short and what happens to its end is
 * as in R's posterior 1.4.0.
 */
final class EffectiveSampleSize {
  /**
   * Number of lags that are summed before all of them are transformed: a third of the transform's
   * cost.
   */
  static final int SUMMED_LAGS = 1 + 12 * Autocovariance.BATCH;

  private EffectiveSampleSize() {}

  /**
   * Returns the effective sample size of split chains: NaN if a draw is NaN or infinite, all draws
   * are equal, the chains have fewer than three draws, or their variance overflows.
   */
  static double of(SplitChains chains) {
    int n = chains.length();
    if (n < 3 || chains.degenerate()) {
      return Double.NaN;
    }
    Autocovariance autocovariance = new Autocovariance(chains);
    double variance = autocovariance.variance();
    double total = variance;
    int count = chains.means().length;
    if (count > 1) {
      total += DrawMoments.variance(chains.means());
    }
    if (!Double.isFinite(total)) {
      return Double.NaN;
    }
    Correlogram rho = new Correlogram(autocovariance, n, variance * n / (n - 1), total);
    double size = (double) n * count;
    return size / Math.max(autocorrelationTime(rho), 1 / Math.log10(size));
  }

  /** Autocorrelation ρ_t at every requested lag. */
  private static final class Correlogram {
    private final Autocovariance autocovariance;
    private final double within;
    private final double total;
    private final double[] rho;
    private int known = 1;

    Correlogram(Autocovariance autocovariance, int length, double within, double total) {
      this.autocovariance = autocovariance;
      this.within = within;
      this.total = total;
      rho = new double[length];
      rho[0] = 1;
    }

    /** Returns the first lag of the pair that ends the initial sequence: even. */
    int initialPositive() {
      int t = 0;
      while (t < rho.length - 5 && pair(t) > 0) {
        t += 2;
      }
      return t;
    }

    /** Returns ρ_t + ρ_{t+1}. */
    double pair(int t) {
      return at(t) + at(t + 1);
    }

    double at(int t) {
      while (t >= known) {
        int first = known;
        if (known < SUMMED_LAGS) {
          autocovariance.sum(known, rho);
          known = Math.min(rho.length, known + Autocovariance.BATCH);
        } else {
          autocovariance.transform(known, rho);
          known = rho.length;
        }
        for (int i = first; i < known; i++) {
          rho[i] = 1 - (within - rho[i]) / total;
        }
      }
      return rho[t];
    }

    /** Replaces ρ_t and ρ_{t+1} by the mean of the pair before if their sum is larger. */
    void lower(int t) {
      if (pair(t) > pair(t - 2)) {
        rho[t] = pair(t - 2) / 2;
        rho[t + 1] = rho[t];
      }
    }
  }

  /** Returns τ. The autocorrelation, at least three lags, is modified. */
  private static double autocorrelationTime(Correlogram rho) {
    int end = rho.initialPositive();
    double even = rho.pair(end) >= 0 ? rho.at(end) : Math.max(rho.at(end), 0);
    for (int t = 2; t < end; t += 2) {
      rho.lower(t);
    }
    // The first pair counts even where it ends the sequence itself: τ is 2 then, not below the cap.
    double sum = 0;
    for (int t = 0; t < Math.max(end, 1); t++) {
      sum += rho.at(t);
    }
    return -1 + 2 * sum + even;
  }
}
