package org.lampyris.samplers.multilevel;

import java.util.Arrays;

/**
 * Cholesky factors of matrices of a few rows, in place: there is one for each group, and a
 * library's objects would cost more than the arithmetic. Lower triangles, row-major q × q.
 */
public final class SmallFactor {
  private SmallFactor() {}

  /**
   * Replaces the lower triangle of a matrix by its factor; false if it is not positive definite.
   */
  public static boolean factorise(double[] a, int q) {
    for (int i = 0; i < q; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = a[i * q + j];
        for (int k = 0; k < j; k++) {
          sum -= a[i * q + k] * a[j * q + k];
        }
        if (i != j) {
          a[i * q + j] = sum / a[j * q + j];
        } else if (sum > 0 && sum < Double.POSITIVE_INFINITY) {
          a[i * q + i] = Math.sqrt(sum);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  /** Replaces v by L⁻¹v. */
  public static void solve(double[] lower, int q, double[] v) {
    for (int i = 0; i < q; i++) {
      double sum = v[i];
      for (int k = 0; k < i; k++) {
        sum -= lower[i * q + k] * v[k];
      }
      v[i] = sum / lower[i * q + i];
    }
  }

  /** Replaces v by L⁻ᵀv. */
  public static void solveTransposed(double[] lower, int q, double[] v) {
    for (int i = q - 1; i >= 0; i--) {
      double sum = v[i];
      for (int k = i + 1; k < q; k++) {
        sum -= lower[k * q + i] * v[k];
      }
      v[i] = sum / lower[i * q + i];
    }
  }

  /** Returns L⁻¹, with zeros above the diagonal. */
  public static double[] inverse(double[] lower, int q) {
    double[] inverse = new double[q * q];
    double[] column = new double[q];
    for (int j = 0; j < q; j++) {
      Arrays.fill(column, 0);
      column[j] = 1;
      solve(lower, q, column);
      for (int i = 0; i < q; i++) {
        inverse[i * q + j] = column[i];
      }
    }
    return inverse;
  }

  /** Returns the precision L⁻ᵀL⁻¹. */
  public static double[] precision(double[] lower, int q) {
    double[] inverse = inverse(lower, q);
    double[] precision = new double[q * q];
    for (int i = 0; i < q; i++) {
      for (int j = 0; j < q; j++) {
        for (int k = Math.max(i, j); k < q; k++) {
          precision[i * q + j] += inverse[k * q + i] * inverse[k * q + j];
        }
      }
    }
    return precision;
  }

  /** Returns AB, both row-major q × q. */
  public static double[] product(double[] a, double[] b, int q) {
    double[] product = new double[q * q];
    for (int i = 0; i < q; i++) {
      for (int k = 0; k < q; k++) {
        for (int j = 0; j < q; j++) {
          product[i * q + j] += a[i * q + k] * b[k * q + j];
        }
      }
    }
    return product;
  }
}
