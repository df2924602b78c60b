package org.lampyris.samplers.diagnostics;

/**
 * The effective sample size S/τ of M chains of N draws, S = M·N.
 *
 * <p>With γ_t the {@linkplain Autocovariance autocovariance}, W = γ_0·N/(N − 1) the variance within
 * chains and var⁺ = γ_0 + (variance of the chains' means), the autocorrelation is ρ_t = 1 − (W −
 * γ_t)/var⁺, so chains that disagree have a small effective sample size. The autocorrelation time
 * is τ = −1 + 2 Σ ρ_t, over Geyer's initial sequence: the pairs ρ_{2k} + ρ_{2k+1} up to the first
 * that is negative, made to decrease; and the even one of the pair after, if it is positive, counts
 * once. τ is at least 1/log₁₀ S, which caps the effective sample size of antithetic chains at S
 * log₁₀ S.
 *
 * <p>Cost O(M N log N). Source: Vehtari et al. (2021), section 3.2, after Geyer (1992); where the
 * sequence is cut short and what happens to its end is as in R's posterior 1.4.0.
 */
final class EffectiveSampleSize {
  private EffectiveSampleSize() {}

  /**
   * Returns the effective sample size of chains that are split already: NaN where a draw is NaN or
   * infinite, all draws are equal, the chains have fewer than three draws, or their variance
   * overflows.
   *
   * @param chains chains × iterations. Not modified.
   */
  static double of(double[][] chains) {
    int n = chains[0].length;
    if (n < 3 || Chains.areDegenerate(chains)) {
      return Double.NaN;
    }
    double[] autocovariance = Autocovariance.average(chains);
    double within = autocovariance[0] * n / (n - 1);
    double total = autocovariance[0];
    if (chains.length > 1) {
      double[] means = new double[chains.length];
      for (int chain = 0; chain < chains.length; chain++) {
        means[chain] = Moments.mean(chains[chain]);
      }
      total += Moments.variance(means);
    }
    if (!Double.isFinite(total)) {
      return Double.NaN;
    }
    double[] rho = autocovariance;
    for (int t = 1; t < n; t++) {
      rho[t] = 1 - (within - autocovariance[t]) / total;
    }
    rho[0] = 1;
    double size = (double) n * chains.length;
    return size / Math.max(autocorrelationTime(rho), 1 / Math.log10(size));
  }

  /**
   * Returns τ.
   *
   * @param rho the autocorrelation at every lag, at least three. Modified.
   */
  private static double autocorrelationTime(double[] rho) {
    int end = initialPositive(rho);
    double even = rho[end] + rho[end + 1] >= 0 ? rho[end] : Math.max(rho[end], 0);
    for (int t = 2; t < end; t += 2) {
      if (rho[t] + rho[t + 1] > rho[t - 2] + rho[t - 1]) {
        rho[t] = (rho[t - 2] + rho[t - 1]) / 2;
        rho[t + 1] = rho[t];
      }
    }
    // The first pair counts even where it ends the sequence itself: τ is 2 then, not below the cap.
    double sum = 0;
    for (int t = 0; t < Math.max(end, 1); t++) {
      sum += rho[t];
    }
    return -1 + 2 * sum + even;
  }

  /** Returns the first lag of the pair that ends the initial sequence: even. */
  private static int initialPositive(double[] rho) {
    int t = 0;
    while (t < rho.length - 5 && rho[t] + rho[t + 1] > 0) {
      t += 2;
    }
    return t;
  }
}
