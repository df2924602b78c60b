package org.lampyris.bounds.numeric;

import java.util.Arrays;

/**
 * Matrix M as rows for weighted sums, Mᵀw = Σ_i w_i · M_i: products with a vector, for a symmetric
 * M or the transpose.
 *
 * <p>Every row is an array of its own. Java 17 vectorises {@code out[j] += w * row[j]} because all
 * indices are the same. In {@code out[j] += w * m[base + j]} it cannot prove that the arrays do not
 * overlap. Measured at 51 × 51, four rows at a time: 180 ns, packed in one array 550; as dot
 * products of packed rows, two to eight at a time, 440 to 530.
 *
 * <p>Immutable. Cost of a product O(rows · columns).
 */
public final class MatrixRows {
  private final double[][] rows;

  private MatrixRows(double[][] rows) {
    this.rows = rows;
  }

  /** Returns a square matrix from its row-major elements, which are not modified. */
  public static MatrixRows of(double[] matrix, int dimension) {
    double[][] rows = new double[dimension][];
    Arrays.setAll(rows, i -> Arrays.copyOfRange(matrix, i * dimension, (i + 1) * dimension));
    return new MatrixRows(rows);
  }

  /** Returns the transpose of a square matrix, given as in {@link #of}. */
  public static MatrixRows transposeOf(double[] matrix, int dimension) {
    double[][] rows = new double[dimension][dimension];
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        rows[j][i] = matrix[i * dimension + j];
      }
    }
    return new MatrixRows(rows);
  }

  /** Adds scale · Mᵀw to {@code out}. w is not modified. */
  public void addTransposed(double scale, double[] w, double[] out) {
    int i = 0;
    for (; i + 3 < rows.length; i += 4) {
      add(rows[i], rows[i + 1], rows[i + 2], rows[i + 3], scale, w, i, out);
    }
    for (; i < rows.length; i++) {
      double[] row = rows[i];
      double s = scale * w[i];
      for (int j = 0; j < out.length; j++) {
        out[j] += s * row[j];
      }
    }
  }

  private static void add(
      double[] a,
      double[] b,
      double[] c,
      double[] d,
      double scale,
      double[] w,
      int i,
      double[] out) {
    double wa = scale * w[i];
    double wb = scale * w[i + 1];
    double wc = scale * w[i + 2];
    double wd = scale * w[i + 3];
    for (int j = 0; j < out.length; j++) {
      out[j] += (wa * a[j] + wb * b[j]) + (wc * c[j] + wd * d[j]);
    }
  }
}
