package org.lampyris.bounds.model;

import org.lampyris.bounds.rows.DataBlock;

/**
 * Model whose rows depend on θ through one linear predictor η_n = x_nᵀβ + o_n, with β the first
 * {@link #columns} elements of θ, and on further elements shared by all rows, if any. So more can
 * be added to the predictor than the table's columns and offsets say.
 *
 * <p>The rows of a tile are n = from … to − 1 of a block, and {@code eta} holds their η_n at {@code
 * [n − from]}, as in {@link Likelihood}.
 */
public interface PredictorModel extends Model {
  /** Returns D, how many elements of θ are coefficients. */
  int columns();

  /** Returns log L as a function of η, at the given further elements of θ. */
  Likelihood given(double[] theta);

  /**
   * Adds the derivatives of Σ_n w_n · log L in the further elements of θ.
   *
   * @param gradient of θ; its elements from {@link #columns} on are added to. Modified.
   */
  default void addShared(
      DataBlock block, int from, int to, double[] theta, double[] eta, double[] gradient) {}

  /** {@inheritDoc} Here η and the further elements of θ. */
  @Override
  default int functionals() {
    return dimension() - columns() + 1;
  }

  @Override
  default double functional(DataBlock block, int row, int k, double[] u, int from) {
    return k == 0 ? block.dot(row, u, from) : u[from + columns() + k - 1];
  }

  @Override
  default double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    return addHessians(block.select(new int[] {row}), theta, gradient, hessian);
  }

  @Override
  default double largestTerm(DataBlock block, int row, double[] theta) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row) * given(theta).largestTerm(eta, block.response(row));
  }

  /**
   * {@inheritDoc} Here Σ_n w_n·log L″·x_nj² for the coefficients, and products with unit vectors
   * for the further elements.
   */
  @Override
  default double addDiagonals(
      DataBlock block, double[] theta, double[] gradient, double[] diagonal) {
    Likelihood likelihood = given(theta);
    double[] curvature = new double[block.rows()];
    block.pass(
        new double[][] {theta},
        new int[1],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            eta[0][row - from] += block.offset(row);
          }
          likelihood.curvatures(block, from, to, eta[0], curvature);
        },
        null);
    block.addSquares(curvature, diagonal, 0);
    for (int j = columns(); j < dimension(); j++) {
      double[] unit = new double[dimension()];
      unit[j] = 1;
      double[] product = new double[dimension()];
      addHessianProducts(block, theta, 1, unit, product);
      diagonal[j] += product[j];
    }
    double[] sum = new double[1];
    addGradients(block, new double[][] {theta}, sum, new double[][] {gradient});
    return sum[0];
  }
}
