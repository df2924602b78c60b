package org.lampyris.executors.pass;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
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

  /** Computes a block's share of the sum: a pure function, sent to the executors. */
  @FunctionalInterface
  public interface Term extends Serializable {
    /**
     * Adds the block's share.
     *
     * @param block the block
     * @param out zeros. Modified.
     */
    void addTo(DataBlock block, double[] out);
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
      JavaRDD<DataBlock> blocks, BlockRanges ranges, int length, Term term) {
    JavaRDD<ArrayList<TreeSum.Node>> nodes =
        blocks.mapPartitionsWithIndex(
            (partition, iterator) -> {
              TreeSum sum = new TreeSum(ranges.from(partition), ranges.to(partition));
              while (iterator.hasNext()) {
                DataBlock block = iterator.next();
                double[] out = new double[length];
                term.addTo(block, out);
                sum.add(block.id(), out);
              }
              Iterator<ArrayList<TreeSum.Node>> one =
                  List.of(new ArrayList<>(sum.nodes())).iterator();
              return one;
            },
            true);
    List<TreeSum.Node> all = new ArrayList<>();
    nodes.collect().forEach(all::addAll);
    return TreeSum.total(all, length);
  }
}
