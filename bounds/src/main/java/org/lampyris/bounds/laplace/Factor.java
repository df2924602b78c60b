package org.lampyris.bounds.laplace;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Square matrix L with LLᵀ = Σ, a covariance: it turns standard normal numbers z into Lz ~ N(0, Σ).
 * Immutable.
 */
public interface Factor extends Serializable {
  /** Returns d. */
  int dimension();

  /** Adds scale · Lz to {@code out}, which is modified; z is not. */
  void addTo(double[] z, double scale, double[] out);

  /** Returns Lᵀv. v is not modified. */
  double[] transposed(double[] v);

  /** Replaces v by L⁻¹v. */
  void solve(double[] v);

  /** Returns |L⁻¹v|, to rounding. v is not modified. */
  default double length(double[] v) {
    double[] u = v.clone();
    solve(u);
    return LaplaceApproximation.norm(u);
  }

  /** Returns Σ_jj. */
  double variance(int j);

  /** Returns log det Σ, natural log. */
  double logDeterminant();

  /**
   * Returns √(x_nᵀΣx_n) for every row of a block, whose columns are the first of the d elements.
   */
  double[] lengths(DataBlock block);

  /**
   * Returns the coordinates that may be stretched of u = L⁻¹θ: all, or those along the directions
   * that L knows. u is not modified.
   */
  double[] pliable(double[] u);

  /**
   * Returns the factor of a covariance that is CCᵀ times as large along {@link #pliable}
   * coordinates. Cost O(m³) for m of them, and m² products of vectors.
   *
   * @param stretch C, lower triangular, row-major m × m. Not modified.
   */
  Factor stretched(double[] stretch);

  /** Returns all numbers that distinguish L from others of its kind; not to be modified. */
  List<double[]> numbers();
}
