package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.rows.RowId;
import org.lampyris.samplers.rows.Rows;

/**
 * Which of the rows at hand are bright in one chain, and what is remembered of them: log L̃_n at a
 * few θ's, so that no likelihood is evaluated twice at the same θ.
 *
 * <p>Rows are named by their {@linkplain RowId global ids}. Immutable by convention: no array is
 * copied.
 */
public final class Brightness implements Serializable {
  private static final Brightness DARK =
      new Brightness(new double[0][], new long[0], new double[0][]);

  private final double[][] thetas;
  private final long[] rows;
  private final double[][] logRatios;

  /** Where the rows are in what was at hand when they were looked up last. */
  private transient @Nullable Rows<?> locatedIn;

  private transient int @Nullable [] located;

  /**
   * Joins the bright rows with what is remembered of them.
   *
   * @param rows the ids of the bright rows, ascending
   * @param logRatios for each remembered θ, log L̃_n of each bright row; NaN where not known
   */
  public Brightness(double[][] thetas, long[] rows, double[][] logRatios) {
    if (thetas.length != logRatios.length) {
      throw new IllegalArgumentException(
          logRatios.length + " remembered values for " + thetas.length + " points");
    }
    this.thetas = thetas;
    this.rows = rows;
    this.logRatios = logRatios;
  }

  /** Returns dark rows, of which nothing is remembered. */
  public static Brightness dark() {
    return DARK;
  }

  /** Returns the same bright rows, of which something else is remembered. */
  public Brightness remembering(double[][] points, double[][] values) {
    Brightness other = new Brightness(points, rows, values);
    other.locatedIn = locatedIn;
    other.located = located;
    return other;
  }

  /** Returns where each bright row is in what there is of its block; looked up once. */
  public int[] located(Rows<?> here) {
    int[] places = located;
    if (places == null || locatedIn != here) {
      places = locate(here, rows, rows.length);
      located = places;
      locatedIn = here;
    }
    return places;
  }

  /** Returns where each of the first rows is in what there is of its block. */
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

  /** Returns a copy of what is known of the bright rows at θ, NaN where nothing is. */
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
}
