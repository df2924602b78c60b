package org.lampyris.samplers.mhss;

import java.io.Serializable;

/**
 * How the rows that are looked at decide on a proposal.
 *
 * <p>With r_n = δ_n / (c_n·M), the change of a row's remainder relative to its bound, in [−1, 1],
 * and M = M(θ, θ′), the points of an iteration up to the height M are, for each row, Poisson(c_n·M)
 * in number, each at a height h = uM with u uniform in [0, 1). A test turns them into a factor of
 * the acceptance ratio.
 */
public interface RowDecision extends Serializable {
  /** Begins the test of a proposal. */
  Factor begin();

  /**
   * Returns true if a proposal has to pass the test of the proxies first, min(1, proxies' ratio),
   * so that no row is looked at if it does not; false if one ratio is made of both.
   */
  boolean proxiesFirst();

  /** What the points seen so far make of the acceptance ratio. */
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
}
