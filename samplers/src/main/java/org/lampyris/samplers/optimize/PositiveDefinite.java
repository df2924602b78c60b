package org.lampyris.samplers.optimize;

import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.ejml.dense.row.linsol.chol.LinearSolverChol_DDRM;

/**
 * The Cholesky decomposition of a symmetric positive definite matrix M, scaled to a unit diagonal
 * first: columns of very different scales (a year, a rate) would otherwise pass for a singular
 * matrix.
 */
final class PositiveDefinite {

  /** A pivot of the scaled matrix is 1 − R² on the columns before; below this, it is noise. */
  private static final double SMALLEST_PIVOT = 1e-14;

  private final int d;
  private final double[] scale;
  private final LinearSolverChol_DDRM solver;

  private PositiveDefinite(double[] scale, LinearSolverChol_DDRM solver) {
    this.d = scale.length;
    this.scale = scale;
    this.solver = solver;
  }

  /**
   * Decomposes M, or returns nothing where M is not positive definite to working accuracy.
   *
   * @param matrix row-major d × d; symmetric. Not modified.
   * @param d the dimension, at least 1
   */
  static Optional<PositiveDefinite> decompose(double[] matrix, int d) {
    double[] scale = new double[d];
    for (int i = 0; i < d; i++) {
      scale[i] = Math.sqrt(matrix[i * d + i]);
      if (!(scale[i] > 0) || Double.isInfinite(scale[i])) {
        return Optional.empty();
      }
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
    return Optional.of(new PositiveDefinite(scale, solver));
  }

  /** Returns M⁻¹v. */
  double[] solve(double[] v) {
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

  /** Returns M⁻¹, row-major, symmetric to the last bit. */
  double[] inverse() {
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
