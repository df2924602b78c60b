package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.DrawnEvents;
import org.lampyris.samplers.rows.PickedRows;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.rows.Rows;
import org.lampyris.samplers.rows.Stored;
import org.roaringbitmap.RoaringBitmap;

/**
 * Bright rows of one chain among the available rows, with cached values of log L̃_n at a few θ, so
 * that no likelihood is evaluated twice at the same θ.
 *
 * <p>Rows are named by their {@linkplain RowId global ids}. Immutable by convention: no array is
 * copied.
 */
public final class Brightness implements Stored {
  private static final Brightness DARK =
      new Brightness(new double[0][], new long[0], new double[0][]);

  private final double[][] thetas;
  private final long[] rows;
  private final double[][] logRatios;

  /** Rows in which the positions were last looked up. */
  private transient @Nullable Rows<?> locatedIn;

  private transient int @Nullable [] located;

  /**
   * Joins the bright rows with their cached values.
   *
   * @param rows the ids of the bright rows, ascending
   * @param logRatios for each remembered θ, log L̃_n of each bright row; NaN where not known
   */
  public Brightness(double[][] thetas, long[] rows, double[][] logRatios) {
    if (thetas.length != logRatios.length) {
      throw new IllegalArgumentException(
          logRatios.length + " cached values for " + thetas.length + " points");
    }
    this.thetas = thetas;
    this.rows = rows;
    this.logRatios = logRatios;
  }

  /** Bright rows as they are stored; see the constructor. */
  private record Form(double[][] thetas, long[] rows, double[][] logRatios) implements Stored {
    @Override
    public Brightness restored() {
      return new Brightness(thetas, rows, logRatios);
    }
  }

  @Override
  public Stored stored() {
    return new Brightness.Form(thetas, rows, logRatios);
  }

  /** Returns dark rows, without cached values. */
  public static Brightness dark() {
    return DARK;
  }

  /** Returns the same bright rows with other cached values. */
  public Brightness remembering(double[][] points, double[][] values) {
    Brightness other = new Brightness(points, rows, values);
    other.locatedIn = locatedIn;
    other.located = located;
    return other;
  }

  /** Returns each bright row's position among the available rows of its block; looked up once. */
  public int[] located(Rows<?> here) {
    int[] places = located;
    if (places == null || locatedIn != here) {
      places = locate(here, rows, rows.length);
      located = places;
      locatedIn = here;
    }
    return places;
  }

  /** Returns the position of the first rows among the available rows of their blocks. */
  static int[] locate(Rows<?> here, long[] rows, int count) {
    int[] places = new int[count];
    for (int from = 0; from < count; ) {
      int to = RowId.endOfBlock(rows, from, count);
      int index = here.indexOf(RowId.block(rows[from]));
      for (int i = from; i < to; i++) {
        places[i] = here.rowIn(index, RowId.row(rows[i]));
      }
      from = to;
    }
    return places;
  }

  /** Returns the brightness of the rows of some blocks, those from one to before another. */
  public Brightness ofBlocks(long from, long to) {
    int first = count(from);
    int end = count(to);
    double[][] values = new double[thetas.length][];
    Arrays.setAll(values, k -> Arrays.copyOfRange(logRatios[k], first, end));
    return new Brightness(thetas, Arrays.copyOfRange(rows, first, end), values);
  }

  /** Returns how many rows are bright in the blocks before one. */
  private int count(long block) {
    int count = 0;
    while (count < rows.length && RowId.block(rows[count]) < block) {
      count++;
    }
    return count;
  }

  /** Returns how many rows are bright. */
  public int size() {
    return rows.length;
  }

  /** Returns the ids of the bright rows, ascending; not a copy. */
  public long[] rows() {
    return rows;
  }

  /** Returns the θ's that are remembered; not a copy. */
  public double[][] thetas() {
    return thetas;
  }

  /** Returns for each remembered θ the log L̃_n of each bright row; not a copy. */
  public double[][] logRatios() {
    return logRatios;
  }

  /** Returns a copy of the bright rows' cached values at θ; NaN if not cached. */
  public double[] known(double[] theta) {
    int k = indexOf(theta, thetas);
    if (k >= 0) {
      return logRatios[k].clone();
    }
    double[] unknown = new double[rows.length];
    Arrays.fill(unknown, Double.NaN);
    return unknown;
  }

  /** Returns the last place of θ, because a z-step's own values come last and are complete. */
  public static int indexOf(double[] theta, double[][] thetas) {
    return indexOf(theta, thetas.length, thetas);
  }

  /** Returns the last place of θ among the first ones. */
  public static int indexOf(double[] theta, int count, double[][] thetas) {
    for (int k = count - 1; k >= 0; k--) {
      if (thetas[k] == theta || Arrays.equals(thetas[k], theta)) {
        return k;
      }
    }
    return -1;
  }

  /**
   * Brightness of the rows of one place in one chain, as stored with the rows: a bitmap, and cached
   * values of the bright rows. Immutable by convention.
   */
  public static final class OfPlace implements Stored {
    private final double[][] thetas;
    private final RoaringBitmap bright;
    private final double[][] logRatios;
    private final long firstBlock;
    private final int rowBits;

    /** The candidates drawn last; drawn again if they were not sent along. */
    private final transient DrawnEvents.@Nullable Windows windows;

    private OfPlace(
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

    /**
     * Brightness of a place as it is stored.
     *
     * @param firstBlock the first of the place's blocks
     * @param rowBits how many bits the number of a row in a block takes
     */
    private record Form(Brightness brightness, long firstBlock, int rowBits) implements Stored {
      @Override
      public OfPlace restored() {
        return new OfPlace(brightness, firstBlock, rowBits, DrawnEvents.Windows.NONE);
      }
    }

    @Override
    public Stored stored() {
      return new OfPlace.Form(brightness(), firstBlock, rowBits);
    }

    /** Returns dark rows; {@link IllegalStateException} if they are more than a bitmap has bits. */
    public static OfPlace dark(Place<BoundBlock> place) {
      int mostRows = place.blocks().stream().mapToInt(block -> block.data().rows()).max().orElse(1);
      int rowBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, mostRows - 1));
      int blocks = place.blocks().size();
      if (blocks > 1L << (Integer.SIZE - rowBits)) {
        throw new IllegalStateException(
            blocks + " blocks are too many for one partition. Set data.partitions higher.");
      }
      long first = blocks == 0 ? 0 : place.blocks().get(0).id();
      return new OfPlace(Brightness.dark(), first, rowBits, DrawnEvents.Windows.NONE);
    }

    /** Returns the brightness of the same rows after a question, and the candidates drawn last. */
    public OfPlace after(Brightness brightness, DrawnEvents.Windows last) {
      return new OfPlace(brightness, firstBlock, rowBits, last);
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

  /**
   * Brightness of one chain with the data of the bright rows, sent from one segment to the next: a
   * few rows for any size of the table. Immutable by convention.
   *
   * @param rows the bright rows, a selection of each block, ascending; Java-serialisable
   */
  public record Carried(Brightness brightness, List<PickedRows<BoundBlock>> rows)
      implements Serializable {
    /** Returns that of a chain of which no row is bright. */
    public static Carried dark() {
      return new Carried(Brightness.dark(), new ArrayList<>());
    }

    /** Takes the bright rows out of those at hand. */
    public static Carried of(Brightness brightness, Rows<BoundBlock> rows) {
      return new Carried(brightness, PickedRows.of(rows, brightness.rows()));
    }

    /** Joins one chain's bright rows of several places, at least one, ascending by block. */
    public static Carried join(List<Carried> places) {
      double[][] thetas = places.get(0).brightness.thetas();
      int count = places.stream().mapToInt(Carried::size).sum();
      long[] ids = new long[count];
      double[][] logRatios = new double[thetas.length][count];
      List<PickedRows<BoundBlock>> rows = new ArrayList<>();
      int at = 0;
      for (Carried place : places) {
        rows.addAll(place.rows);
        System.arraycopy(place.brightness.rows(), 0, ids, at, place.size());
        for (int k = 0; k < thetas.length; k++) {
          System.arraycopy(place.brightness.logRatios()[k], 0, logRatios[k], at, place.size());
        }
        at += place.size();
      }
      return new Carried(new Brightness(thetas, ids, logRatios), rows);
    }

    /** Returns how many rows are bright. */
    public int size() {
      return brightness.size();
    }
  }

  /** Brings a chain's brightness together, with the data of the bright rows. */
  public static final class Gathered implements RowStates.Collector<BoundBlock, OfPlace, Carried> {
    @Override
    public Carried add(Place<BoundBlock> place, OfPlace state) {
      return Carried.of(state.brightness(), Rows.whole(place.blocks()));
    }

    @Override
    public Carried merge(List<Carried> places) {
      return Carried.join(places);
    }
  }
}
