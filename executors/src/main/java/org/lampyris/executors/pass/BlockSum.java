package org.lampyris.executors.pass;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.TreeSum;

/**
 * Sums a vector over all blocks in one job. The sum is taken along the tree of {@link TreeSum}, so
 * its bits do not depend on the number of partitions, on retries or on the order in which tasks
 * end.
 */
public final class BlockSum {

  /**
   * Computes a block's share of the sum: a pure function, sent to the executors.
   *
   * @param <B> the kind of block
   */
  @FunctionalInterface
  public interface Term<B> extends Serializable {
    /**
     * Adds the block's share.
     *
     * @param block the block
     * @param out zeros. Modified.
     */
    void addTo(B block, double[] out);
  }

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
      JavaRDD<DataBlock> blocks, BlockRanges ranges, int length, Term<DataBlock> term) {
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
      JavaRDD<B> blocks, BlockId<B> id, BlockRanges ranges, int length, Term<B> term) {
    JavaRDD<TreeSum.Node[]> nodes =
        blocks.mapPartitionsWithIndex(
            (partition, iterator) -> {
              TreeSum sum = new TreeSum(ranges.from(partition), ranges.to(partition));
              while (iterator.hasNext()) {
                B block = iterator.next();
                double[] out = new double[length];
                term.addTo(block, out);
                sum.add(id.of(block), out);
              }
              return List.<TreeSum.Node[]>of(sum.nodes().toArray(new TreeSum.Node[0])).iterator();
            },
            true);
    List<TreeSum.Node> all = new ArrayList<>();
    nodes.collect().forEach(share -> Collections.addAll(all, share));
    return TreeSum.total(all, length);
  }
}
