package org.lampyris.bounds.laplace;

import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.RowFunctionals;
import org.lampyris.bounds.numeric.ArrowMatrix;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Laplace approximation N(θ̂, Σ̂) of a posterior, with a factor L, Σ̂ = LLᵀ: the Cholesky factor
 * together with the matrix Σ̂, or a low-rank factor alone.
 *
 * <p>It measures differences of θ in posterior standard deviations, whatever their direction: ‖v‖²
 * = vᵀΣ̂⁻¹v = |L⁻¹v|². Immutable.
 */
public final class LaplaceApproximation implements Serializable {
  private final double[] mode;
  private final double @Nullable [] covariance;
  private final Factor factor;
  private final @Nullable ArrowMatrix precision;

  /**
   * Factorises the covariance. Cost O(d³).
   *
   * @param mode θ̂, of length d; copied
   * @param covariance Σ̂, row-major d × d, symmetric; copied
   * @throws IllegalArgumentException if Σ̂ is not positive definite, or not d × d
   */
  public LaplaceApproximation(double[] mode, double[] covariance) {
    this(mode, covariance, null);
  }

  /**
   * Also takes Σ̂⁻¹, by which distances are measured, if that is cheaper by its form.
   *
   * @param precision Σ̂⁻¹; null to measure by L
   */
  public LaplaceApproximation(double[] mode, double[] covariance, @Nullable ArrowMatrix precision) {
    if (covariance.length != mode.length * mode.length) {
      throw new IllegalArgumentException(
          "a covariance of " + covariance.length + " elements in dimension " + mode.length);
    }
    this.mode = mode.clone();
    this.covariance = covariance.clone();
    this.factor = new DenseFactor(mode.length, Cholesky.lower(covariance, mode.length));
    this.precision = precision;
  }

  /**
   * Takes the factor alone, if a d × d matrix would be too large.
   *
   * @param mode θ̂, of length d; copied
   * @param factor L
   */
  public LaplaceApproximation(double[] mode, Factor factor) {
    if (factor.dimension() != mode.length) {
      throw new IllegalArgumentException(
          "a factor of dimension " + factor.dimension() + " in dimension " + mode.length);
    }
    this.mode = mode.clone();
    this.covariance = null;
    this.factor = factor;
    this.precision = null;
  }

  /** Returns d. */
  public int dimension() {
    return mode.length;
  }

  /** Returns θ̂; not to be modified. */
  public double[] mode() {
    return mode;
  }

  /** Returns L. */
  public Factor factor() {
    return factor;
  }

  /** Returns whether it has the matrix Σ̂, not only its factor. */
  public boolean hasCovariance() {
    return covariance != null;
  }

  /**
   * Returns Σ̂, row-major d × d; not to be modified.
   *
   * @throws IllegalStateException if there is only its factor
   */
  public double[] covariance() {
    if (covariance == null) {
      throw new IllegalStateException("no covariance matrix of " + mode.length + " coefficients");
    }
    return covariance;
  }

  /**
   * Returns Cholesky's L, row-major d × d, zero above the diagonal; not to be modified.
   *
   * @throws IllegalStateException if L is another one
   */
  public double[] lower() {
    if (factor instanceof DenseFactor dense) {
      return dense.lower();
    }
    throw new IllegalStateException("no triangular factor of " + mode.length + " coefficients");
  }

  /** Returns the standard deviation of θ_j. */
  public double sd(int j) {
    return Math.sqrt(covariance == null ? factor.variance(j) : covariance[j * mode.length + j]);
  }

  /** Returns the θ with ‖θ − θ̂‖ ≤ radius, for a radius above 0. */
  public Ball ball(double radius) {
    return new Ball(this, radius);
  }

  /** Returns Σ̂⁻¹, by which distances are measured; empty if by L. */
  public Optional<ArrowMatrix> precision() {
    return Optional.ofNullable(precision);
  }

  /** Returns ‖θ − θ̂‖. θ is not modified. Cost: a product with L⁻¹ or Σ̂⁻¹. */
  public double distance(double[] theta) {
    double[] v = new double[mode.length];
    for (int i = 0; i < v.length; i++) {
      v[i] = theta[i] - mode[i];
    }
    return precision == null ? factor.length(v) : Math.sqrt(precision.form(v));
  }

  /**
   * Returns u = L⁻¹(to − from), a vector whose Euclidean length is ‖to − from‖. Neither is
   * modified.
   */
  public double[] difference(double[] from, double[] to) {
    double[] u = new double[mode.length];
    for (int i = 0; i < u.length; i++) {
      u[i] = to[i] - from[i];
    }
    factor.solve(u);
    return u;
  }

  /** Returns the Euclidean length |u|. */
  public static double norm(double[] u) {
    double squared = 0;
    for (double element : u) {
      squared += element * element;
    }
    return Math.sqrt(squared);
  }

  /**
   * Returns √(x_nᵀΣ̂x_n) for every row of a block, whose columns are the first elements of θ: the
   * standard deviation of its linear predictor. See {@link Factor#lengths}.
   */
  public double[] sds(DataBlock block) {
    return factor.lengths(block);
  }

  /** Returns the covariance v_kᵀΣ̂v_l of a row's functionals, P × P, row-major. */
  public double[] spread(RowFunctionals functionals, DataBlock block, int row) {
    return functionals.spread(block, row, covariance());
  }
}
