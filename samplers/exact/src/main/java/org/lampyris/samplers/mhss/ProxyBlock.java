package org.lampyris.samplers.mhss;

import java.util.Arrays;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.rows.RowBlock;

/**
 * A block of rows with the constants c_n of their proxies, see {@link TaylorProxy#constants}, as a
 * running sum that rows can be drawn by. Shared by all chains.
 *
 * <p>Immutable by convention: the array is not copied.
 */
public final class ProxyBlock implements RowBlock<ProxyBlock> {
  /**
   * Relative allowance for rounding in differences of a running sum, which must not make a bound
   * too low.
   */
  private static final double ALLOWANCE = 1 + 1e-9;

  private final DataBlock data;
  private final double[] values;
  private final boolean cumulative;

  private ProxyBlock(DataBlock data, double[] values, boolean cumulative) {
    if (values.length != data.rows() || values.length == 0) {
      throw new IllegalArgumentException(values.length + " constants for " + data.rows() + " rows");
    }
    this.data = data;
    this.values = values;
    this.cumulative = cumulative;
  }

  /**
   * Joins a block with its constants.
   *
   * @param data the block
   * @param cumulative for each row the sum of c_n up to and with that row; not copied
   */
  public ProxyBlock(DataBlock data, double[] cumulative) {
    this(data, cumulative, true);
  }

  /**
   * Returns rows that were taken out of a block, with the very constants that they had there. They
   * can be evaluated; nothing can be drawn from them.
   *
   * @param data the rows
   * @param constants c_n for each of them; not copied
   */
  public static ProxyBlock selection(DataBlock data, double[] constants) {
    return new ProxyBlock(data, constants, false);
  }

  @Override
  public ProxyBlock select(int[] rows) {
    double[] constants = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      constants[i] = constant(rows[i]);
    }
    return selection(data.select(rows), constants);
  }

  @Override
  public ProxyBlock append(ProxyBlock other) {
    double[] constants = Arrays.copyOf(values, values.length + other.values.length);
    for (int row = 0; row < constants.length; row++) {
      constants[row] = row < values.length ? constant(row) : other.constant(row - values.length);
    }
    return selection(data.append(other.data), constants);
  }

  @Override
  public long packedBytes() {
    return data.packedBytes() + (long) Double.BYTES * values.length;
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

  @Override
  public DataBlock data() {
    return data;
  }

  /** Returns c_n: the rate at which the row is drawn, for each unit of height. */
  public double constant(int row) {
    return row == 0 || !cumulative ? values[row] : values[row] - values[row - 1];
  }

  /** Returns Σ_n c_n. */
  public double total() {
    requireCumulative();
    return values[values.length - 1];
  }

  /**
   * Returns Σ_n R_n(θ′) − R_n(θ) over the block's rows.
   *
   * @param proxy the rows' proxies
   * @param from θ. Not modified.
   * @param to θ′. Not modified.
   */
  public double differences(TaylorProxy proxy, double[] from, double[] to) {
    double factor = proxy.factor(from, to);
    double sum = 0;
    for (int row = 0; row < values.length; row++) {
      sum += proxy.difference(data, row, from, to, constant(row) * factor);
    }
    return sum;
  }

  /** Returns the row on whose piece of the running sum a number in [0, total) falls. */
  int rowAt(double position) {
    requireCumulative();
    int found = Arrays.binarySearch(values, position);
    // A piece begins where the one before ends, so that an exact hit belongs to the next row.
    int row = found >= 0 ? found + 1 : -found - 1;
    while (row < values.length - 1 && !(constant(row) > 0)) {
      row++;
    }
    return Math.min(row, values.length - 1);
  }

  private void requireCumulative() {
    if (!cumulative) {
      throw new IllegalStateException("rows selected from a block cannot be drawn from");
    }
  }
}
