package org.lampyris.bounds.rows;

import java.util.Arrays;

/**
 * Lengths of Lᵀx_n for row-major dense rows, L lower triangular: for a few rows at a time, laid out
 * by columns, so that every loop is over rows, which the compiler vectorises. Each element of Lᵀx_n
 * is summed in one order, for any neighbouring rows.
 */
final class DenseLengths {
  /** Largest number of rows at a time. */
  static final int TILE = 64;

  private final int d;
  private final double[] lower;
  private final int stride;

  /** x_n of a tile, column by column. */
  private final double[] x;

  private final double[] z = new double[TILE];
  private final double[] squared = new double[TILE];

  /**
   * Takes L.
   *
   * @param lower row-major, with {@code stride} elements a row. Not modified.
   */
  DenseLengths(int columns, double[] lower, int stride) {
    this.d = columns;
    this.lower = lower;
    this.stride = stride;
    this.x = new double[columns * TILE];
  }

  /**
   * Writes the lengths of some rows, at most {@link #TILE}; the first starts at {@code
   * features[base]}.
   *
   * @param out lengths are written from {@code at} on. Modified.
   */
  void write(double[] features, int base, int rows, double[] out, int at) {
    for (int row = 0; row < rows; row++) {
      for (int j = 0; j < d; j++) {
        x[j * TILE + row] = features[base + row * d + j];
      }
    }
    Arrays.fill(squared, 0);
    for (int k = 0; k < d; k++) {
      Arrays.fill(z, 0);
      int i = k;
      for (; i + 3 < d; i += 4) {
        addFour(i, k);
      }
      for (; i < d; i++) {
        addOne(i, k);
      }
      for (int row = 0; row < TILE; row++) {
        squared[row] += z[row] * z[row];
      }
    }
    for (int row = 0; row < rows; row++) {
      out[at + row] = Math.sqrt(squared[row]);
    }
  }

  private void addFour(int i, int k) {
    double l0 = lower[i * stride + k];
    double l1 = lower[(i + 1) * stride + k];
    double l2 = lower[(i + 2) * stride + k];
    double l3 = lower[(i + 3) * stride + k];
    int b0 = i * TILE;
    int b1 = b0 + TILE;
    int b2 = b1 + TILE;
    int b3 = b2 + TILE;
    for (int row = 0; row < TILE; row++) {
      z[row] += (l0 * x[b0 + row] + l1 * x[b1 + row]) + (l2 * x[b2 + row] + l3 * x[b3 + row]);
    }
  }

  private void addOne(int i, int k) {
    double l = lower[i * stride + k];
    int b = i * TILE;
    for (int row = 0; row < TILE; row++) {
      z[row] += l * x[b + row];
    }
  }
}
