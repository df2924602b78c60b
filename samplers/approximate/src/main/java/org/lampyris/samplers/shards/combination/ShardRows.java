package org.lampyris.samplers.shards.combination;

import java.io.Serializable;
import java.util.List;

/** The rows, for combinations that go back to them. */
public interface ShardRows {
  /**
   * Draws from tilted subposteriors, f_s(t)·exp(−½ tᵀQt + rᵀt): a task for some chains of a shard.
   *
   * @param shards the tilts of every shard
   * @param warmup how many iterations go before the draws
   * @param draws how many draws of each chain are returned
   * @param round from 1; a number that no other call has, which the draws depend on
   * @return shards × chains × draws × d
   */
  double[][][][] tilted(List<Tilts> shards, int warmup, int draws, int round);

  /**
   * Draws from the posterior by Metropolis–Hastings on all rows, with proposals from N(mean, Σ).
   *
   * @param covariance Σ, row-major d × d
   */
  Combination.Combined corrected(double[] mean, double[] covariance);

  /** Returns log p(θ) + Σ_n log L_n(θ) over all rows, natural log; −∞ outside of the support. */
  double[] logPosteriors(double[][] thetas);

  /**
   * The chains of a shard.
   *
   * @param precision Q of all chains, row-major d × d; not copied
   * @param covariance of a normal approximation of the tilted densities; not copied
   * @param shifts r of each chain
   * @param starts where each chain begins
   */
  record Tilts(
      double[] precision, double[] covariance, List<double[]> shifts, List<double[]> starts)
      implements Serializable {
    /** Copies the lists. */
    public Tilts {
      shifts = List.copyOf(shifts);
      starts = List.copyOf(starts);
    }
  }
}
