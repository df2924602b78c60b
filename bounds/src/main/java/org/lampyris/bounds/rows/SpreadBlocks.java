package org.lampyris.bounds.rows;

import java.io.Serializable;

/**
 * Sample of blocks spread evenly over the table. Rows are in the order of the input, so its first
 * blocks may differ from the others. Block b is one of m of n if ⌊(b + 1) m/n⌋ is above ⌊b m/n⌋.
 *
 * @param blocks n, at least 1
 * @param wanted m, at most n
 */
public record SpreadBlocks(long blocks, long wanted) implements Serializable {
  /** Takes all blocks if fewer exist than wanted. */
  public SpreadBlocks {
    wanted = Math.min(blocks, wanted);
  }

  /** Returns whether a block is in the sample. */
  public boolean has(long block) {
    return before(block + 1) > before(block);
  }

  /** Returns the number of sampled blocks before a block. */
  public long before(long block) {
    return Math.multiplyExact(block, wanted) / blocks;
  }

  /** Returns their ids from one block up to another. */
  public long[] between(long from, long to) {
    long first = before(from);
    long[] ids = new long[Math.toIntExact(before(Math.min(to, blocks)) - first)];
    for (int k = 0; k < ids.length; k++) {
      // The least b with (b + 1) m/n of at least first + k + 1.
      ids[k] = -Math.floorDiv(-Math.multiplyExact(first + k + 1, blocks), wanted) - 1;
    }
    return ids;
  }
}
