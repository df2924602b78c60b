package org.lampyris.samplers.shards.combination;

import java.util.Arrays;

/**
 * Draws of every shard's subposterior, all equally many.
 *
 * @param draws shards × chains × draws × d; not copied
 */
public record Subposteriors(double[][][][] draws) {
  /** Returns S. */
  public int shards() {
    return draws.length;
  }

  /** Returns how many chains every shard has. */
  public int chains() {
    return draws[0].length;
  }

  /** Returns how many draws a chain has. */
  public int perChain() {
    return draws[0][0].length;
  }

  /** Returns d. */
  public int dimension() {
    return draws[0][0][0].length;
  }

  /**
   * Returns the draws of a shard, from 0, chain after chain: draws × d; the draws are not copied.
   */
  public double[][] pooled(int shard) {
    return Arrays.stream(draws[shard]).flatMap(Arrays::stream).toArray(double[][]::new);
  }
}
