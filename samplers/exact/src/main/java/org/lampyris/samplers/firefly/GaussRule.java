package org.lampyris.samplers.firefly;

import java.util.function.IntToDoubleFunction;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Gauss quadrature for a probability density: E f(X) ≈ Σ w_k f(t_k), exact for polynomials up to
 * degree 2·size − 1.
 *
 * <p>The nodes are the eigenvalues of the Jacobi matrix of the density's orthogonal polynomials,
 * the weights the squared first components of unit eigenvectors. Source: Golub and Welsch (1969).
 *
 * @param nodes t_k
 */
record GaussRule(double[] nodes, double[] weights) implements PerRowRates.Cubature {
  /** For a standard normal (Hermite polynomials He_k): the diagonal is 0, what is beside it √k. */
  static GaussRule hermite(int size) {
    return of(size, k -> 0, k -> Math.sqrt(k));
  }

  /** For Gamma(α + 1), of density in proportion to x^α e^−x (Laguerre polynomials). */
  static GaussRule laguerre(int size, double alpha) {
    return of(size, k -> 2 * k + 1 + alpha, k -> Math.sqrt(k * (k + alpha)));
  }

  private static GaussRule of(int size, IntToDoubleFunction diagonal, IntToDoubleFunction beside) {
    DMatrixRMaj jacobi = new DMatrixRMaj(size, size);
    for (int k = 0; k < size; k++) {
      jacobi.set(k, k, diagonal.applyAsDouble(k));
      if (k > 0) {
        jacobi.set(k, k - 1, beside.applyAsDouble(k));
        jacobi.set(k - 1, k, beside.applyAsDouble(k));
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size, true, true);
    if (!eigen.decompose(jacobi)) {
      throw new IllegalStateException("no eigenvalues for " + size + " nodes");
    }
    double[] nodes = new double[size];
    double[] weights = new double[size];
    for (int k = 0; k < size; k++) {
      nodes[k] = eigen.getEigenvalue(k).getReal();
      double first = eigen.getEigenVector(k).get(0);
      weights[k] = first * first;
    }
    return new GaussRule(nodes, weights);
  }

  @Override
  public int size() {
    return nodes.length;
  }

  @Override
  public double node(int k, int i) {
    return nodes[k];
  }

  @Override
  public double weight(int k) {
    return weights[k];
  }
}
