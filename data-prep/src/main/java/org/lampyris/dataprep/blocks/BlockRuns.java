package org.lampyris.dataprep.blocks;

import org.apache.spark.Partitioner;
import org.lampyris.executors.jobs.BlockSum;

/**
 * Partitioner of blocks in aligned runs of 2^level consecutive ids, so that the sum over a
 * partition is a single node of the tree over block ids. Keys are {@link Long}s, as many in a row
 * to a block as it says: the ranks of rows, or the ids of blocks.
 */
public final class BlockRuns extends Partitioner implements BlockSum.Spread {
  private final long blocks;
  private final int keys;
  private final int level;

  /**
   * Plans the spread.
   *
   * @param blocks how many blocks there are, at least one
   * @param keys how many keys a block has
   * @param wanted about how many partitions are wanted; up to twice as many are made
   */
  BlockRuns(long blocks, int keys, long wanted) {
    this.blocks = blocks;
    this.keys = keys;
    level = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, blocks / Math.max(1, wanted)));
  }

  /** Returns the number of blocks. */
  public long blocks() {
    return blocks;
  }

  @Override
  public BlockSum.Run run(int partition, long block) {
    return new BlockSum.Run((long) partition << level, (partition + 1L) << level);
  }

  @Override
  public int numPartitions() {
    return Math.toIntExact(((blocks - 1) >>> level) + 1);
  }

  @Override
  public int getPartition(Object key) {
    return (int) (((Long) key / keys) >>> level);
  }
}
