package org.lampyris.bounds.laplace;

import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The factor of a covariance whose inverse is a diagonal plus a matrix of rank r, with nothing of
 * size d × d:
 *
 * <p>Σ⁻¹ = D^½ (I + V(Λ − I)Vᵀ) D^½ and L = D^-½ (I + V(Λ^-½ − I)Vᵀ),
 *
 * <p>where V has r orthonormal columns. Take the diagonal D of a precision matrix P, and eigenpairs
 * (λ_k, v_k) of D^-½PD^-½. The factor is P's inverse along these eigenvectors, and replaces all
 * other eigenvalues, whose mean is near 1, by 1. L is no triangle, but LLᵀ = Σ is all that is
 * asked. Immutable. Cost of products and of memory O(dr).
 */
public final class LowRankFactor implements Factor {
  /** A product of two vectors of V is a rounding error, or they are not orthonormal. */
  private static final double ROUNDING = 1e-8;

  private final double[] diagonal;
  private final double[] eigenvalues;
  private final double[][] vectors;
  private final double[] roots;

  /**
   * Takes the parts; nothing is copied.
   *
   * @param diagonal D, d elements above 0
   * @param eigenvalues λ, r elements above 0
   * @param vectors Vᵀ, r × d
   * @throws IllegalArgumentException if a number is not above 0, or V is not orthonormal
   */
  public LowRankFactor(double[] diagonal, double[] eigenvalues, double[][] vectors) {
    this.diagonal = diagonal;
    this.eigenvalues = eigenvalues;
    this.vectors = vectors;
    this.roots = Arrays.stream(diagonal).map(Math::sqrt).toArray();
    if (!arePositive(diagonal) || !arePositive(eigenvalues) || !areOrthonormal()) {
      throw new IllegalArgumentException(
          "a diagonal of %s and %s eigenvalues, or their vectors"
              .formatted(diagonal.length, eigenvalues.length));
    }
  }

  private static boolean arePositive(double[] values) {
    return Arrays.stream(values).allMatch(x -> x > 0 && x < Double.POSITIVE_INFINITY);
  }

  private boolean areOrthonormal() {
    boolean are = vectors.length == eigenvalues.length;
    for (int k = 0; k < vectors.length && are; k++) {
      are = vectors[k].length == diagonal.length;
      for (int l = 0; l <= k && are; l++) {
        are = Math.abs(dot(vectors[k], vectors[l]) - (k == l ? 1 : 0)) < ROUNDING;
      }
    }
    return are;
  }

  /** Returns D; not to be modified. */
  public double[] diagonal() {
    return diagonal;
  }

  /** Returns λ; not to be modified. */
  public double[] eigenvalues() {
    return eigenvalues;
  }

  /** Returns Vᵀ; not to be modified. */
  public double[][] vectors() {
    return vectors;
  }

  @Override
  public int dimension() {
    return diagonal.length;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Replaces v by (I + V(Λᵖ − I)Vᵀ)v. */
  private void scale(double[] v, double power) {
    // V is orthonormal, so that what one of its columns adds changes no product with another one.
    for (int k = 0; k < vectors.length; k++) {
      double factor = (Math.pow(eigenvalues[k], power) - 1) * dot(vectors[k], v);
      double[] vector = vectors[k];
      for (int i = 0; i < v.length; i++) {
        v[i] += factor * vector[i];
      }
    }
  }

  @Override
  public void addTo(double[] z, double scale, double[] out) {
    double[] scaled = z.clone();
    scale(scaled, -0.5);
    for (int i = 0; i < scaled.length; i++) {
      out[i] += scale * (scaled[i] / roots[i]);
    }
  }

  @Override
  public double[] transposed(double[] v) {
    double[] out = new double[v.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = v[i] / roots[i];
    }
    scale(out, -0.5);
    return out;
  }

  @Override
  public void solve(double[] v) {
    for (int i = 0; i < v.length; i++) {
      v[i] *= roots[i];
    }
    scale(v, 0.5);
  }

  @Override
  public double variance(int j) {
    double sum = 1;
    for (int k = 0; k < vectors.length; k++) {
      sum += (1 / eigenvalues[k] - 1) * (vectors[k][j] * vectors[k][j]);
    }
    return sum / diagonal[j];
  }

  @Override
  public double logDeterminant() {
    return -Arrays.stream(diagonal).map(Math::log).sum()
        - Arrays.stream(eigenvalues).map(Math::log).sum();
  }

  /** {@inheritDoc} Cost O(dr) a row. */
  @Override
  public double[] lengths(DataBlock block) {
    double[] lengths = new double[block.rows()];
    for (int row = 0; row < lengths.length; row++) {
      double[] x = new double[diagonal.length];
      block.addScaled(row, 1, x, 0);
      lengths[row] = LaplaceApproximation.norm(transposed(x));
    }
    return lengths;
  }

  /** {@inheritDoc} Here Vᵀu. */
  @Override
  public double[] pliable(double[] u) {
    return Arrays.stream(vectors).mapToDouble(vector -> dot(vector, u)).toArray();
  }

  /** {@inheritDoc} Here V and Λ come from the eigenvectors of Λ^-½CCᵀΛ^-½. */
  @Override
  public LowRankFactor stretched(double[] stretch) {
    int r = vectors.length;
    DMatrixRMaj along = new DMatrixRMaj(r, r);
    for (int a = 0; a < r; a++) {
      for (int b = 0; b <= a; b++) {
        double sum = 0;
        for (int k = 0; k <= b; k++) {
          sum += stretch[a * r + k] * stretch[b * r + k];
        }
        double value = sum / Math.sqrt(eigenvalues[a] * eigenvalues[b]);
        along.set(a, b, value);
        along.set(b, a, value);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(r, true, true);
    if (!eigen.decompose(along)) {
      throw new ArithmeticException("the eigenvalues of a covariance");
    }
    double[] values = new double[r];
    double[][] turned = new double[r][diagonal.length];
    for (int k = 0; k < r; k++) {
      values[k] = 1 / eigen.getEigenvalue(k).getReal();
      double[] weights = eigen.getEigenVector(k).getData();
      for (int a = 0; a < r; a++) {
        for (int j = 0; j < diagonal.length; j++) {
          turned[k][j] += weights[a] * vectors[a][j];
        }
      }
    }
    return new LowRankFactor(diagonal, values, turned);
  }

  @Override
  public List<double[]> numbers() {
    return List.of(
        diagonal, eigenvalues, Arrays.stream(vectors).flatMapToDouble(Arrays::stream).toArray());
  }
}
