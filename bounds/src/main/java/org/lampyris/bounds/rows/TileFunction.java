package org.lampyris.bounds.rows;

/**
 * Function of the linear predictors of a few rows in a pass: the step between Xθ and Xᵀw. See
 * {@link DataBlock#pass}.
 */
@FunctionalInterface
public interface TileFunction {
  /**
   * Takes x_nᵀv_k for the rows n = from … to − 1 of the block, and replaces them by the factors
   * w_nk of the rows in the sum.
   *
   * @param predictors x_nᵀv_k at {@code [k][n − from]}, without the rows' offsets; elements from
   *     {@code to − from} on mean nothing. Modified.
   */
  void apply(int from, int to, double[][] predictors);
}
