package org.lampyris.executors.firefly;

import java.io.Serializable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.executors.pass.BlockRanges;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.executors.pass.FirstBlocks;
import org.lampyris.samplers.firefly.CandidateRates;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.firefly.rates.PerRowRates;

/** The resident rows of a Firefly run: blocks with their anchors and candidate hazards. */
public final class BoundTable implements AutoCloseable {
  private final JavaRDD<BoundBlock> blocks;
  private final BlockRanges ranges;

  private BoundTable(JavaRDD<BoundBlock> blocks, BlockRanges ranges) {
    this.blocks = blocks;
    this.ranges = ranges;
  }

  /** Gives a block its anchors: sent to the executors. */
  @FunctionalInterface
  public interface AnchorRule extends Serializable {
    /** Returns the anchors of a block. */
    Anchors anchors(DataBlock block);
  }

  /**
   * Makes a table whose candidates are drawn at one rate.
   *
   * @param blocks the blocks, spread as {@code ranges} says
   * @param ranges how they are spread
   * @param rule gives a block its anchors
   */
  public static BoundTable uniform(JavaRDD<DataBlock> blocks, BlockRanges ranges, AnchorRule rule) {
    JavaRDD<BoundBlock> bound =
        blocks
            .map(block -> new BoundBlock(block, rule.anchors(block), null))
            .persist(StorageLevel.MEMORY_AND_DISK());
    bound.count();
    return new BoundTable(bound, ranges);
  }

  /**
   * Makes a table whose rows have candidate rates of their own. Their mean, which the least rate
   * goes by, is that of the {@linkplain FirstBlocks first blocks}.
   *
   * @param blocks the blocks, spread as {@code ranges} says
   * @param ranges how they are spread
   * @param rule gives a block its anchors
   * @param rates the rule for the rates
   */
  public static BoundTable perRow(
      JavaRDD<DataBlock> blocks, BlockRanges ranges, AnchorRule rule, PerRowRates rates) {
    long count = ranges.to(ranges.numPartitions() - 1);
    double[] sums =
        BlockSum.over(
            FirstBlocks.of(blocks, ranges, FirstBlocks.sample(count)),
            ranges,
            2,
            (block, out) -> {
              out[0] = rates.total(expected(block, rule, rates));
              out[1] = block.rows();
            });
    double mean = sums[0] / sums[1];
    JavaRDD<BoundBlock> bound =
        blocks
            .map(block -> rates.withHazards(expected(block, rule, rates), mean))
            .persist(StorageLevel.MEMORY_AND_DISK());
    bound.count();
    return new BoundTable(bound, ranges);
  }

  /** Returns a block that carries expected brightness in the place of hazards. */
  private static BoundBlock expected(DataBlock block, AnchorRule rule, PerRowRates rates) {
    Anchors anchors = rule.anchors(block);
    return new BoundBlock(block, anchors, rates.expectedBrightness(block, anchors));
  }

  /**
   * What a plan of execution goes by.
   *
   * @param rows how many rows there are
   * @param bytes how many bytes the rows and their anchors take
   */
  public record Size(long rows, long bytes) {}

  /** Measures the table, in one job. */
  public Size size() {
    double[] sums =
        BlockSum.over(
            blocks,
            BoundBlock::id,
            ranges,
            2,
            (block, out) -> {
              out[0] = block.data().rows();
              out[1] = block.data().packedBytes() + block.anchors().packedBytes();
            });
    return new Size((long) sums[0], (long) sums[1]);
  }

  /**
   * Returns Σ −log(1 − q_n) over all rows, about the number of candidates an iteration; one job.
   *
   * @param rates the rates of candidates
   */
  public double hazard(CandidateRates rates) {
    return BlockSum.over(
        blocks,
        BoundBlock::id,
        ranges,
        1,
        (block, out) -> out[0] = rates.hazardTo(block, block.data().rows() - 1))[0];
  }

  /** Returns the blocks. */
  JavaRDD<BoundBlock> blocks() {
    return blocks;
  }

  /** Returns how they are spread. */
  BlockRanges ranges() {
    return ranges;
  }

  @Override
  public void close() {
    blocks.unpersist();
  }
}
