package org.lampyris.bounds.laplace;

import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.lampyris.bounds.numeric.TriangleRows;
import org.lampyris.bounds.rows.DataBlock;

/**
 * A lower triangular factor, as Cholesky's decomposition gives it. Cost of products O(d²), of
 * memory three d × d matrices.
 */
public final class DenseFactor implements Factor {
  private final int dimension;
  private final double[] lower;
  private final transient TriangleRows lowerRows;
  private final transient TriangleRows upperRows;

  /** Takes L, row-major d × d, zero above the diagonal; not copied. */
  public DenseFactor(int dimension, double[] lower) {
    this.dimension = dimension;
    this.lower = lower;
    this.lowerRows = TriangleRows.lower(lower, dimension);
    this.upperRows = TriangleRows.transposeOfLower(lower, dimension);
  }

  private Object readResolve() {
    return new DenseFactor(dimension, lower);
  }

  /** Returns L, row-major d × d; not to be modified. */
  public double[] lower() {
    return lower;
  }

  /** {@inheritDoc} Here all directions. */
  @Override
  public double[] pliable(double[] u) {
    return u;
  }

  /** {@inheritDoc} Here LC. */
  @Override
  public DenseFactor stretched(double[] stretch) {
    DMatrixRMaj product = new DMatrixRMaj(dimension, dimension);
    CommonOps_DDRM.mult(
        DMatrixRMaj.wrap(dimension, dimension, lower),
        DMatrixRMaj.wrap(dimension, dimension, stretch),
        product);
    return new DenseFactor(dimension, product.data);
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void addTo(double[] z, double scale, double[] out) {
    upperRows.addTransposed(scale, z, out);
  }

  @Override
  public double[] transposed(double[] v) {
    double[] out = new double[dimension];
    lowerRows.addTransposed(1, v, out);
    return out;
  }

  @Override
  public void solve(double[] v) {
    Cholesky.solveLower(lower, v);
  }

  @Override
  public double length(double[] v) {
    double[] u = v.clone();
    upperRows.solveTransposed(u);
    return LaplaceApproximation.norm(u);
  }

  @Override
  public double variance(int j) {
    double sum = 0;
    for (int k = 0; k <= j; k++) {
      sum += lower[j * dimension + k] * lower[j * dimension + k];
    }
    return sum;
  }

  @Override
  public double logDeterminant() {
    double sum = 0;
    for (int j = 0; j < dimension; j++) {
      sum += 2 * Math.log(lower[j * dimension + j]);
    }
    return sum;
  }

  /** {@inheritDoc} Cost O(d²) a row, for sparse rows O(d) for each stored element. */
  @Override
  public double[] lengths(DataBlock block) {
    return block.lengths(lower, dimension);
  }

  @Override
  public List<double[]> numbers() {
    return List.of(lower);
  }
}
