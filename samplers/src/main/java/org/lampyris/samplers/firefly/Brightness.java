package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Which rows of a run of blocks are bright in one chain, and what is remembered of them: log L̃_n
 * at a few θ's, so that no likelihood is evaluated twice at the same θ.
 *
 * <p>A row is named by {@link #key}: the index of its block in the run, then the row in the block.
 * Immutable by convention: the arrays are not copied.
 */
public final class Brightness implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Brightness DARK =
      new Brightness(new double[0][], new long[0], new double[0][]);

  private final double[][] thetas;
  private final long[] rows;
  private final double[][] logRatios;

  /**
   * Joins the bright rows with what is remembered of them.
   *
   * @param thetas the θ's that are remembered
   * @param rows the keys of the bright rows, ascending
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

  /** Returns the name of a row: its block's index in the run, from 0, and its number there. */
  public static long key(int block, int row) {
    return (long) block << Integer.SIZE | row;
  }

  /** Returns the block of a key. */
  public static int block(long key) {
    return (int) (key >>> Integer.SIZE);
  }

  /** Returns the row of a key. */
  public static int row(long key) {
    return (int) key;
  }

  /** Returns how many rows are bright. */
  public int size() {
    return rows.length;
  }

  /** Returns the keys of the bright rows, ascending; not a copy. */
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
  double[] known(double[] theta) {
    int k = indexOf(theta, thetas);
    if (k >= 0) {
      return logRatios[k].clone();
    }
    double[] unknown = new double[rows.length];
    Arrays.fill(unknown, Double.NaN);
    return unknown;
  }

  /** Returns the last place of θ, because a z-step's own values come last and are complete. */
  static int indexOf(double[] theta, double[][] thetas) {
    return indexOf(theta, thetas.length, thetas);
  }

  /** Returns the last place of θ among the first ones. */
  static int indexOf(double[] theta, int count, double[][] thetas) {
    for (int k = count - 1; k >= 0; k--) {
      if (thetas[k] == theta || Arrays.equals(thetas[k], theta)) {
        return k;
      }
    }
    return -1;
  }
}
