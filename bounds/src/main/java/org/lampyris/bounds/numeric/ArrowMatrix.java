package org.lampyris.bounds.numeric;

import java.io.Serializable;

/**
 * A symmetric matrix M for products with vectors, by its {@link Arrow}: 2|E||F| + |F|²
 * multiplications, and as many as M has elements where it has no arrow. Immutable.
 */
public final class ArrowMatrix implements Serializable {
  private final Arrow arrow;
  private final double[][] blocks;
  private final MatrixRows cross;
  private final MatrixRows crossColumns;
  private final MatrixRows rest;

  /**
   * Finds the arrow. Cost O(d²).
   *
   * @param matrix M, row-major d × d, symmetric. Not modified.
   */
  public ArrowMatrix(double[] matrix, int d) {
    this.arrow = Arrow.of(matrix, d);
    this.blocks = arrow.blocks(matrix, d);
    this.cross = MatrixRows.of(Arrow.part(matrix, d, arrow.rest(), arrow.apart()));
    this.crossColumns = cross.transpose(arrow.apart().length);
    this.rest = MatrixRows.of(Arrow.part(matrix, d, arrow.rest(), arrow.rest()));
  }

  /** Returns Mv. v is not modified. */
  public double[] times(double[] v) {
    if (blocks.length == 0) {
      double[] out = new double[v.length];
      rest.addTransposed(1, v, out);
      return out;
    }
    double[] apart = Arrow.pick(arrow.apart(), v);
    double[] beside = Arrow.pick(arrow.rest(), v);
    double[] out = diagonal(apart);
    cross.addTransposed(1, beside, out);
    double[] below = new double[beside.length];
    rest.addTransposed(1, beside, below);
    crossColumns.addTransposed(1, apart, below);
    return arrow.joined(out, below);
  }

  /** Returns D·v_E. */
  private double[] diagonal(double[] apart) {
    double[] out = new double[apart.length];
    for (int i = 0; i < out.length; i++) {
      double[] row = blocks[i];
      int from = arrow.ends()[i] - row.length;
      for (int k = 0; k < row.length; k++) {
        out[i] += row[k] * apart[from + k];
      }
    }
    return out;
  }

  /** Returns vᵀMv, which takes half a product. v is not modified. */
  public double form(double[] v) {
    double[] apart = Arrow.pick(arrow.apart(), v);
    double[] beside = Arrow.pick(arrow.rest(), v);
    double[] half = new double[apart.length];
    cross.addTransposed(2, beside, half);
    double[] below = new double[beside.length];
    rest.addTransposed(1, beside, below);
    return dot(apart, diagonal(apart)) + dot(apart, half) + dot(beside, below);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Returns whether M has an arrow. */
  public boolean hasArrow() {
    return blocks.length > 0;
  }

  /** Returns M, row-major. Cost O(d²). */
  public double[] matrix() {
    int[] apart = arrow.apart();
    int[] beside = arrow.rest();
    int d = apart.length + beside.length;
    double[] matrix = new double[d * d];
    for (int k = 0; k < apart.length; k++) {
      int from = arrow.ends()[k] - blocks[k].length;
      for (int l = 0; l < blocks[k].length; l++) {
        matrix[apart[k] * d + apart[from + l]] = blocks[k][l];
      }
    }
    for (int i = 0; i < beside.length; i++) {
      for (int k = 0; k < apart.length; k++) {
        matrix[beside[i] * d + apart[k]] = cross.get(i, k);
        matrix[apart[k] * d + beside[i]] = cross.get(i, k);
      }
      for (int j = 0; j < beside.length; j++) {
        matrix[beside[i] * d + beside[j]] = rest.get(i, j);
      }
    }
    return matrix;
  }
}
