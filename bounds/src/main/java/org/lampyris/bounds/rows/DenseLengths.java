package org.lampyris.bounds.rows;

import java.util.Arrays;

/**
 * Lengths of Lᵀx_n for row-major dense rows, L lower triangular: for a few rows at a time, laid out
 * by columns, so that every loop is over rows. Each element of Lᵀx_n is summed in one order, for
 * any neighbouring rows.
 */
final class DenseLengths {
  /** Largest number of rows at a time. */
  static final int TILE = 64;

  private final DenseProducts products;
  private final int d;
  private final double[] lower;
  private final int stride;

  /** x_n of a tile, column by column. */
  private final double[] x;

  private final double[] squared = new double[TILE];

  /**
   * Takes L.
   *
   * @param lower row-major, with {@code stride} elements a row. Not modified.
   */
  DenseLengths(DenseProducts products, int columns, double[] lower, int stride) {
    this.products = products;
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
    products.addSquares(x, d, lower, stride, squared);
    for (int row = 0; row < rows; row++) {
      out[at + row] = Math.sqrt(squared[row]);
    }
  }
}
