package org.lampyris.executors.jobs;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;
import org.lampyris.samplers.run.BlockTerm;

/**
 * Sums a vector over all blocks in one job. The sum is taken along the tree of {@link TreeSum}, so
 * its bits do not depend on the number of partitions, retries or the order in which tasks end.
 */
public final class BlockSum {
  /** Function from a block to its number in the table. */
  @FunctionalInterface
  public interface BlockId<B> extends Serializable {
    /** Returns the block's id. */
    long of(B block);
  }

  /** The consecutive blocks {@code from … to − 1}. */
  public record Run(long from, long to) {
    boolean has(long block) {
      return from <= block && block < to;
    }
  }

  /** Runs of consecutive blocks in each partition. */
  public interface Spread extends Serializable {
    /**
     * Returns a run that contains a block: all its blocks are in this partition, in ascending
     * order, or not in the table at all.
     */
    Run run(int partition, long block);
  }

  private BlockSum() {}

  /** Returns Σ over blocks of rows of {@code term}. */
  public static double[] over(
      JavaRDD<DataBlock> blocks, Spread spread, int length, BlockTerm<DataBlock> term) {
    return over(blocks, DataBlock::id, spread, length, term);
  }

  /**
   * Returns Σ over blocks of {@code term}, for blocks of any kind.
   *
   * @param blocks the blocks, spread as {@code spread} says
   * @param term what each block adds
   */
  public static <B> double[] over(
      JavaRDD<B> blocks, BlockId<B> id, Spread spread, int length, BlockTerm<B> term) {
    List<TreeSum.Node> all = new ArrayList<>();
    for (TreeSum.Node[] share : PartitionJob.run(blocks, new Share<>(id, spread, length, term))) {
      Collections.addAll(all, share);
    }
    return TreeSum.total(all, length);
  }

  /** A partition's share of the sum. */
  private record Share<B>(BlockId<B> id, Spread spread, int length, BlockTerm<B> term)
      implements PartitionJob.Task<B, TreeSum.Node[]> {
    @Override
    public TreeSum.Node[] run(int partition, Iterator<B> blocks) {
      List<TreeSum.Node> nodes = new ArrayList<>();
      Run run = new Run(0, 0);
      TreeSum sum = new TreeSum(0, 0);
      while (blocks.hasNext()) {
        B block = blocks.next();
        long number = id.of(block);
        if (!run.has(number)) {
          nodes.addAll(sum.nodes());
          run = spread.run(partition, number);
          sum = new TreeSum(run.from(), run.to());
        }
        double[] out = new double[length];
        term.addTo(block, out);
        sum.add(number, out);
      }
      nodes.addAll(sum.nodes());
      return nodes.toArray(new TreeSum.Node[0]);
    }
  }
}
