package org.lampyris.bounds.laplace;

import java.util.Arrays;
import java.util.List;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.lampyris.bounds.numeric.TriangleRows;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The factor L = R⁻ᵀ of Σ = A⁻¹ for a precision A = RRᵀ, R lower triangular: one decomposition and
 * one triangular inverse, where the covariance and its own factor would take three times as long.
 * Cost of products O(d²).
 */
public final class PrecisionFactor implements Factor {
  private final int dimension;
  private final double[] root;
  private final double[] inverse;
  private final transient TriangleRows inverseRows;
  private final transient TriangleRows inverseColumns;
  private final transient TriangleRows rootRows;

  private PrecisionFactor(int dimension, double[] root, double[] inverse) {
    this.dimension = dimension;
    this.root = root;
    this.inverse = inverse;
    this.inverseRows = TriangleRows.lower(inverse, dimension);
    this.inverseColumns = TriangleRows.transposeOfLower(inverse, dimension);
    this.rootRows = TriangleRows.lower(root, dimension);
  }

  /**
   * Decomposes A. Cost O(d³).
   *
   * @param precision A, row-major d × d, symmetric. Not modified.
   * @throws IllegalArgumentException if A is not positive definite
   */
  public static PrecisionFactor of(double[] precision, int dimension) {
    double[] root = Cholesky.lower(precision, dimension);
    double[] inverse = new double[root.length];
    TriangularSolver_DDRM.invertLower(root, inverse, dimension);
    return new PrecisionFactor(dimension, root, inverse);
  }

  private Object readResolve() {
    return new PrecisionFactor(dimension, root, inverse);
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void addTo(double[] z, double scale, double[] out) {
    inverseRows.addTransposed(scale, z, out);
  }

  @Override
  public double[] transposed(double[] v) {
    double[] out = new double[dimension];
    inverseColumns.addTransposed(1, v, out);
    return out;
  }

  /** {@inheritDoc} Here by Rᵀv. */
  @Override
  public void solve(double[] v) {
    double[] out = new double[dimension];
    rootRows.addTransposed(1, v, out);
    System.arraycopy(out, 0, v, 0, dimension);
  }

  /** Returns A⁻¹v. v is not modified. */
  public double[] solvePrecision(double[] v) {
    double[] out = new double[dimension];
    addTo(transposed(v), 1, out);
    return out;
  }

  @Override
  public double variance(int j) {
    double sum = 0;
    for (int i = j; i < dimension; i++) {
      sum += inverse[i * dimension + j] * inverse[i * dimension + j];
    }
    return sum;
  }

  @Override
  public double logDeterminant() {
    double sum = 0;
    for (int j = 0; j < dimension; j++) {
      sum -= 2 * Math.log(root[j * dimension + j]);
    }
    return sum;
  }

  /** {@inheritDoc} By products with R⁻¹. Cost O(d²) a row. */
  @Override
  public double[] lengths(DataBlock block) {
    double[] lengths = new double[block.rows()];
    double[] row = new double[dimension];
    for (int n = 0; n < lengths.length; n++) {
      Arrays.fill(row, 0);
      block.addScaled(n, 1, row, 0);
      lengths[n] = LaplaceApproximation.norm(transposed(row));
    }
    return lengths;
  }

  /** {@inheritDoc} Here none. */
  @Override
  public double[] pliable(double[] u) {
    return new double[0];
  }

  /** {@inheritDoc} Here nothing can be stretched. */
  @Override
  public PrecisionFactor stretched(double[] stretch) {
    return this;
  }

  @Override
  public List<double[]> numbers() {
    return List.of(root);
  }
}
