package org.lampyris.bounds.prior;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds columns that are linear combinations of others, by Cholesky factorisation with diagonal
 * pivoting of the Gram matrix scaled to a unit diagonal.
 *
 * <p>A column is taken for a combination of the columns pivoted before it when the share of its sum
 * of squares that they leave unexplained falls below {@link #TOLERANCE}. Source: Golub and Van Loan
 * (2013), Matrix Computations, algorithm 4.2.4. Cost O(d³).
 */
public final class Collinearity {
  /**
   * The unexplained share (1 − R²) below which a column counts as a combination. Rounding leaves
   * about 10⁻¹⁵ of an exact combination; a column measured with one part in 10⁵ of noise has 10⁻¹⁰.
   */
  public static final double TOLERANCE = 1e-10;

  /** A term of a combination smaller than this share of the column's own spread is rounding. */
  private static final double NEGLIGIBLE = 1e-6;

  /**
   * column = Σ_k coefficient_k · x_k + constant.
   *
   * @param constant what is left over, 0 if there is no intercept
   */
  public record Dependency(int column, List<Term> terms, double constant) {}

  /** One term of a combination. */
  public record Term(int column, double coefficient) {}

  private final int size;
  private final int[] order;
  private final double[] norm;
  private final double[][] factor;
  private int rank;

  private Collinearity(int[] columns, ColumnMoments moments, boolean centred) {
    size = columns.length;
    order = columns.clone();
    norm = new double[size];
    factor = new double[size][size];
    double[] residual = new double[size];
    for (int i = 0; i < size; i++) {
      norm[i] = Math.sqrt(Math.max(0, moments.crossProduct(order[i], order[i], centred)));
      residual[i] = norm[i] > 0 ? 1 : 0;
    }
    while (rank < size) {
      int pivot = rank;
      for (int i = rank + 1; i < size; i++) {
        // Of equals the first one, so that a column is explained by those that come before it.
        if (residual[i] > residual[pivot] * (1 + 1e-8)) {
          pivot = i;
        }
      }
      if (residual[pivot] < TOLERANCE) {
        return;
      }
      swap(pivot, rank, residual);
      eliminate(moments, centred, residual);
      rank++;
    }
  }

  /**
   * Returns every combination among the columns, in terms of a largest independent set of them.
   *
   * @param columns the columns to look at, without the intercept
   * @param moments their moments, with cross products
   * @param intercept whether a column of ones is there too, so that a shift is a combination
   */
  public static List<Dependency> find(int[] columns, ColumnMoments moments, boolean intercept) {
    Collinearity cholesky = new Collinearity(columns, moments, intercept);
    List<Dependency> found = new ArrayList<>();
    for (int i = cholesky.rank; i < cholesky.size; i++) {
      found.add(cholesky.dependency(i, moments, intercept));
    }
    return found;
  }

  private void swap(int a, int b, double[] residual) {
    int column = order[a];
    order[a] = order[b];
    order[b] = column;
    double n = norm[a];
    norm[a] = norm[b];
    norm[b] = n;
    double r = residual[a];
    residual[a] = residual[b];
    residual[b] = r;
    double[] row = factor[a];
    factor[a] = factor[b];
    factor[b] = row;
  }

  private void eliminate(ColumnMoments moments, boolean centred, double[] residual) {
    double[] pivotRow = factor[rank];
    double diagonal = Math.sqrt(residual[rank]);
    pivotRow[rank] = diagonal;
    for (int i = rank + 1; i < size; i++) {
      if (norm[i] == 0) {
        continue;
      }
      double sum = moments.crossProduct(order[i], order[rank], centred) / (norm[i] * norm[rank]);
      double[] row = factor[i];
      for (int k = 0; k < rank; k++) {
        sum -= row[k] * pivotRow[k];
      }
      row[rank] = sum / diagonal;
      residual[i] -= row[rank] * row[rank];
    }
  }

  /**
   * Solves Lᵀ c = l for the coefficients of a dependent column and takes them off the unit scale.
   */
  private Dependency dependency(int dependent, ColumnMoments moments, boolean intercept) {
    double[] c = factor[dependent].clone();
    for (int i = rank - 1; i >= 0; i--) {
      for (int k = i + 1; k < rank; k++) {
        c[i] -= factor[k][i] * c[k];
      }
      c[i] /= factor[i][i];
    }
    List<Term> terms = new ArrayList<>();
    double constant = intercept ? moments.mean(order[dependent]) : 0;
    for (int k = 0; k < rank; k++) {
      if (Math.abs(c[k]) >= NEGLIGIBLE) {
        double coefficient = c[k] * norm[dependent] / norm[k];
        terms.add(new Term(order[k], coefficient));
        constant -= intercept ? coefficient * moments.mean(order[k]) : 0;
      }
    }
    terms.sort((a, b) -> Integer.compare(a.column(), b.column()));
    return new Dependency(order[dependent], terms, constant);
  }
}
