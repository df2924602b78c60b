package org.lampyris.bounds.laplace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.lampyris.bounds.numeric.Arrow;
import org.lampyris.bounds.numeric.MatrixRows;
import org.lampyris.bounds.numeric.TriangleRows;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The factor L = R⁻ᵀ of Σ = A⁻¹ for a precision A = RRᵀ, R lower triangular once the elements of
 * A's {@link Arrow} come first:
 *
 * <pre>
 * R = | G  0 |   GGᵀ = D, block by block,  W = C·G⁻ᵀ
 *     | W  S |   SSᵀ = B − WWᵀ
 * </pre>
 *
 * <p>Cost of a decomposition O(|E||F|² + |F|³), of products O(|E||F| + |F|²). Where A has no arrow,
 * F is everything.
 */
public final class PrecisionFactor implements Factor {
  private final Arrow arrow;
  private final double[][] corner;
  private final double[][] cross;
  private final double[] root;
  private final double[] inverse;
  private final transient MatrixRows crossRows;
  private final transient MatrixRows crossColumns;
  private final transient TriangleRows inverseRows;
  private final transient TriangleRows inverseColumns;
  private final transient TriangleRows rootRows;

  private PrecisionFactor(
      Arrow arrow, double[][] corner, double[][] cross, double[] root, double[] inverse) {
    this.arrow = arrow;
    this.corner = corner;
    this.cross = cross;
    this.root = root;
    this.inverse = inverse;
    int rest = cross.length;
    this.crossRows = MatrixRows.of(cross);
    this.crossColumns = crossRows.transpose(corner.length);
    this.inverseRows = TriangleRows.lower(inverse, rest);
    this.inverseColumns = TriangleRows.transposeOfLower(inverse, rest);
    this.rootRows = TriangleRows.lower(root, rest);
  }

  /**
   * Decomposes A.
   *
   * @param precision A, row-major d × d, symmetric. Not modified.
   * @throws IllegalArgumentException if A is not positive definite
   */
  public static PrecisionFactor of(double[] precision, int d) {
    return of(precision, d, Arrow.of(precision, d));
  }

  /** Decomposes A, whose arrow is known. */
  static PrecisionFactor of(double[] precision, int d, Arrow arrow) {
    int[] rest = arrow.rest();
    double[][] corner = arrow.blocks(precision, d);
    decompose(corner, arrow.ends());
    double[][] cross = Arrow.part(precision, d, rest, arrow.apart());
    double[] schur = new double[rest.length * rest.length];
    for (int i = 0; i < rest.length; i++) {
      solve(corner, arrow.ends(), cross[i]);
      for (int j = 0; j <= i; j++) {
        double sum = precision[rest[i] * d + rest[j]] - dot(cross[i], cross[j]);
        schur[i * rest.length + j] = sum;
        schur[j * rest.length + i] = sum;
      }
    }
    double[] root = Cholesky.lower(schur, rest.length);
    double[] inverse = new double[root.length];
    TriangularSolver_DDRM.invertLower(root, inverse, rest.length);
    return new PrecisionFactor(arrow, corner, cross, root, inverse);
  }

  private Object readResolve() {
    return new PrecisionFactor(arrow, corner, cross, root, inverse);
  }

  /** Replaces the rows of D by those of G. */
  private static void decompose(double[][] rows, int[] ends) {
    for (int k = 0; k < rows.length; k++) {
      int from = ends[k] - rows[k].length;
      for (int j = from; j <= k; j++) {
        double sum = rows[k][j - from];
        for (int l = from; l < j; l++) {
          sum -= rows[k][l - from] * rows[j][l - from];
        }
        if (j == k && !(sum > 0)) {
          throw new IllegalArgumentException("the precision is not positive definite");
        }
        rows[k][j - from] = j == k ? Math.sqrt(sum) : sum / rows[j][j - from];
      }
      Arrays.fill(rows[k], k - from + 1, rows[k].length, 0);
    }
  }

  /** Replaces v by G⁻¹v. */
  private static void solve(double[][] corner, int[] ends, double[] v) {
    for (int k = 0; k < v.length; k++) {
      double[] row = corner[k];
      int from = ends[k] - row.length;
      double sum = v[k];
      for (int l = from; l < k; l++) {
        sum -= row[l - from] * v[l];
      }
      v[k] = sum / row[k - from];
    }
  }

  /** Replaces v by G⁻ᵀv. */
  private void solveTransposed(double[] v) {
    for (int k = v.length - 1; k >= 0; k--) {
      int end = arrow.ends()[k];
      int from = end - corner[k].length;
      double sum = v[k];
      for (int l = k + 1; l < end; l++) {
        sum -= corner[l][k - from] * v[l];
      }
      v[k] = sum / corner[k][k - from];
    }
  }

  private static double dot(double[] a, double[] b) {
    double even = 0;
    double odd = 0;
    int i = 0;
    for (; i + 1 < a.length; i += 2) {
      even += a[i] * b[i];
      odd += a[i + 1] * b[i + 1];
    }
    return i < a.length ? even + odd + a[i] * b[i] : even + odd;
  }

  @Override
  public int dimension() {
    return corner.length + cross.length;
  }

  /** {@inheritDoc} x_F = S⁻ᵀz_F, x_E = G⁻ᵀ(z_E − Wᵀx_F). */
  @Override
  public void addTo(double[] z, double scale, double[] out) {
    double[] rest = new double[cross.length];
    inverseRows.addTransposed(1, Arrow.pick(arrow.rest(), z), rest);
    double[] apart = Arrow.pick(arrow.apart(), z);
    crossRows.addTransposed(-1, rest, apart);
    solveTransposed(apart);
    double[] all = arrow.joined(apart, rest);
    for (int i = 0; i < out.length; i++) {
      out[i] += scale * all[i];
    }
  }

  /** {@inheritDoc} w_E = G⁻¹v_E, w_F = S⁻¹(v_F − Ww_E). */
  @Override
  public double[] transposed(double[] v) {
    double[] apart = Arrow.pick(arrow.apart(), v);
    solve(corner, arrow.ends(), apart);
    double[] rest = Arrow.pick(arrow.rest(), v);
    crossColumns.addTransposed(-1, apart, rest);
    double[] below = new double[rest.length];
    inverseColumns.addTransposed(1, rest, below);
    return arrow.joined(apart, below);
  }

  /** {@inheritDoc} Here by Rᵀv. */
  @Override
  public void solve(double[] v) {
    double[] apart = Arrow.pick(arrow.apart(), v);
    double[] rest = Arrow.pick(arrow.rest(), v);
    double[] above = new double[apart.length];
    for (int k = 0; k < apart.length; k++) {
      int from = arrow.ends()[k] - corner[k].length;
      for (int l = from; l <= k; l++) {
        above[l] += corner[k][l - from] * apart[k];
      }
    }
    crossRows.addTransposed(1, rest, above);
    double[] below = new double[rest.length];
    rootRows.addTransposed(1, rest, below);
    System.arraycopy(arrow.joined(above, below), 0, v, 0, v.length);
  }

  /** Returns A⁻¹v. v is not modified. */
  public double[] solvePrecision(double[] v) {
    double[] out = new double[v.length];
    addTo(transposed(v), 1, out);
    return out;
  }

  /** Returns A⁻¹, row-major. Cost: d products. */
  public double[] covariance() {
    int d = dimension();
    double[] covariance = new double[d * d];
    for (int j = 0; j < d; j++) {
      double[] unit = new double[d];
      unit[j] = 1;
      double[] column = solvePrecision(unit);
      for (int i = 0; i <= j; i++) {
        covariance[i * d + j] = column[i];
        covariance[j * d + i] = column[i];
      }
    }
    return covariance;
  }

  /** {@inheritDoc} Cost: a product. */
  @Override
  public double variance(int j) {
    double[] unit = new double[dimension()];
    unit[j] = 1;
    double length = LaplaceApproximation.norm(transposed(unit));
    return length * length;
  }

  /** Returns the smallest element of R's diagonal, squared. */
  double smallestPivot() {
    double smallest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < corner.length; k++) {
      smallest = Math.min(smallest, corner[k][k - arrow.ends()[k] + corner[k].length]);
    }
    for (int j = 0; j < cross.length; j++) {
      smallest = Math.min(smallest, root[j * cross.length + j]);
    }
    return smallest * smallest;
  }

  @Override
  public double logDeterminant() {
    double sum = 0;
    for (int k = 0; k < corner.length; k++) {
      sum -= 2 * Math.log(corner[k][k - arrow.ends()[k] + corner[k].length]);
    }
    for (int j = 0; j < cross.length; j++) {
      sum -= 2 * Math.log(root[j * cross.length + j]);
    }
    return sum;
  }

  /** {@inheritDoc} Cost: a product a row. */
  @Override
  public double[] lengths(DataBlock block) {
    double[] lengths = new double[block.rows()];
    double[] row = new double[dimension()];
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
    List<double[]> all = new ArrayList<>(Arrays.asList(corner));
    all.addAll(Arrays.asList(cross));
    all.add(root);
    return all;
  }
}
