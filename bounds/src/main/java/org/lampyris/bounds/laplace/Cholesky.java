package org.lampyris.bounds.laplace;

import java.util.Arrays;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.linsol.chol.LinearSolverChol_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;

/**
 * Cholesky decomposition of a symmetric positive definite matrix M, scaled to a unit diagonal
 * first. Columns with very different scales (a year, a rate) would otherwise look singular. {@link
 * #lower} gives the factor of a matrix as it is.
 */
public final class Cholesky {
  /** A pivot of the scaled matrix is 1 − R² on the columns before; below this, it is noise. */
  private static final double SMALLEST_PIVOT = 1e-14;

  private final int d;
  private final double[] scale;
  private final LinearSolverChol_DDRM solver;

  private Cholesky(double[] scale, LinearSolverChol_DDRM solver) {
    this.d = scale.length;
    this.scale = scale;
    this.solver = solver;
  }

  /**
   * Returns the lower factor L of M = LLᵀ, row-major d × d. Cost O(d³).
   *
   * @param matrix M, row-major d × d; symmetric. Not modified.
   * @throws IllegalArgumentException if M is not positive definite
   */
  public static double[] lower(double[] matrix, int d) {
    DMatrixRMaj copy = new DMatrixRMaj(d, d, true, matrix.clone());
    CholeskyDecomposition_F64<DMatrixRMaj> cholesky = DecompositionFactory_DDRM.chol(d, true);
    if (!cholesky.decompose(copy)) {
      throw new IllegalArgumentException("the covariance is not positive definite");
    }
    return cholesky.getT(null).getData().clone();
  }

  /** Replaces v by L⁻¹v. Cost O(d²). */
  public static void solveLower(double[] lower, double[] v) {
    TriangularSolver_DDRM.solveL(lower, v, v.length);
  }

  /**
   * Decomposes M; empty if M is not positive definite to working accuracy. Cost O(d³).
   *
   * @param matrix M, row-major d × d; symmetric. Not modified.
   */
  public static Optional<Cholesky> scaled(double[] matrix, int d) {
    double[] scale = new double[d];
    Arrays.setAll(scale, i -> Math.sqrt(matrix[i * d + i]));
    if (!Arrays.stream(scale).allMatch(s -> s > 0 && s < Double.POSITIVE_INFINITY)) {
      return Optional.empty();
    }
    DMatrixRMaj scaled = new DMatrixRMaj(d, d);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        scaled.set(i, j, matrix[i * d + j] / scale[i] / scale[j]);
      }
    }
    CholeskyDecompositionInner_DDRM cholesky = new CholeskyDecompositionInner_DDRM(true);
    LinearSolverChol_DDRM solver = new LinearSolverChol_DDRM(cholesky);
    if (!solver.setA(scaled)) {
      return Optional.empty();
    }
    for (int i = 0; i < d; i++) {
      double pivot = cholesky.getT().get(i, i);
      if (!(pivot * pivot > SMALLEST_PIVOT)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Cholesky(scale, solver));
  }

  /** Returns M⁻¹v. v is not modified. */
  public double[] solve(double[] v) {
    DMatrixRMaj b = new DMatrixRMaj(d, 1);
    for (int i = 0; i < d; i++) {
      b.set(i, 0, v[i] / scale[i]);
    }
    DMatrixRMaj x = new DMatrixRMaj(d, 1);
    solver.solve(b, x);
    double[] result = new double[d];
    for (int i = 0; i < d; i++) {
      result[i] = x.get(i, 0) / scale[i];
    }
    return result;
  }

  /** Returns log det M, natural log. */
  public double logDeterminant() {
    DMatrixRMaj lower = solver.getDecomposition().getT(null);
    double sum = 0;
    for (int i = 0; i < d; i++) {
      sum += 2 * Math.log(lower.get(i, i) * scale[i]);
    }
    return sum;
  }

  /** Returns M⁻¹, row-major, symmetric to the last bit. */
  public double[] inverse() {
    DMatrixRMaj inverse = new DMatrixRMaj(d, d);
    solver.invert(inverse);
    double[] result = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double value = 0.5 * (inverse.get(i, j) + inverse.get(j, i)) / scale[i] / scale[j];
        result[i * d + j] = value;
        result[j * d + i] = value;
      }
    }
    return result;
  }
}
