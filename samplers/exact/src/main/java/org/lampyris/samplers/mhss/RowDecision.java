package org.lampyris.samplers.mhss;

import java.io.Serializable;

/**
 * Rule by which the rows that are read decide on a proposal.
 *
 * <p>Let r_n = δ_n / (c_n·M), the change of a row's remainder relative to its bound, in [−1, 1],
 * and M = M(θ, θ′). Then the points of an iteration up to the height M are, for each row,
 * Poisson(c_n·M) in number, each at a height h = uM with u uniform in [0, 1). A test turns them
 * into a factor of the acceptance ratio.
 */
public interface RowDecision extends Serializable {
  /** Begins the test of a proposal. */
  Factor begin();

  /**
   * Returns true if a proposal must pass the proxies' test first, min(1, proxies' ratio), so that
   * no row is read if it fails; false if both are combined in one ratio.
   */
  boolean proxiesFirst();

  /** Factor of the acceptance ratio from the points seen so far. */
  interface Factor {
    /**
     * Takes a point of a row into account.
     *
     * @param relative r_n, in [−1, 1]
     * @param u the point's height relative to M, in [0, 1)
     * @return false if the proposal is rejected, whatever points follow
     */
    boolean point(double relative, double u);

    /** Returns the logarithm of the factor, −∞ for a rejection. */
    double log();
  }

  /**
   * Metropolis–Hastings with scalable subsampling: numbers S_n of points are drawn together with
   * θ′, and their probabilities are part of the acceptance ratio.
   *
   * <p><b>Derivation.</b> Let S_n ~ Poisson(K_n − δ_n/2), independent, with any K_n(θ, θ′) =
   * K_n(θ′, θ) ≥ |δ_n|/2. On the way back δ_n has the other sign, so the rate of S_n is K_n +
   * δ_n/2, and
   *
   * <pre>Π_n P(S_n | θ′, θ) / P(S_n | θ, θ′)
   *   = Π_n e^{−δ_n} ((K_n + δ_n/2) / (K_n − δ_n/2))^{S_n}.</pre>
   *
   * <p>The posterior's ratio is the proxies' ratio, A, times Π_n e^{δ_n}, which cancels: with
   *
   * <pre>W = Π_n ((K_n + δ_n/2) / (K_n − δ_n/2))^{S_n}</pre>
   *
   * <p>both min(1, A·W) and min(1, A)·min(1, W) satisfy π(θ)q(θ′ | θ)P(S | θ, θ′)α(θ, θ′, S) =
   * π(θ′)q(θ | θ′)P(S | θ′, θ)α(θ′, θ, S) for every S. This is detailed balance in (θ, S), and,
   * after summing over S, in θ alone.
   *
   * <p><b>Which K_n.</b> S_n is had by thinning points of rate c_n·M, whose rows have to be
   * evaluated. As the rate K_n − δ_n/2 may be up to that for either sign of δ_n, |δ_n|/2 ≤ K_n ≤
   * c_nM − |δ_n|/2. All of these cost the same evaluations, and W varies least with the largest,
   * log W having a variance of about Σ δ_n²/K_n. So K_n = c_nM − |δ_n|/2: a point at u counts if u
   * &lt; 1 − max(0, r_n), and multiplies W by (1 − max(0, −r_n)) / (1 − max(0, r_n)). This is the
   * choice of Prado, Nemeth and Sherlock (2024), φ_n = c_nM − max(0, δ_n) in their form (γ = 0
   * there). K_n = |δ_n|/2, the least, is the {@linkplain Factorised factorised test}. Logistic, n =
   * 10,000, d = 20, order 2, Crank–Nicolson with β = 0.99: this accepts 0.928, K_n = c_nM/2 accepts
   * 0.915 and the smallest 0.854, each with 20 points an iteration.
   *
   * <p>With the proxies first, rows are read only for proposals that pass min(1, A). This loses
   * almost nothing with proxies of order 2: a random walk of step size 2.38/√d has 5.3 evaluations
   * an iteration instead of 29.6, both accepting 0.245. Proxies of order 1 do not know the
   * curvature. For a proposal that does, A and W cancel each other, and the joint ratio is needed
   * (Crank–Nicolson, β = 0.99: accepting 0.54 instead of 0.12).
   *
   * <p>Source: Prado, Nemeth and Sherlock (2024), "Metropolis–Hastings with scalable subsampling",
   * who test the proxies first; Christen and Fox (2005) for tests in two stages.
   *
   * @param proxiesFirst see {@link RowDecision#proxiesFirst}
   */
  record Scalable(boolean proxiesFirst) implements RowDecision {
    @Override
    public Factor begin() {
      return new Factor() {
        private double log;

        @Override
        public boolean point(double relative, double u) {
          if (relative < 0) {
            log += Math.log1p(relative);
          } else if (u < 1 - relative) {
            log -= Math.log1p(-relative);
          }
          return log > Double.NEGATIVE_INFINITY;
        }

        @Override
        public double log() {
          return log;
        }
      };
    }
  }

  /**
   * Scalable Metropolis–Hastings: the proposal must pass the proxies' test and a test of every row,
   * α(θ, θ′) = min(1, proxies' ratio) · Π_n min(1, e^{δ_n}).
   *
   * <p>Detailed balance holds factor by factor: min(1, a)/min(1, 1/a) = a, and the product of all
   * the a is the posterior's ratio.
   *
   * <p>The tests of the rows are passed with probability exp(−Σ_n max(0, −δ_n)): the probability
   * that no point of a Poisson process of the rates max(0, −δ_n) ≤ c_n·M falls. Those points are
   * had by thinning: a point at u is one of them if u &lt; max(0, −r_n). The first one rejects the
   * proposal, and nothing is looked at after it.
   *
   * <p>With proxies of order 1, their test and the rows' tests oppose each other, and a proposal of
   * useful length is hardly ever accepted. This test needs order 2.
   *
   * <p>Source: Cornish, Vanetti, Bouchard-Côté, Deligiannidis and Doucet (2019), equation 10 for
   * the acceptance probability and Algorithm 1 for the thinning.
   */
  record Factorised() implements RowDecision {
    @Override
    public boolean proxiesFirst() {
      return true;
    }

    @Override
    public Factor begin() {
      return new Factor() {
        private boolean rejected;

        @Override
        public boolean point(double relative, double u) {
          rejected |= u < -relative;
          return !rejected;
        }

        @Override
        public double log() {
          return rejected ? Double.NEGATIVE_INFINITY : 0;
        }
      };
    }
  }
}
