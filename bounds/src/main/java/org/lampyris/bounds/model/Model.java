package org.lampyris.bounds.model;

import org.lampyris.bounds.block.DataBlock;

/**
 * The log-likelihood of a row as a function of θ: ℓ_n(θ) = w_n · log L_n(θ), natural log, with the
 * row's weight w_n (1 where the table has none).
 *
 * <p>Implementations hold no state that a call changes, so one instance serves many threads.
 */
public interface Model extends RowFunctionals {

  /**
   * Returns ℓ_n(θ).
   *
   * @param block the block that holds the row
   * @param row the row in the block
   * @param theta θ. Not modified.
   */
  double logLikelihood(DataBlock block, int row, double[] theta);

  /**
   * Adds ∇ℓ_n(θ) to {@code gradient} and returns ℓ_n(θ).
   *
   * @param block the block that holds the row
   * @param row the row in the block
   * @param theta θ. Not modified.
   * @param gradient length {@link #dimension()}. Modified.
   */
  double addGradient(DataBlock block, int row, double[] theta, double[] gradient);

  /**
   * Adds ∇ℓ_n(θ) to {@code gradient}, ∇²ℓ_n(θ) to the lower triangle of {@code hessian}, and
   * returns ℓ_n(θ).
   *
   * @param block the block that holds the row
   * @param row the row in the block
   * @param theta θ. Not modified.
   * @param gradient length {@link #dimension()}. Modified.
   * @param hessian row-major, dimension × dimension; only the elements on and below the diagonal
   *     are added to. Modified.
   */
  double addHessian(DataBlock block, int row, double[] theta, double[] gradient, double[] hessian);

  /**
   * Adds Σ_n ℓ_n(θ_k) over the block's rows to {@code sums[k]}, for several θ in one pass.
   *
   * @param block the block
   * @param thetas the θ_k. Not modified.
   * @param sums one element for each θ_k. Modified.
   */
  default void addLogLikelihoods(DataBlock block, double[][] thetas, double[] sums) {
    for (int row = 0; row < block.rows(); row++) {
      for (int k = 0; k < thetas.length; k++) {
        sums[k] += logLikelihood(block, row, thetas[k]);
      }
    }
  }

  /**
   * Adds Σ_n ∇ℓ_n(θ_k) over the block's rows to {@code gradients[k]} and Σ_n ℓ_n(θ_k) to {@code
   * sums[k]}, for several θ in one pass.
   *
   * @param block the block
   * @param thetas the θ_k. Not modified.
   * @param sums one element for each θ_k. Modified.
   * @param gradients one vector of length {@link #dimension()} for each θ_k. Modified.
   */
  default void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double[][] gradients) {
    for (int row = 0; row < block.rows(); row++) {
      for (int k = 0; k < thetas.length; k++) {
        sums[k] += addGradient(block, row, thetas[k], gradients[k]);
      }
    }
  }

  /**
   * Adds Σ_n ∇ℓ_n(θ) over the block's rows to {@code gradient}, Σ_n ∇²ℓ_n(θ) to the lower triangle
   * of {@code hessian}, and returns Σ_n ℓ_n(θ).
   *
   * @param block the block
   * @param theta θ. Not modified.
   * @param gradient length {@link #dimension()}. Modified.
   * @param hessian as in {@link #addHessian}. Modified.
   */
  default double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    double sum = 0;
    for (int row = 0; row < block.rows(); row++) {
      sum += addHessian(block, row, theta, gradient, hessian);
    }
    return sum;
  }
}
