package org.lampyris.bounds.prior;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * First and second moments of the columns of a table, from sums about a provisional shift.
 *
 * <p>With S1_j = Σ_n (x_nj − a_j) and S2_jk = Σ_n (x_nj − a_j)(x_nk − a_k): mean_j = a_j + S1_j/N,
 * and the centred cross product Σ_n (x_nj − mean_j)(x_nk − mean_k) = S2_jk − S1_j S1_k / N. The
 * subtraction loses about log₁₀(1 + N(mean − a)²/S2) digits: none when the shift a is near the mean
 * (Chan, Golub and LeVeque 1983, "Algorithms for computing the sample variance", equation 1.3).
 */
public final class ColumnMoments {
  private final long rows;
  private final double[] shift;
  private final double[] first;
  private final double[] second;
  private final double @Nullable [] cross;

  private ColumnMoments(
      long rows, double[] shift, double[] first, double[] second, double @Nullable [] cross) {
    if (rows < 1 || first.length != shift.length || second.length != shift.length) {
      throw new IllegalArgumentException(
          rows + " rows, " + shift.length + " shifts, " + first.length + " sums");
    }
    this.rows = rows;
    this.shift = shift;
    this.first = first;
    this.second = second;
    this.cross = cross;
  }

  /**
   * Takes sums with all cross products.
   *
   * @param rows N, at least 1
   * @param shift a, length d; not copied
   * @param first S1, length d; not copied
   * @param lower S2, row-major d × d, with the lower triangle used; not copied
   */
  public static ColumnMoments of(long rows, double[] shift, double[] first, double[] lower) {
    int d = shift.length;
    if (lower.length != d * d) {
      throw new IllegalArgumentException(lower.length + " cross products of " + d + " columns");
    }
    double[] second = new double[d];
    Arrays.setAll(second, j -> lower[j * d + j]);
    return new ColumnMoments(rows, shift, first, second, lower);
  }

  /**
   * Takes sums without cross products, for tables too wide for a d × d matrix: instead of S2 its
   * diagonal.
   */
  public static ColumnMoments ofDiagonal(
      long rows, double[] shift, double[] first, double[] second) {
    return new ColumnMoments(rows, shift, first, second, null);
  }

  /** Returns d. */
  public int columns() {
    return shift.length;
  }

  /** Returns the mean of a column. */
  public double mean(int column) {
    return shift[column] + first[column] / rows;
  }

  /** Returns the standard deviation of a column with divisor N − 1; 0 for a single row. */
  public double standardDeviation(int column) {
    if (rows < 2) {
      return 0;
    }
    double sum = second[column] - first[column] * (first[column] / rows);
    return Math.sqrt(Math.max(0, sum) / (rows - 1));
  }

  /** Returns true if {@link #crossProduct} is available. */
  public boolean hasCrossProducts() {
    return cross != null;
  }

  /**
   * Returns Σ_n x_nj x_nk, of the columns themselves or of their deviations from the mean.
   *
   * @param centred whether the mean is taken off first
   */
  public double crossProduct(int j, int k, boolean centred) {
    if (cross == null) {
      throw new IllegalStateException("the sums hold no cross products");
    }
    int d = shift.length;
    double about = cross[Math.max(j, k) * d + Math.min(j, k)] - first[j] * (first[k] / rows);
    return centred ? about : about + rows * mean(j) * mean(k);
  }
}
