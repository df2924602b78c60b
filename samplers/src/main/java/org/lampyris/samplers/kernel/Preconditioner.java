package org.lampyris.samplers.kernel;

import java.io.Serializable;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.MatrixRows;

/**
 * The linear map z ↦ Lz that shapes a kernel's noise: the identity (isotropic), or the lower
 * Cholesky factor of a covariance, LLᵀ = Σ̂, so that Lz has covariance Σ̂ for z ~ N(0, I).
 *
 * <p>A kernel that works in the coordinates u = L⁻¹θ sees the gradient Lᵀ∇ there, and a target of
 * covariance near I. Immutable. Cost of every method: O(d) for the identity, O(d²) otherwise.
 */
public final class Preconditioner implements Serializable {
  private final int dimension;
  private final boolean identity;
  private final double[] lower;
  private final transient MatrixRows lowerRows;
  private final transient MatrixRows upperRows;

  private Preconditioner(int dimension, boolean identity, double[] lower) {
    this.dimension = dimension;
    this.identity = identity;
    this.lower = lower;
    this.lowerRows = MatrixRows.of(lower, identity ? 0 : dimension);
    this.upperRows = MatrixRows.transposeOf(lower, identity ? 0 : dimension);
  }

  private Object readResolve() {
    return new Preconditioner(dimension, identity, lower);
  }

  /** Returns the identity in d dimensions. */
  public static Preconditioner identity(int dimension) {
    return new Preconditioner(dimension, true, new double[0]);
  }

  /** Returns the factor L of a Laplace approximation. */
  public static Preconditioner of(LaplaceApproximation laplace) {
    return new Preconditioner(laplace.dimension(), false, laplace.lower());
  }

  /** Returns d. */
  public int dimension() {
    return dimension;
  }

  /** Adds scale · Lz to {@code out}, which is modified; z is not. */
  public void addTo(double[] z, double scale, double[] out) {
    if (identity) {
      for (int i = 0; i < dimension; i++) {
        out[i] += scale * z[i];
      }
      return;
    }
    upperRows.addTransposed(scale, z, out);
  }

  /** Returns Lᵀv. v is not modified. */
  public double[] transposed(double[] v) {
    if (identity) {
      return v.clone();
    }
    double[] out = new double[dimension];
    lowerRows.addTransposed(1, v, out);
    return out;
  }

  /** Returns L⁻¹v. v is not modified. */
  public double[] inverse(double[] v) {
    double[] out = v.clone();
    if (!identity) {
      Cholesky.solveLower(lower, out);
    }
    return out;
  }
}
