package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowId;
import org.roaringbitmap.RoaringBitmap;

/**
 * The brightness of the rows of one place in one chain, as it is kept where the rows are: a bitmap,
 * and what is remembered of the bright rows. Immutable by convention.
 */
public final class BrightnessBitmap implements Serializable {
  private final double[][] thetas;
  private final RoaringBitmap bright;
  private final double[][] logRatios;
  private final long firstBlock;
  private final int rowBits;

  /** The candidates that were drawn last; drawn again where they have not come along. */
  private final transient DrawnEvents.@Nullable Windows windows;

  private BrightnessBitmap(
      Brightness brightness, long firstBlock, int rowBits, DrawnEvents.Windows windows) {
    this.thetas = brightness.thetas();
    this.bright = new RoaringBitmap();
    this.logRatios = brightness.logRatios();
    this.firstBlock = firstBlock;
    this.rowBits = rowBits;
    this.windows = windows;
    for (long id : brightness.rows()) {
      bright.add((int) (RowId.block(id) - firstBlock) << rowBits | RowId.row(id));
    }
  }

  /** Returns dark rows; {@link IllegalStateException} if they are more than a bitmap has bits. */
  public static BrightnessBitmap dark(Place<BoundBlock> place) {
    int mostRows = place.blocks().stream().mapToInt(block -> block.data().rows()).max().orElse(1);
    int rowBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, mostRows - 1));
    int blocks = place.blocks().size();
    if (blocks > 1L << (Integer.SIZE - rowBits)) {
      throw new IllegalStateException(
          blocks + " blocks are too many for one partition: set data.partitions higher");
    }
    long first = blocks == 0 ? 0 : place.blocks().get(0).id();
    return new BrightnessBitmap(Brightness.dark(), first, rowBits, DrawnEvents.Windows.NONE);
  }

  /** Returns the brightness of the same rows after a question, and the candidates drawn last. */
  public BrightnessBitmap after(Brightness brightness, DrawnEvents.Windows last) {
    return new BrightnessBitmap(brightness, firstBlock, rowBits, last);
  }

  /** Returns which rows are bright. */
  public Brightness brightness() {
    int[] numbers = bright.toArray();
    long[] ids = new long[numbers.length];
    int mask = (1 << rowBits) - 1;
    for (int i = 0; i < ids.length; i++) {
      ids[i] = RowId.of(firstBlock + (numbers[i] >>> rowBits), numbers[i] & mask);
    }
    return new Brightness(thetas, ids, logRatios);
  }

  /** Returns the candidates that were drawn last for these rows and this chain. */
  public DrawnEvents.Windows windows() {
    return windows == null ? DrawnEvents.Windows.NONE : windows;
  }
}
