package org.lampyris.dataprep.prepare;

import org.apache.spark.Partitioner;

/**
 * Spreads blocks over partitions in aligned runs of 2^level consecutive ids, so that the sum over a
 * partition is a single node of the tree over block ids. The key is the rank of a row, a {@link
 * Long}.
 */
final class BlockRuns extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final long blocks;
  private final int blockRows;
  private final int level;

  /**
   * Plans the spread.
   *
   * @param rows how many rows there are, at least one
   * @param blockRows rows per block
   * @param wanted about how many partitions are wanted; up to twice as many are made
   */
  BlockRuns(long rows, int blockRows, long wanted) {
    this.blocks = (rows + blockRows - 1) / blockRows;
    this.blockRows = blockRows;
    level = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, blocks / Math.max(1, wanted)));
  }

  long blocks() {
    return blocks;
  }

  int blockRows() {
    return blockRows;
  }

  /** Returns the first block of a partition. */
  long from(int partition) {
    return (long) partition << level;
  }

  /** Returns the block after the last one of a partition's run, whether it exists or not. */
  long to(int partition) {
    return (partition + 1L) << level;
  }

  @Override
  public int numPartitions() {
    return Math.toIntExact(((blocks - 1) >>> level) + 1);
  }

  @Override
  public int getPartition(Object rank) {
    return (int) (((Long) rank / blockRows) >>> level);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockRuns that
        && that.blocks == blocks
        && that.blockRows == blockRows
        && that.level == level;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(blocks) * 31 + level;
  }
}
