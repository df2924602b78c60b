package org.lampyris.bounds.numeric;

import java.util.Arrays;

/**
 * A triangular matrix T whose rows are summed with weights, Tᵀw, as {@link MatrixRows} does it: to
 * the same bits, at half the cost. The elements beyond the diagonal, which are 0, are left out but
 * for some beside it, so that four rows at a time are of one length.
 */
public final class TriangleRows {
  private static final int TOGETHER = 4;

  private final double[][] rows;
  private final boolean lower;

  private TriangleRows(double[][] rows, boolean lower) {
    this.rows = rows;
    this.lower = lower;
  }

  /** Returns a lower triangle, given row-major d × d. */
  public static TriangleRows lower(double[] matrix, int dimension) {
    double[][] rows = new double[dimension][];
    for (int i = 0; i < dimension; i++) {
      int end = Math.min(dimension, (i / TOGETHER + 1) * TOGETHER);
      rows[i] = Arrays.copyOfRange(matrix, i * dimension, i * dimension + end);
    }
    return new TriangleRows(rows, true);
  }

  /** Returns the transpose of a lower triangle, given row-major d × d. */
  public static TriangleRows transposeOfLower(double[] matrix, int dimension) {
    double[][] rows = new double[dimension][dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        rows[i][j] = matrix[j * dimension + i];
      }
    }
    return new TriangleRows(rows, false);
  }

  /** Adds scale · Tᵀw to {@code out}. Cost O(d²/2). w is not modified. */
  public void addTransposed(double scale, double[] w, double[] out) {
    int d = rows.length;
    int i = 0;
    for (; i + TOGETHER <= d; i += TOGETHER) {
      add(i, lower ? 0 : i, lower ? i + TOGETHER : d, scale, w, out);
    }
    for (; i < d; i++) {
      double[] row = rows[i];
      double s = scale * w[i];
      int end = lower ? row.length : d;
      for (int j = lower ? 0 : i; j < end; j++) {
        out[j] += s * row[j];
      }
    }
  }

  private void add(int i, int from, int to, double scale, double[] w, double[] out) {
    double[] a = rows[i];
    double[] b = rows[i + 1];
    double[] c = rows[i + 2];
    double[] d = rows[i + 3];
    double wa = scale * w[i];
    double wb = scale * w[i + 1];
    double wc = scale * w[i + 2];
    double wd = scale * w[i + 3];
    for (int j = from; j < to; j++) {
      out[j] += (wa * a[j] + wb * b[j]) + (wc * c[j] + wd * d[j]);
    }
  }

  /**
   * Replaces v by T⁻ᵀv, T upper triangular: by L⁻¹v for T = Lᵀ. Column by column, which makes
   * vector instructions where products of rows do not.
   */
  public void solveTransposed(double[] v) {
    if (lower) {
      throw new UnsupportedOperationException("only an upper triangle");
    }
    for (int i = 0; i < v.length; i++) {
      double[] row = rows[i];
      double x = v[i] / row[i];
      for (int j = i; j < v.length; j++) {
        v[j] -= x * row[j];
      }
      v[i] = x;
    }
  }
}
