package org.lampyris.bounds.model;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * The rows of a normal regression as D + 1 rows. Their likelihood depends on the rows through Σ w_n
 * and Σ w_n (y_n − η_n)² alone. The latter is a quadratic form: with r_n = y_n − x_nᵀb − o_n, the
 * residuals about some b,
 *
 * <pre>Σ w_n (y_n − η_n)² = (b − β, 1) G (b − β, 1)ᵀ, G = Σ w_n (x_n, r_n)(x_n, r_n)ᵀ.</pre>
 *
 * <p>With G = Σ_k λ_k v_k v_kᵀ, take the vectors √λ_k v_k as rows with equal weights that add up to
 * Σ w_n. They have the same likelihood at every β and σ, to the rounding of G. About the mode the
 * residuals are as small as they get, and nothing large cancels.
 */
public final class LeastSquares {
  private LeastSquares() {}

  /** Returns the number of sums for D columns: X′WX, X′Wr, r′Wr and Σ w. */
  public static int length(int columns) {
    return columns * columns + columns + 2;
  }

  /**
   * Adds the sums of a block.
   *
   * @param b what residuals are about: its first D elements. Not modified.
   * @param sums of length {@link #length}. Modified.
   */
  public static void add(DataBlock block, double[] b, double[] sums) {
    int d = block.columns();
    double[] weight = new double[block.rows()];
    double[] products = new double[d];
    block.pass(
        new double[][] {b},
        new int[1],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            double w = block.weight(row);
            double r = block.response(row) - eta[0][row - from] - block.offset(row);
            weight[row] = w;
            eta[0][row - from] = w * r;
            sums[d * d + d] += w * r * r;
            sums[d * d + d + 1] += w;
          }
        },
        new double[][] {products});
    block.addOuters(weight, sums);
    for (int j = 0; j < d; j++) {
      sums[d * d + j] += products[j];
    }
  }

  /**
   * Returns the D + 1 rows.
   *
   * @param b what the residuals of the sums are about. Not modified.
   * @param sums the sums of all rows. Not modified.
   */
  public static DataBlock rows(int columns, double[] b, double[] sums) {
    int n = columns + 1;
    double[] scale = new double[n];
    for (int i = 0; i < n; i++) {
      double size = Math.sqrt(gram(columns, sums, i, i));
      scale[i] = size > 0 ? size : 1;
    }
    DMatrixRMaj g = new DMatrixRMaj(n, n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double element = gram(columns, sums, i, j) / scale[i] / scale[j];
        g.set(i, j, element);
        g.set(j, i, element);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(n, true, true);
    if (!eigen.decompose(g)) {
      throw new ArithmeticException("the eigenvalues of the columns' products did not converge");
    }
    double weight = sums[columns * columns + columns + 1] / n;
    double[] features = new double[n * columns];
    double[] response = new double[n];
    double[] weights = new double[n];
    Arrays.fill(weights, weight);
    for (int k = 0; k < n; k++) {
      double length = Math.sqrt(Math.max(0, eigen.getEigenvalue(k).getReal()) / weight);
      DMatrixRMaj vector = eigen.getEigenVector(k);
      double fitted = 0;
      for (int j = 0; j < columns; j++) {
        features[k * columns + j] = length * vector.get(j) * scale[j];
        fitted += features[k * columns + j] * b[j];
      }
      response[k] = length * vector.get(columns) * scale[columns] + fitted;
    }
    return new DenseBlock(0, columns, features, response, weights);
  }

  /** Returns an element of G, i ≥ j. */
  private static double gram(int columns, double[] sums, int i, int j) {
    return i < columns
        ? sums[i * columns + j]
        : j < columns ? sums[columns * columns + j] : sums[columns * columns + columns];
  }
}
