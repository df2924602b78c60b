package org.lampyris.bounds.bound;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Anchors of a block's bounds, where they are tight: one for each row, or one for all.
 *
 * <p>Immutable by convention: the array is not copied.
 */
public final class Anchors implements Serializable {
  private final double[] values;
  private final int stride;

  private Anchors(double[] values, int stride) {
    this.values = values;
    this.stride = stride;
  }

  /** Returns the same anchor for every row. */
  public static Anchors constant(double... anchor) {
    return new Anchors(anchor, 0);
  }

  /**
   * Returns a separate anchor for every row.
   *
   * @param values {@code width} values a row, row by row
   * @param width how many values an anchor has: see {@link LowerBound#anchorWidth()}
   */
  public static Anchors perRow(double[] values, int width) {
    return new Anchors(values, width);
  }

  /** Returns element {@code i} of the row's anchor. */
  public double get(int row, int i) {
    return values[row * stride + i];
  }

  /**
   * Returns the anchors of some rows.
   *
   * @param rows rows of the block, which become rows 0, 1, … in this order
   */
  public Anchors select(int[] rows) {
    if (stride == 0) {
      return this;
    }
    double[] selected = new double[rows.length * stride];
    for (int k = 0; k < rows.length; k++) {
      System.arraycopy(values, rows[k] * stride, selected, k * stride, stride);
    }
    return new Anchors(selected, stride);
  }

  /** Returns these anchors followed by those of further rows; a common anchor stays. */
  public Anchors append(Anchors further) {
    if (stride != further.stride) {
      throw new IllegalArgumentException("anchors of " + stride + " and " + further.stride);
    }
    if (stride == 0) {
      return this;
    }
    double[] all = Arrays.copyOf(values, values.length + further.values.length);
    System.arraycopy(further.values, 0, all, values.length, further.values.length);
    return new Anchors(all, stride);
  }

  /** Returns how many bytes the anchors take. */
  public long packedBytes() {
    return 8L * values.length;
  }
}
