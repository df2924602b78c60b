package org.lampyris.samplers.firefly.rates;

import java.io.Serializable;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Gauss–Hermite quadrature for a standard normal: E f(Z) ≈ Σ w_k f(t_k), exact for polynomials up
 * to degree 2·size − 1.
 *
 * <p>The nodes are the eigenvalues of the Jacobi matrix of the Hermite polynomials He_k (zero
 * diagonal, off-diagonal √k) and the weights the squared first components of its unit eigenvectors.
 * Source: Golub and Welsch (1969).
 */
final class GaussHermite implements Serializable {
  private final double[] nodes;
  private final double[] weights;

  GaussHermite(int size) {
    DMatrixRMaj jacobi = new DMatrixRMaj(size, size);
    for (int k = 1; k < size; k++) {
      jacobi.set(k, k - 1, Math.sqrt(k));
      jacobi.set(k - 1, k, Math.sqrt(k));
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(size, true, true);
    if (!eigen.decompose(jacobi)) {
      throw new IllegalStateException("no eigenvalues for " + size + " nodes");
    }
    nodes = new double[size];
    weights = new double[size];
    for (int k = 0; k < size; k++) {
      nodes[k] = eigen.getEigenvalue(k).getReal();
      double first = eigen.getEigenVector(k).get(0);
      weights[k] = first * first;
    }
  }

  double node(int k) {
    return nodes[k];
  }

  double weight(int k) {
    return weights[k];
  }
}
