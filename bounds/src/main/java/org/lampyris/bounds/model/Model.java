package org.lampyris.bounds.model;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Log-likelihood of a row as a function of θ: ℓ_n(θ) = w_n · log L_n(θ), natural log, with the
 * row's weight w_n (1 in a table without weights).
 *
 * <p>Throughout, {@code row} is a row of {@code block}. Sums, gradients of {@link #dimension()}
 * elements and Hessians are added to: of a Hessian, row-major, the elements on and below the
 * diagonal. Neither θ nor θ⋆, {@code center}, is modified.
 *
 * <p>Implementations hold no state that a call changes, so one instance serves many threads.
 */
public interface Model extends RowFunctionals, Expense {
  /**
   * Returns whether ℓ_n is known to be jointly concave in θ for every row; {@code precompute} needs
   * this to certify the posterior. False, unless overridden: not known.
   */
  default boolean isConcave() {
    return false;
  }

  /** Returns ℓ_n(θ). */
  double logLikelihood(DataBlock block, int row, double[] theta);

  /**
   * Returns the size of the largest term in ℓ_n(θ): its rounding error is some units in the last
   * place of this number. |ℓ_n(θ)|, unless overridden.
   */
  default double largestTerm(DataBlock block, int row, double[] theta) {
    return Math.abs(logLikelihood(block, row, theta));
  }

  /** Adds ∇ℓ_n(θ) to {@code gradient} and returns ℓ_n(θ). */
  double addGradient(DataBlock block, int row, double[] theta, double[] gradient);

  /**
   * Adds ∇ℓ_n(θ) to {@code gradient}, ∇²ℓ_n(θ) to the lower triangle of {@code hessian}, and
   * returns ℓ_n(θ).
   */
  double addHessian(DataBlock block, int row, double[] theta, double[] gradient, double[] hessian);

  /** Adds Σ_n ℓ_n(θ_k) over the block's rows to {@code sums[k]}, for several θ in one pass. */
  default void addLogLikelihoods(DataBlock block, double[][] thetas, double[] sums) {
    addGradients(block, thetas, sums, null);
  }

  /**
   * Adds Σ_n ∇ℓ_n(θ_k) over the block's rows to {@code gradients[k]} and Σ_n ℓ_n(θ_k) to {@code
   * sums[k]}, for several θ in one pass; only the sums if {@code gradients} is null.
   */
  default void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    for (int row = 0; row < block.rows(); row++) {
      for (int k = 0; k < thetas.length; k++) {
        sums[k] +=
            gradients == null
                ? logLikelihood(block, row, thetas[k])
                : addGradient(block, row, thetas[k], gradients[k]);
      }
    }
  }

  /**
   * Adds Σ_n ∇ℓ_n(θ) over the block's rows to {@code gradient}, Σ_n ∇²ℓ_n(θ) to the lower triangle
   * of {@code hessian}, and returns Σ_n ℓ_n(θ).
   */
  default double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    double sum = 0;
    for (int row = 0; row < block.rows(); row++) {
      sum += addHessian(block, row, theta, gradient, hessian);
    }
    return sum;
  }

  /**
   * Adds Σ_n ∇ℓ_n(θ) over the block's rows to {@code gradient}, the diagonal of Σ_n ∇²ℓ_n(θ) to
   * {@code diagonal}, and returns Σ_n ℓ_n(θ).
   *
   * <p>Here with a Hessian of the block; models that depend on θ through a few functionals need
   * none.
   */
  default double addDiagonals(
      DataBlock block, double[] theta, double[] gradient, double[] diagonal) {
    int d = dimension();
    double[] hessian = new double[d * d];
    double sum = addHessians(block, theta, gradient, hessian);
    for (int j = 0; j < d; j++) {
      diagonal[j] += hessian[j * d + j];
    }
    return sum;
  }

  /**
   * Adds Σ_n ∇²ℓ_n(θ)v_k over the block's rows to a sum, for several directions v_k.
   *
   * <p>The default uses central differences of gradients at θ ± hv_k, with h so small that no
   * functional of a row moves by more than 10⁻⁴: a relative error of some 1e-8.
   *
   * @param count how many directions there are
   * @param vectors v_1 … v_count, d × count: the elements of a coefficient lie side by side. Not
   *     modified.
   * @param products the sums, likewise. Modified.
   */
  default void addHessianProducts(
      DataBlock block, double[] theta, int count, double[] vectors, double[] products) {
    CentralDifferences.addTo(this, block, theta, count, vectors, products);
  }

  /**
   * Returns the Taylor polynomial of ℓ_n of order 1 or 2 about θ⋆ at θ.
   *
   * <p>Cost here O(d²); models that depend on θ through a few functionals do it in O(d).
   *
   * @param order 1 or 2
   */
  default double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    int d = dimension();
    double[] gradient = new double[d];
    double[] hessian = new double[d * d];
    double value = addHessian(block, row, center, gradient, hessian);
    for (int i = 0; i < d; i++) {
      double di = theta[i] - center[i];
      double slope = gradient[i];
      if (order == 2) {
        slope += 0.5 * hessian[i * d + i] * di;
        for (int j = 0; j < i; j++) {
          slope += hessian[i * d + j] * (theta[j] - center[j]);
        }
      }
      value += slope * di;
    }
    return value;
  }

  /**
   * Adds the gradient at θ of the Taylor polynomial of ℓ_n of order 2 about θ⋆, ∇ℓ_n(θ⋆) +
   * ∇²ℓ_n(θ⋆)(θ − θ⋆), to {@code gradient}. Cost as of {@link #addHessian}, unless overridden.
   */
  default void addTaylorGradient(
      DataBlock block, int row, double[] center, double[] theta, double[] gradient) {
    int d = dimension();
    double[] hessian = new double[d * d];
    addHessian(block, row, center, gradient, hessian);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        int lower = Math.max(i, j) * d + Math.min(i, j);
        gradient[i] += hessian[lower] * (theta[j] - center[j]);
      }
    }
  }

  /**
   * Returns a c with |Dᵏℓ_n(θ)[v, …, v]| ≤ c for every direction v of length 1 and every θ within a
   * radius of θ⋆: a bound on the k-th derivatives, and so on the remainder of a Taylor expansion of
   * order k − 1. Lengths use the metric ‖v‖² = vᵀΣ⁻¹v. The default is +∞, for no known bound.
   *
   * @param order k, 2 or 3
   * @param spread the P × P matrix v_kᵀΣv_l of the row's {@linkplain #functionals functionals},
   *     row-major: the largest |v_kᵀv| for a v of length 1 is the root of element (k, k). Not
   *     modified.
   * @param radius of the ball about θ⋆, possibly +∞
   */
  default double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    return Double.POSITIVE_INFINITY;
  }
}
