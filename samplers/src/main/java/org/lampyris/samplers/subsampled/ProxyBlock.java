package org.lampyris.samplers.subsampled;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.proxy.TaylorProxy;

/**
 * A block of rows with the running sum of the constants c_n of their proxies: see {@link
 * TaylorProxy#constants}. Shared by all chains.
 *
 * <p>Immutable by convention: the array is not copied.
 */
public final class ProxyBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Differences of a running sum lose some digits; what is lost must not make a bound too low. */
  private static final double ALLOWANCE = 1 + 1e-9;

  private final DataBlock data;
  private final double[] cumulative;

  /** The constants of selected rows, exactly those of the full block; null where it is one. */
  private final double @Nullable [] selected;

  /**
   * Joins a block with its constants.
   *
   * @param data the block
   * @param cumulative for each row the sum of c_n up to and with that row; not copied
   */
  public ProxyBlock(DataBlock data, double[] cumulative) {
    this(data, cumulative, null);
  }

  private ProxyBlock(DataBlock data, double[] cumulative, double @Nullable [] selected) {
    if (cumulative.length != data.rows() || cumulative.length == 0) {
      throw new IllegalArgumentException(
          cumulative.length + " constants for " + data.rows() + " rows");
    }
    this.data = data;
    this.cumulative = cumulative;
    this.selected = selected;
  }

  /**
   * Returns some of the rows as a small block, with their constants. Points cannot be drawn from
   * it.
   *
   * @param rows the rows, which become rows 0, 1, … in this order
   */
  ProxyBlock select(int[] rows) {
    double[] constants = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      constants[i] = constant(rows[i]);
    }
    return new ProxyBlock(data.select(rows), constants, constants);
  }

  /** Computes a block's constants. Cost O(Pd²) a row. */
  public static ProxyBlock of(TaylorProxy proxy, DataBlock data) {
    double[] cumulative = proxy.constants(data);
    double sum = 0;
    for (int row = 0; row < cumulative.length; row++) {
      sum += ALLOWANCE * cumulative[row];
      cumulative[row] = sum;
    }
    return new ProxyBlock(data, cumulative);
  }

  /** Returns the block's number in the table. */
  public long id() {
    return data.id();
  }

  /** Returns the rows. */
  public DataBlock data() {
    return data;
  }

  /** Returns c_n: the rate at which the row is drawn, for each unit of height. */
  public double constant(int row) {
    if (selected != null) {
      return selected[row];
    }
    return row == 0 ? cumulative[0] : cumulative[row] - cumulative[row - 1];
  }

  /** Returns Σ_n c_n. */
  public double total() {
    return cumulative[cumulative.length - 1];
  }

  /**
   * Returns Σ_n R_n(θ′) − R_n(θ) over the block's rows.
   *
   * @param proxy the rows' proxies
   * @param from θ. Not modified.
   * @param to θ′. Not modified.
   * @param factor M(θ, θ′)
   */
  public double differences(TaylorProxy proxy, double[] from, double[] to, double factor) {
    double sum = 0;
    for (int row = 0; row < data.rows(); row++) {
      sum += proxy.difference(data, row, from, to, constant(row) * factor);
    }
    return sum;
  }

  /** Returns the row on whose piece of the running sum a number in [0, total) falls. */
  int rowAt(double position) {
    int found = Arrays.binarySearch(cumulative, position);
    // A piece begins where the one before ends, so that an exact hit belongs to the next row.
    int row = found >= 0 ? found + 1 : -found - 1;
    while (row < cumulative.length - 1 && !(constant(row) > 0)) {
      row++;
    }
    return Math.min(row, cumulative.length - 1);
  }
}
