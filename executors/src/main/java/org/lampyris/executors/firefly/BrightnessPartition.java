package org.lampyris.executors.firefly;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.firefly.CandidateWindow;
import org.lampyris.samplers.firefly.brightness.Brightness;
import org.lampyris.samplers.firefly.brightness.FireflyShare;
import org.roaringbitmap.RoaringBitmap;

/**
 * The brightness of the rows of one partition, for every chain, after a job, together with what the
 * partition answered in that job. An element of the brightness RDD, one a partition.
 *
 * <p>Immutable by convention; what a job does not change is shared with the one before.
 */
public final class BrightnessPartition implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long from;
  private final long to;
  private final int rowBits;
  private final ChainBrightness[] chains;
  private final FireflyShare[] answers;

  /**
   * Joins the parts.
   *
   * @param from the partition's first block
   * @param to the block after its last one
   * @param rowBits how many bits of a bitmap's number are the row's; those above are the block's
   * @param chains the brightness in each chain
   * @param answers for each question of the last job, the partition's share of the answer
   */
  private BrightnessPartition(
      long from, long to, int rowBits, ChainBrightness[] chains, FireflyShare[] answers) {
    this.from = from;
    this.to = to;
    this.rowBits = rowBits;
    this.chains = chains;
    this.answers = answers;
  }

  /**
   * Returns a partition whose rows are dark in every chain.
   *
   * @param from the partition's first block
   * @param to the block after its last one
   * @param mostRows how many rows the largest block has
   * @param chains how many chains there are
   */
  static BrightnessPartition dark(long from, long to, int mostRows, int chains) {
    int rowBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, mostRows - 1));
    if (to - from > 1L << (Integer.SIZE - rowBits)) {
      throw new IllegalStateException(
          (to - from) + " blocks are too many for one partition: set data.partitions higher");
    }
    ChainBrightness[] all = new ChainBrightness[chains];
    Arrays.fill(all, ChainBrightness.of(Brightness.dark(), rowBits, null));
    return new BrightnessPartition(from, to, rowBits, all, new FireflyShare[0]);
  }

  /** Returns this partition after a job. */
  BrightnessPartition after(ChainBrightness[] chainsAfter, FireflyShare[] answered) {
    return new BrightnessPartition(from, to, rowBits, chainsAfter, answered);
  }

  long from() {
    return from;
  }

  long to() {
    return to;
  }

  int rowBits() {
    return rowBits;
  }

  ChainBrightness[] chains() {
    return chains;
  }

  FireflyShare[] answers() {
    return answers;
  }

  /** The brightness of a partition's rows in one chain: a bitmap, and what is remembered. */
  static final class ChainBrightness implements Serializable {
    private static final long serialVersionUID = 1L;

    private final double[][] thetas;
    private final RoaringBitmap bright;
    private final double[][] logRatios;

    /** Drawn again where it has not come along. */
    private final transient @Nullable CandidateWindow window;

    private ChainBrightness(
        double[][] thetas,
        RoaringBitmap bright,
        double[][] logRatios,
        @Nullable CandidateWindow window) {
      this.thetas = thetas;
      this.bright = bright;
      this.logRatios = logRatios;
      this.window = window;
    }

    /** Packs brightness, with the window of candidates that was used last. */
    static ChainBrightness of(
        Brightness brightness, int rowBits, @Nullable CandidateWindow window) {
      int[] numbers = new int[brightness.size()];
      long[] keys = brightness.rows();
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Brightness.block(keys[i]) << rowBits | Brightness.row(keys[i]);
      }
      return new ChainBrightness(
          brightness.thetas(), RoaringBitmap.bitmapOf(numbers), brightness.logRatios(), window);
    }

    Brightness brightness(int rowBits) {
      int[] numbers = bright.toArray();
      long[] keys = new long[numbers.length];
      int mask = (1 << rowBits) - 1;
      for (int i = 0; i < keys.length; i++) {
        keys[i] = Brightness.key(numbers[i] >>> rowBits, numbers[i] & mask);
      }
      return new Brightness(thetas, keys, logRatios);
    }

    @Nullable CandidateWindow window() {
      return window;
    }
  }
}
