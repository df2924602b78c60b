package org.lampyris.executors.firefly;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.block.TreeSum;
import org.lampyris.samplers.firefly.BlockBrightness;
import org.roaringbitmap.RoaringBitmap;

/**
 * The brightness of the blocks of one partition, for every chain, after a job, together with what
 * the partition answered in that job. An element of the brightness RDD, one a partition.
 *
 * <p>Immutable by convention; what a job does not change is shared with the one before.
 */
public final class BrightnessPartition implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long from;
  private final long to;
  private final ChainBrightness[] chains;
  private final TreeSum.Node[][] answers;

  /**
   * Joins the parts.
   *
   * @param from the partition's first block
   * @param to the block after its last one
   * @param chains the brightness in each chain
   * @param answers for each question of the last job, the partition's share of the sum
   */
  BrightnessPartition(long from, long to, ChainBrightness[] chains, TreeSum.Node[][] answers) {
    this.from = from;
    this.to = to;
    this.chains = chains;
    this.answers = answers;
  }

  /** Returns a partition whose rows are dark in every chain. */
  static BrightnessPartition dark(long from, long to, int chains) {
    ChainBrightness[] all = new ChainBrightness[chains];
    Arrays.fill(all, ChainBrightness.dark(Math.toIntExact(to - from)));
    return new BrightnessPartition(from, to, all, new TreeSum.Node[0][]);
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  ChainBrightness[] chains() {
    return chains;
  }

  TreeSum.Node[][] answers() {
    return answers;
  }

  /** The brightness of a partition's blocks in one chain: a bitmap a block. */
  static final class ChainBrightness implements Serializable {
    private static final long serialVersionUID = 1L;

    private final double[][] remembered;
    private final RoaringBitmap[] bright;
    private final double[][][] logRatios;

    private ChainBrightness(double[][] remembered, RoaringBitmap[] bright, double[][][] logRatios) {
      this.remembered = remembered;
      this.bright = bright;
      this.logRatios = logRatios;
    }

    static ChainBrightness dark(int blocks) {
      RoaringBitmap[] bright = new RoaringBitmap[blocks];
      Arrays.fill(bright, new RoaringBitmap());
      return new ChainBrightness(new double[0][], bright, new double[blocks][0][]);
    }

    /** Packs the brightness of the partition's blocks. */
    static ChainBrightness of(double[][] remembered, List<BlockBrightness> blocks) {
      RoaringBitmap empty = new RoaringBitmap();
      RoaringBitmap[] bright = new RoaringBitmap[blocks.size()];
      double[][][] logRatios = new double[blocks.size()][][];
      for (int b = 0; b < bright.length; b++) {
        int[] rows = blocks.get(b).rows();
        bright[b] = rows.length == 0 ? empty : RoaringBitmap.bitmapOf(rows);
        logRatios[b] = blocks.get(b).logRatios();
      }
      return new ChainBrightness(remembered, bright, logRatios);
    }

    /** Returns the θ's that log-ratios are remembered at. */
    double[][] remembered() {
      return remembered;
    }

    BlockBrightness block(int b) {
      return bright[b].isEmpty()
          ? BlockBrightness.dark()
          : new BlockBrightness(bright[b].toArray(), logRatios[b]);
    }
  }
}
