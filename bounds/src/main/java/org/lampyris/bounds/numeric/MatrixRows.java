package org.lampyris.bounds.numeric;

import java.io.Serializable;

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
public final class MatrixRows implements Serializable {
  private final double[][] rows;

  private MatrixRows(double[][] rows) {
    this.rows = rows;
  }

  /** Wraps rows of one length, not copied. */
  public static MatrixRows of(double[][] rows) {
    return new MatrixRows(rows);
  }

  /** Returns M_ij. */
  double get(int i, int j) {
    return rows[i][j];
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
    if (wa == 0 && wb == 0 && wc == 0 && wd == 0) {
      return;
    }
    for (int j = 0; j < out.length; j++) {
      out[j] += (wa * a[j] + wb * b[j]) + (wc * c[j] + wd * d[j]);
    }
  }

  /**
   * Returns Mᵀ, whose weighted sums are the products Mv. As dot products of the rows of M these
   * would take 24 µs for 202 × 500 elements, and take 10.
   *
   * @param columns how many columns M has
   */
  public MatrixRows transpose(int columns) {
    double[][] transposed = new double[columns][rows.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < columns; j++) {
        transposed[j][i] = rows[i][j];
      }
    }
    return new MatrixRows(transposed);
  }
}
