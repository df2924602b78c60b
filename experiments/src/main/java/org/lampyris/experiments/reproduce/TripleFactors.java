package org.lampyris.experiments.reproduce;

import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Factors of a Markov random field over binary variables as the rows of a model: θ is x ∈ {0, 1}^d,
 * and a row is a factor of three variables, log f(x_i, x_j, x_k). Its columns are i, j, k and the
 * eight values of log f, the second of them for (0, 0, 1).
 *
 * @param dimension d
 */
record TripleFactors(int dimension) implements Model {
  /** Number of columns of a factor. */
  static final int COLUMNS = 11;

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    int state = 0;
    for (int k = 0; k < 3; k++) {
      state = 2 * state + (int) theta[(int) block.feature(row, k)];
    }
    return block.feature(row, 3 + state);
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    throw new UnsupportedOperationException("binary variables have no gradient");
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    throw new UnsupportedOperationException("binary variables have no gradient");
  }
}
