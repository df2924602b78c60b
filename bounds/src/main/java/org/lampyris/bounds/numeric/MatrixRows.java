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
   * Adds scale · Mv to {@code out}: for a large M that {@link #addTransposed} needs as well, since
   * it is then in memory once. v is not modified.
   */
  public void addTimes(double scale, double[] v, double[] out) {
    int i = 0;
    for (; i + 3 < rows.length; i += 4) {
      addDots(rows[i], rows[i + 1], rows[i + 2], rows[i + 3], scale, v, i, out);
    }
    for (; i < rows.length; i++) {
      double sum = 0;
      for (int j = 0; j < v.length; j++) {
        sum += rows[i][j] * v[j];
      }
      out[i] += scale * sum;
    }
  }

  private static void addDots(
      double[] a,
      double[] b,
      double[] c,
      double[] d,
      double scale,
      double[] v,
      int i,
      double[] out) {
    double a0 = 0;
    double a1 = 0;
    double b0 = 0;
    double b1 = 0;
    double c0 = 0;
    double c1 = 0;
    double d0 = 0;
    double d1 = 0;
    int j = 0;
    for (; j + 1 < v.length; j += 2) {
      double even = v[j];
      double odd = v[j + 1];
      a0 += a[j] * even;
      a1 += a[j + 1] * odd;
      b0 += b[j] * even;
      b1 += b[j + 1] * odd;
      c0 += c[j] * even;
      c1 += c[j + 1] * odd;
      d0 += d[j] * even;
      d1 += d[j + 1] * odd;
    }
    if (j < v.length) {
      a0 += a[j] * v[j];
      b0 += b[j] * v[j];
      c0 += c[j] * v[j];
      d0 += d[j] * v[j];
    }
    out[i] += scale * (a0 + a1);
    out[i + 1] += scale * (b0 + b1);
    out[i + 2] += scale * (c0 + c1);
    out[i + 3] += scale * (d0 + d1);
  }
}
