package org.lampyris.samplers.minibatch;

/**
 * The empirical Bernstein–Serfling bound: of t values drawn without replacement from N that lie in
 * an interval of length b − a, the mean exceeds the mean of all by more than
 *
 * <pre>c = σ̂_t √(2ρ_t log(5/δ)/t) + κ(b − a) log(5/δ)/t</pre>
 *
 * <p>with a probability of at most δ, and falls short of it likewise. Here κ = 7/3 + 3/√2, ρ_t = 1
 * − (t − 1)/N for t ≤ N/2 and (1 − t/N)(1 + 1/t) from there on, and σ̂_t² has the divisor t.
 *
 * <p>Source: Bardenet and Maillard (2015), "Concentration inequalities for sampling without
 * replacement", Theorem 4.3.
 */
final class ConcentrationBound {
  private static final double KAPPA = 7.0 / 3 + 3 / Math.sqrt(2);

  private ConcentrationBound() {}

  /** Returns c. */
  static double of(long t, long rows, double sd, double range, double delta) {
    double log = Math.log(5 / delta);
    double share = (double) t / rows;
    double rho = share <= 0.5 ? 1 - (t - 1.0) / rows : (1 - share) * (1 + 1.0 / t);
    return sd * Math.sqrt(2 * rho * log / t) + KAPPA * range * log / t;
  }
}
