package org.lampyris.bounds.metric;

import java.io.Serializable;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.RowFunctionals;

/**
 * Lengths of differences of θ: ‖v‖² = vᵀΣ⁻¹v, or vᵀv. With the Laplace covariance for Σ they are in
 * posterior standard deviations, whatever the direction.
 */
public final class Metric implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int dimension;
  private final double @Nullable [] covariance;
  private final double @Nullable [] factor;

  private Metric(int dimension, double @Nullable [] covariance, double @Nullable [] factor) {
    this.dimension = dimension;
    this.covariance = covariance;
    this.factor = factor;
  }

  /** Returns the metric of vᵀv. */
  public static Metric euclidean(int dimension) {
    return new Metric(dimension, null, null);
  }

  /**
   * Returns the metric of vᵀΣ⁻¹v.
   *
   * @param covariance Σ, row-major d × d, symmetric positive definite; copied
   * @param dimension d
   * @throws IllegalArgumentException if Σ is not positive definite
   */
  public static Metric of(double[] covariance, int dimension) {
    DMatrixRMaj matrix = new DMatrixRMaj(dimension, dimension, true, covariance.clone());
    CholeskyDecompositionInner_DDRM cholesky = new CholeskyDecompositionInner_DDRM(true);
    if (!cholesky.decompose(matrix)) {
      throw new IllegalArgumentException("the covariance is not positive definite");
    }
    return new Metric(dimension, covariance.clone(), cholesky.getT(null).getData().clone());
  }

  /** Returns d. */
  public int dimension() {
    return dimension;
  }

  /** Returns ‖to − from‖. Neither is modified. */
  public double distance(double[] from, double[] to) {
    return norm(difference(from, to));
  }

  /**
   * Returns u = L⁻¹(to − from), with Σ = LLᵀ: a vector of the same length in the Euclidean metric.
   * Neither is modified.
   */
  public double[] difference(double[] from, double[] to) {
    double[] solved = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      double value = to[i] - from[i];
      if (factor != null) {
        for (int j = 0; j < i; j++) {
          value -= factor[i * dimension + j] * solved[j];
        }
        value /= factor[i * dimension + i];
      }
      solved[i] = value;
    }
    return solved;
  }

  /** Returns the columns of L, with Σ = LLᵀ: xᵀΣx is the sum of the squares of their xᵀL_k. */
  public double[][] factorColumns() {
    double[][] columns = new double[dimension][dimension];
    for (int k = 0; k < dimension; k++) {
      for (int i = k; i < dimension; i++) {
        columns[k][i] = factor == null ? (i == k ? 1 : 0) : factor[i * dimension + k];
      }
    }
    return columns;
  }

  /** Returns |u|. */
  public static double norm(double[] u) {
    double squared = 0;
    for (double element : u) {
      squared += element * element;
    }
    return Math.sqrt(squared);
  }

  /**
   * Returns the matrix v_kᵀΣv_l of a row's functionals, P × P, row-major.
   *
   * @param functionals the functionals
   * @param block the block that holds the row
   * @param row the row in the block
   */
  public double[] spread(RowFunctionals functionals, DataBlock block, int row) {
    int p = functionals.functionals();
    double[] spread = new double[p * p];
    double[] w = new double[dimension];
    double[] unit = new double[dimension];
    for (int k = 0; k < p; k++) {
      for (int i = 0; i < dimension; i++) {
        if (covariance == null) {
          unit[i] = 1;
          w[i] = functionals.functional(block, row, k, unit, 0);
          unit[i] = 0;
        } else {
          w[i] = functionals.functional(block, row, k, covariance, i * dimension);
        }
      }
      for (int l = 0; l <= k; l++) {
        double value = functionals.functional(block, row, l, w, 0);
        spread[k * p + l] = value;
        spread[l * p + k] = value;
      }
    }
    return spread;
  }
}
