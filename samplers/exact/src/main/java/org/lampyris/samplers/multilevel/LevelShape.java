package org.lampyris.samplers.multilevel;

import java.io.Serializable;

/**
 * What is known of each group: T, groups × q × D; the lower triangle of H_j, row by row, then h_j;
 * and P̂.
 */
final class LevelShape implements Serializable {
  /** T, groups × q × D. */
  final float[] ridge;

  /** H and h, a group after the other. */
  final float[] rows;

  /** P̂, q × q. */
  final double[] precision;

  private LevelShape(float[] ridge, float[] rows, double[] precision) {
    this.ridge = ridge;
    this.rows = rows;
    this.precision = precision;
  }

  /** Returns how many numbers {@link #of} needs of a group. */
  static int sums(int size, int columns) {
    return size * (size + 1) / 2 + size + size * columns;
  }

  /**
   * Makes what is known.
   *
   * @param sums of each group the lower triangle of H, the derivatives of the log-likelihood in b,
   *     and Σ w_n·z_n(x_n − Σ T′ᵀz′_n)ᵀ, q × D
   * @param b the effects there
   */
  static LevelShape of(double[] sums, double[] b, int q, int columns, double[] precision) {
    int step = sums(q, columns);
    int triangle = q * (q + 1) / 2;
    int groups = sums.length / step;
    float[] ridge = new float[groups * q * columns];
    float[] rows = new float[groups * (triangle + q)];
    double[] a = new double[q * q];
    double[] v = new double[q];
    for (int j = 0; j < groups; j++) {
      int at = j * step;
      int to = j * (triangle + q);
      for (int k = 0; k < triangle + q; k++) {
        rows[to + k] = (float) sums[at + k];
      }
      int k = at;
      for (int e = 0; e < q; e++) {
        for (int f = 0; f <= e; f++) {
          double h = sums[k++];
          a[e * q + f] = h + precision[e * q + f];
          rows[to + triangle + e] += (float) (h * b[j * q + f]);
          if (f < e) {
            rows[to + triangle + f] += (float) (h * b[j * q + e]);
          }
        }
      }
      if (!SmallFactor.factorise(a, q)) {
        continue;
      }
      for (int c = 0; c < columns; c++) {
        for (int e = 0; e < q; e++) {
          v[e] = sums[at + triangle + q + e * columns + c];
        }
        SmallFactor.solve(a, q, v);
        SmallFactor.solveTransposed(a, q, v);
        for (int e = 0; e < q; e++) {
          ridge[(j * q + e) * columns + c] = (float) v[e];
        }
      }
    }
    return new LevelShape(ridge, rows, precision);
  }

  /** Adds TᵀPT of a group to the lower triangle of a matrix of p rows, {@code out}. Modified. */
  void addRidge(int j, double[] precision, int size, int columns, double[] out, int p) {
    for (int e = 0; e < size; e++) {
      for (int f = 0; f < size; f++) {
        double c = precision[e * size + f];
        int left = (j * size + e) * columns;
        int right = (j * size + f) * columns;
        for (int k = 0; k < columns; k++) {
          for (int l = 0; l <= k; l++) {
            out[k * p + l] += c * ridge[left + k] * ridge[right + l];
          }
        }
      }
    }
  }
}
