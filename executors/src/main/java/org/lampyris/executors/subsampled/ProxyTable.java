package org.lampyris.executors.subsampled;

import java.util.Arrays;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.proxy.TaylorProxy;
import org.lampyris.executors.pass.BlockRanges;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.samplers.subsampled.ProxyBlock;

/**
 * The resident rows of a run by Taylor proxies: blocks with the constants of their rows, and what
 * the proxies collapse to.
 */
public final class ProxyTable implements AutoCloseable {
  private final JavaRDD<ProxyBlock> blocks;
  private final BlockRanges ranges;
  private final CollapsedQuadratic collapsed;
  private final Size size;

  /**
   * What a plan of execution goes by.
   *
   * @param rows how many rows there are
   * @param total Σ_n c_n
   * @param bytes how many bytes the rows and their constants take
   */
  public record Size(long rows, double total, long bytes) {}

  /**
   * Computes the constants and collapses the proxies, in two jobs.
   *
   * @param data the blocks, spread as {@code ranges} says
   * @param ranges how they are spread
   * @param proxy the rows' proxies
   */
  public ProxyTable(JavaRDD<DataBlock> data, BlockRanges ranges, TaylorProxy proxy) {
    this.ranges = ranges;
    this.blocks =
        data.map(block -> ProxyBlock.of(proxy, block)).persist(StorageLevel.MEMORY_AND_DISK());
    int packed = CollapsedQuadratic.packedLength(proxy.dimension());
    double[] sums =
        BlockSum.over(
            blocks,
            ProxyBlock::id,
            ranges,
            packed + 3,
            (block, out) -> {
              CollapsedQuadratic sum = proxy.emptySum();
              proxy.collapse(block.data(), sum);
              System.arraycopy(sum.packed(), 0, out, 0, packed);
              out[packed] = block.data().rows();
              out[packed + 1] = block.total();
              out[packed + 2] = block.data().packedBytes() + 8.0 * block.data().rows();
            });
    this.collapsed = new CollapsedQuadratic(proxy.emptySum().origin(), Arrays.copyOf(sums, packed));
    this.size = new Size((long) sums[packed], sums[packed + 1], (long) sums[packed + 2]);
  }

  /** Returns Σ_n T_n. */
  public CollapsedQuadratic collapsed() {
    return collapsed;
  }

  /** Returns how large the table is. */
  public Size size() {
    return size;
  }

  JavaRDD<ProxyBlock> blocks() {
    return blocks;
  }

  BlockRanges ranges() {
    return ranges;
  }

  @Override
  public void close() {
    blocks.unpersist(false);
  }
}
