package org.lampyris.executors.jobs;

import org.apache.spark.Partitioner;

/**
 * Partitioner of the blocks 0 … blocks − 1: each partition has a run of consecutive ids, and the
 * runs differ in length by at most one.
 */
public final class BlockRanges extends Partitioner implements BlockSum.Spread {
  private final long blocks;
  private final int partitions;

  /**
   * Plans the spread.
   *
   * @param blocks how many blocks the table has, at least one
   * @param partitions how many partitions are wanted; never more than {@code blocks} are made
   */
  public BlockRanges(long blocks, int partitions) {
    if (blocks < 1 || partitions < 1) {
      throw new IllegalArgumentException(blocks + " blocks over " + partitions + " partitions");
    }
    this.blocks = blocks;
    this.partitions = (int) Math.min(blocks, partitions);
  }

  /** Returns the first block of a partition. */
  public long from(int partition) {
    return Math.multiplyExact(blocks, (long) partition) / partitions;
  }

  /** Returns the block after the last one of a partition. */
  public long to(int partition) {
    return from(partition + 1);
  }

  @Override
  public BlockSum.Run run(int partition, long block) {
    return new BlockSum.Run(from(partition), to(partition));
  }

  @Override
  public int numPartitions() {
    return partitions;
  }

  /** Returns the partition of a block. The key is the block's id, a {@link Long}. */
  @Override
  public int getPartition(Object key) {
    long id = (Long) key;
    int guess = (int) Math.min(partitions - 1L, id * partitions / blocks);
    while (id >= to(guess)) {
      guess++;
    }
    while (id < from(guess)) {
      guess--;
    }
    return guess;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockRanges that
        && that.blocks == blocks
        && that.partitions == partitions;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(blocks) * 31 + partitions;
  }
}
