package org.lampyris.bounds.laplace;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.linsol.chol.LinearSolverChol_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;
import org.lampyris.bounds.numeric.Arrow;

/**
 * Cholesky decomposition of a symmetric positive definite matrix M, scaled to a unit diagonal
 * first. Columns with very different scales (a year, a rate) would otherwise look singular. {@link
 * #lower} gives the factor of a matrix as it is.
 *
 * <p>The levels of a factor do not meet. A matrix with many such elements has an {@link Arrow}, and
 * is decomposed by a {@link PrecisionFactor} at its cost.
 */
public final class Cholesky {
  /** A pivot of the scaled matrix is 1 − R² on the columns before; below this, it is noise. */
  private static final double SMALLEST_PIVOT = 1e-14;

  private final double[] scale;
  private final Scaled scaled;

  private Cholesky(double[] scale, Scaled scaled) {
    this.scale = scale;
    this.scaled = scaled;
  }

  /** The scaled matrix, decomposed. */
  private interface Scaled {
    /** Returns the smallest element of the factor's diagonal, squared. */
    double smallestPivot();

    /** Returns its inverse times v. v is not modified. */
    double[] solve(double[] v);

    double logDeterminant();

    /** Returns its inverse, row-major. */
    double[] inverse();
  }

  /** By EJML. */
  private record Dense(LinearSolverChol_DDRM solver, DMatrixRMaj lower) implements Scaled {
    @Override
    public double smallestPivot() {
      return IntStream.range(0, lower.numRows)
          .mapToDouble(i -> lower.get(i, i) * lower.get(i, i))
          .reduce(Double.POSITIVE_INFINITY, Math::min); // NaN if one is
    }

    @Override
    public double[] solve(double[] v) {
      DMatrixRMaj x = new DMatrixRMaj(v.length, 1);
      solver.solve(DMatrixRMaj.wrap(v.length, 1, v.clone()), x);
      return x.data;
    }

    @Override
    public double logDeterminant() {
      return IntStream.range(0, lower.numRows)
          .mapToDouble(i -> 2 * Math.log(lower.get(i, i)))
          .sum();
    }

    @Override
    public double[] inverse() {
      DMatrixRMaj inverse = new DMatrixRMaj(lower.numRows, lower.numRows);
      solver.invert(inverse);
      return inverse.data;
    }
  }

  /** By an arrow. */
  private record OfArrow(PrecisionFactor factor) implements Scaled {
    @Override
    public double smallestPivot() {
      return factor.smallestPivot();
    }

    @Override
    public double[] solve(double[] v) {
      return factor.solvePrecision(v);
    }

    @Override
    public double logDeterminant() {
      return -factor.logDeterminant();
    }

    @Override
    public double[] inverse() {
      return factor.covariance();
    }
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
    double[] scaled = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        scaled[i * d + j] = matrix[i * d + j] / scale[i] / scale[j];
      }
    }
    return decomposed(scaled, d)
        .filter(decomposed -> decomposed.smallestPivot() > SMALLEST_PIVOT)
        .map(decomposed -> new Cholesky(scale, decomposed));
  }

  private static Optional<Scaled> decomposed(double[] scaled, int d) {
    Arrow arrow = Arrow.of(scaled, d);
    if (arrow.apart().length > 0) {
      try {
        return Optional.of(new OfArrow(PrecisionFactor.of(scaled, d, arrow)));
      } catch (IllegalArgumentException e) {
        return Optional.empty(); // not positive definite
      }
    }
    CholeskyDecompositionInner_DDRM cholesky = new CholeskyDecompositionInner_DDRM(true);
    LinearSolverChol_DDRM solver = new LinearSolverChol_DDRM(cholesky);
    return solver.setA(DMatrixRMaj.wrap(d, d, scaled))
        ? Optional.of(new Dense(solver, cholesky.getT()))
        : Optional.empty();
  }

  /** Returns M⁻¹v. v is not modified. */
  public double[] solve(double[] v) {
    double[] divided = v.clone();
    divide(divided);
    double[] result = scaled.solve(divided);
    divide(result);
    return result;
  }

  private void divide(double[] v) {
    for (int i = 0; i < v.length; i++) {
      v[i] /= scale[i];
    }
  }

  /** Returns log det M, natural log. */
  public double logDeterminant() {
    return scaled.logDeterminant() + 2 * Arrays.stream(scale).map(Math::log).sum();
  }

  /** Returns M⁻¹, row-major, symmetric to the last bit. */
  public double[] inverse() {
    int d = scale.length;
    double[] inverse = scaled.inverse();
    double[] result = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double value = 0.5 * (inverse[i * d + j] + inverse[j * d + i]) / scale[i] / scale[j];
        result[i * d + j] = value;
        result[j * d + i] = value;
      }
    }
    return result;
  }
}
