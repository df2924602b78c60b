package org.lampyris.executors.pass;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.samplers.run.BlockTerm;

/**
 * Sums a vector over all blocks in one job. The sum is taken along the tree of {@link TreeSum}, so
 * its bits do not depend on the number of partitions, on retries or on the order in which tasks
 * end.
 */
public final class BlockSum {
  /**
   * Tells a block's number in the table.
   *
   * @param <B> the kind of block
   */
  @FunctionalInterface
  public interface BlockId<B> extends Serializable {
    /** Returns the block's id. */
    long of(B block);
  }

  private BlockSum() {}

  /**
   * Returns Σ over blocks of {@code term}.
   *
   * @param blocks the blocks, spread as {@code ranges} says, ascending within a partition
   * @param ranges how the blocks are spread
   * @param length the length of the vector
   * @param term what each block adds
   */
  public static double[] over(
      JavaRDD<DataBlock> blocks, BlockRanges ranges, int length, BlockTerm<DataBlock> term) {
    return over(blocks, DataBlock::id, ranges, length, term);
  }

  /**
   * Returns Σ over blocks of {@code term}, for blocks of any kind.
   *
   * @param <B> the kind of block
   * @param blocks the blocks, spread as {@code ranges} says, ascending within a partition
   * @param id tells a block's number
   * @param ranges how the blocks are spread
   * @param length the length of the vector
   * @param term what each block adds
   */
  public static <B> double[] over(
      JavaRDD<B> blocks, BlockId<B> id, BlockRanges ranges, int length, BlockTerm<B> term) {
    List<TreeSum.Node> all = new ArrayList<>();
    for (TreeSum.Node[] share : PartitionJob.run(blocks, new Share<>(id, ranges, length, term))) {
      Collections.addAll(all, share);
    }
    return TreeSum.total(all, length);
  }

  /** A partition's share of the sum. */
  private static final class Share<B> extends PartitionJob.Task<B, TreeSum.Node[]> {
    private final BlockId<B> id;
    private final BlockRanges ranges;
    private final int length;
    private final BlockTerm<B> term;

    Share(BlockId<B> id, BlockRanges ranges, int length, BlockTerm<B> term) {
      this.id = id;
      this.ranges = ranges;
      this.length = length;
      this.term = term;
    }

    @Override
    protected TreeSum.Node[] run(int partition, Iterator<B> blocks) {
      TreeSum sum = new TreeSum(ranges.from(partition), ranges.to(partition));
      while (blocks.hasNext()) {
        B block = blocks.next();
        double[] out = new double[length];
        term.addTo(block, out);
        sum.add(id.of(block), out);
      }
      return sum.nodes().toArray(new TreeSum.Node[0]);
    }
  }
}
