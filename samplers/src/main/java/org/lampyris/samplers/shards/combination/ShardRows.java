package org.lampyris.samplers.shards.combination;

import java.util.List;

/** The rows, for combinations that go back to them. */
public interface ShardRows {
  /**
   * Draws from tilted subposteriors, f_s(t)·exp(−½ tᵀQt + rᵀt): a task a shard.
   *
   * @param tilts of every shard, a list of chains; all shards have equally many
   * @param warmup how many iterations go before the draws
   * @param draws how many draws of each chain are returned
   * @param round a number that no other call has: the draws depend on it
   * @return shards × chains × draws × d
   */
  double[][][][] tilted(List<List<Tilt>> tilts, int warmup, int draws, int round);

  /**
   * Returns log p(θ) + Σ_n log L_n(θ) over all rows, up to a constant, at points: one pass. Not
   * modified.
   */
  double[] logPosterior(double[][] thetas);

  /**
   * A Gaussian factor, and where a chain begins.
   *
   * @param precision Q, row-major d × d
   * @param shift r
   * @param start where the chain begins
   */
  record Tilt(double[] precision, double[] shift, double[] start) implements java.io.Serializable {}
}
