package org.lampyris.samplers.kernel;

import java.util.Arrays;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.samplers.rows.Stored;

/**
 * Spread of draws in coordinates that should make their covariance I, with the directions along
 * which it is larger than chance explains.
 *
 * <p>The eigenvalues of the covariance of m independent draws from N(0, I) in d dimensions lie
 * below (1 + √γ)², γ = d/m, if m and d are large (Marchenko and Pastur 1967). A larger one stands
 * out: the variance there is ℓ > 1, with the eigenvalue ℓ(1 + γ/(ℓ − 1)) (Baik and Silverstein
 * 2006, theorem 1.1), and is found by solving this. In all other directions the coordinates are
 * taken to be right: where nothing stands out, noise changes nothing. Immutable.
 *
 * @param count how many draws
 * @param mean their mean; not copied
 * @param products Σ (u − mean)(u − mean)ᵀ, row-major d × d, with the lower triangle used; not
 *     copied
 */
public record Spread(int count, double[] mean, double[] products) implements Stored {
  /** Number of draws of a chain that count as one independent draw. */
  private static final double DRAWS_FOR_ONE = 3;

  /** Returns the spread of no draws. */
  public static Spread none(int dimension) {
    return new Spread(0, new double[dimension], new double[dimension * dimension]);
  }

  /** Returns the spread with another draw, by Welford's formulas. u is not modified. Cost O(d²). */
  public Spread with(double[] u) {
    int d = u.length;
    double[] after = mean.clone();
    double[] sums = products.clone();
    for (int i = 0; i < d; i++) {
      double before = u[i] - mean[i];
      after[i] += before / (count + 1);
      for (int j = 0; j <= i; j++) {
        sums[i * d + j] += before * (u[j] - after[j]);
      }
    }
    return new Spread(count + 1, after, sums);
  }

  /**
   * Returns the lower factor C, row-major, of the covariance CCᵀ = I + Σ (ℓ − 1)vvᵀ, over the
   * directions v that stand out; empty if none does, or there are fewer draws than dimensions. Cost
   * O(d³).
   */
  public Optional<double[]> stretch() {
    int d = mean.length;
    if (count < Math.max(2, d)) {
      return Optional.empty();
    }
    DMatrixRMaj covariance = new DMatrixRMaj(d, d);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double value = products[i * d + j] / (count - 1);
        covariance.set(i, j, value);
        covariance.set(j, i, value);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
    if (!Arrays.stream(covariance.data).allMatch(Double::isFinite)
        || !eigen.decompose(covariance)) {
      return Optional.empty();
    }
    double ratio = DRAWS_FOR_ONE * d / count;
    double edge = (1 + Math.sqrt(ratio)) * (1 + Math.sqrt(ratio));
    double[] shape = new double[d * d];
    for (int i = 0; i < d; i++) {
      shape[i * d + i] = 1;
    }
    boolean some = false;
    for (int k = 0; k < d; k++) {
      double value = eigen.getEigenvalue(k).getReal();
      if (value > edge) {
        some = true;
        double b = value + 1 - ratio;
        double excess = 0.5 * (b + Math.sqrt(b * b - 4 * value)) - 1;
        DMatrixRMaj v = eigen.getEigenVector(k);
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            shape[i * d + j] += excess * v.get(i, 0) * v.get(j, 0);
          }
        }
      }
    }
    return some ? Optional.of(Cholesky.lower(shape, d)) : Optional.empty();
  }
}
