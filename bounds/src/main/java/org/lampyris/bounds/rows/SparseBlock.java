package org.lampyris.bounds.rows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A block whose features are packed as compressed sparse rows (CSR): 12 bytes an element, or 8 with
 * values that are floats.
 */
public final class SparseBlock extends DataBlock {
  private final int[] rowStart;
  private final int[] column;
  private final Values value;

  /** Wraps the arrays of a block of doubles without offsets, as the other constructor does. */
  public SparseBlock(
      long id,
      int columns,
      int[] rowStart,
      int[] column,
      double[] value,
      double[] response,
      double @Nullable [] weight) {
    this(id, columns, rowStart, column, Values.of(value), response, weight, null);
  }

  /**
   * Wraps the arrays, which must not be written to afterwards.
   *
   * @param rowStart where each row begins in {@code column} and {@code value}, and, last, where the
   *     last row ends: {@code response.length + 1} elements, the first of them 0
   * @param column the column of each stored element, ascending within a row
   * @param weight one positive value a row, or null for weights of 1
   * @param offset one value a row, or null for offsets of 0
   */
  public SparseBlock(
      long id,
      int columns,
      int[] rowStart,
      int[] column,
      Values value,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset) {
    super(id, columns, response, weight, offset);
    if (rowStart.length != response.length + 1
        || rowStart[0] != 0
        || rowStart[response.length] != value.length()
        || column.length != value.length()) {
      throw new IllegalArgumentException(
          "row starts %s, columns %s, values %s for %s rows"
              .formatted(rowStart.length, column.length, value.length(), response.length));
    }
    this.rowStart = rowStart;
    this.column = column;
    this.value = value;
  }

  /** Returns the start of each row, and the end of the last, not a copy. */
  public int[] rowStart() {
    return rowStart;
  }

  /** Returns the column of each stored element, not a copy. */
  public int[] column() {
    return column;
  }

  /** Returns the stored elements, not a copy. */
  public Values values() {
    return value;
  }

  @Override
  DataBlock append(
      DataBlock other, double[] y, double @Nullable [] weight, double @Nullable [] offset) {
    if (!(other instanceof SparseBlock sparse)
        || sparse.columns() != columns()
        || sparse.value.isFloat() != value.isFloat()) {
      throw doesNotGoWith(other);
    }
    int rows = rows();
    int[] start = Arrays.copyOf(rowStart, rows + sparse.rowStart.length);
    for (int k = 1; k < sparse.rowStart.length; k++) {
      start[rows + k] = rowStart[rows] + sparse.rowStart[k];
    }
    int[] columnOf = Arrays.copyOf(column, column.length + sparse.column.length);
    System.arraycopy(sparse.column, 0, columnOf, column.length, sparse.column.length);
    Values all = value.append(sparse.value);
    return new SparseBlock(id(), columns(), start, columnOf, all, y, weight, offset);
  }

  @Override
  public double feature(int row, int col) {
    for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
      if (column[k] == col) {
        return value.get(k);
      }
    }
    return 0;
  }

  @Override
  public double dot(int row, double[] v, int offset) {
    double sum = 0;
    int end = rowStart[row + 1];
    for (int k = rowStart[row]; k < end; k++) {
      sum += value.get(k) * v[offset + column[k]];
    }
    return sum;
  }

  @Override
  public void addScaled(int row, double scale, double[] out, int offset) {
    int end = rowStart[row + 1];
    for (int k = rowStart[row]; k < end; k++) {
      out[offset + column[k]] += scale * value.get(k);
    }
  }

  @Override
  public void addOuter(int row, double scale, double[] lower) {
    int d = columns();
    int start = rowStart[row];
    // Widened once: in the inner loop it took 400 ns a row of 13 elements in place of 250.
    double[] x = value.copy(start, rowStart[row + 1]);
    for (int k = 0; k < x.length; k++) {
      double f = scale * x[k];
      int out = column[start + k] * d;
      for (int m = 0; m <= k; m++) {
        lower[out + column[start + m]] += f * x[m];
      }
    }
  }

  /** {@inheritDoc} Lᵀx_n is the sum of the rows of L where x_n has elements. */
  @Override
  public double[] lengths(double[] lower, int stride) {
    double[] lengths = new double[rows()];
    double[] z = new double[columns()];
    for (int row = 0; row < lengths.length; row++) {
      Arrays.fill(z, 0);
      for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
        addScaled(value.get(k), lower, column[k] * stride, z, 0, column[k] + 1);
      }
      double squared = 0;
      for (double element : z) {
        squared += element * element;
      }
      lengths[row] = Math.sqrt(squared);
    }
    return lengths;
  }

  @Override
  public double form(int row, double[] symmetric, int stride) {
    double sum = 0;
    for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
      sum += value.get(k) * dot(row, symmetric, column[k] * stride);
    }
    return sum;
  }

  @Override
  public void addSquares(double[] scale, double[] out, int offset) {
    for (int row = 0; row < rows(); row++) {
      for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
        double x = value.get(k);
        out[offset + column[k]] += scale[row] * (x * x);
      }
    }
  }

  /** {@inheritDoc} The vectors' elements of a column are a cache line or two, read at once. */
  @Override
  public void addProducts(double[] scale, int count, double[] vectors, double[] out) {
    double[] sums = new double[count];
    for (int row = 0; row < rows(); row++) {
      Arrays.fill(sums, 0);
      for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
        addScaled(value.get(k), vectors, column[k] * count, sums, 0, count);
      }
      for (int k = rowStart[row]; k < rowStart[row + 1]; k++) {
        addScaled(scale[row] * value.get(k), sums, 0, out, column[k] * count, count);
      }
    }
  }

  private static void addScaled(
      double scale, double[] from, int start, double[] to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to[at + i] += scale * from[start + i];
    }
  }

  @Override
  DataBlock select(int[] rows, double[] y, double @Nullable [] weight, double @Nullable [] offset) {
    int[] start = new int[rows.length + 1];
    for (int k = 0; k < rows.length; k++) {
      start[k + 1] = start[k] + rowStart[rows[k] + 1] - rowStart[rows[k]];
    }
    int[] selectedColumn = new int[start[rows.length]];
    Values selectedValue = value.ofSize(start[rows.length]);
    for (int k = 0; k < rows.length; k++) {
      int size = start[k + 1] - start[k];
      System.arraycopy(column, rowStart[rows[k]], selectedColumn, start[k], size);
      value.copy(rowStart[rows[k]], selectedValue, start[k], size);
    }
    return new SparseBlock(
        id(), columns(), start, selectedColumn, selectedValue, y, weight, offset);
  }

  @Override
  DataBlock with(long number, double @Nullable [] weights) {
    return new SparseBlock(number, columns(), rowStart, column, value, response, weights, offset);
  }

  @Override
  public long packedBytes() {
    return super.packedBytes() + 4L * (rowStart.length + column.length) + value.bytes();
  }
}
