package org.lampyris.bounds.model;

import java.util.Objects;
import org.lampyris.bounds.block.DataBlock;

/**
 * A model whose rows depend on θ = (β, τ) through η_n = x_nᵀβ + o_n and the logarithm τ of a
 * parameter that is sampled: ℓ_n(θ) = w_n · log L(η_n, τ; y_n), natural log.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian. No bound on third
 * derivatives is known, so that rows are not subsampled.
 */
public final class DispersedModel implements Model {
  private final DispersedLikelihood likelihood;
  private final int columns;

  /** Takes D, how many features a row has; θ has one element more. */
  public DispersedModel(DispersedLikelihood likelihood, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException(columns + " columns");
    }
    this.likelihood = Objects.requireNonNull(likelihood);
    this.columns = columns;
  }

  @Override
  public int dimension() {
    return columns + 1;
  }

  /** Returns 2: η and τ. */
  @Override
  public int functionals() {
    return 2;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return k == 0 ? block.dot(row, u, from) : u[from + columns];
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row) * likelihood.logLikelihood(eta, theta[columns], block.response(row));
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double[] derivatives = new double[5];
    return addGradient(block, row, theta, gradient, derivatives);
  }

  private double addGradient(
      DataBlock block, int row, double[] theta, double[] gradient, double[] derivatives) {
    double eta = block.linearPredictor(row, theta);
    double y = block.response(row);
    double w = block.weight(row);
    likelihood.derivatives(eta, theta[columns], y, derivatives);
    block.addScaled(row, w * derivatives[0], gradient, 0);
    gradient[columns] += w * derivatives[1];
    return w * likelihood.logLikelihood(eta, theta[columns], y);
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    double[] scale = new double[block.rows()];
    double[] cross = new double[columns];
    double[] last = new double[1];
    double value = addRow(block, row, theta, gradient, scale, cross, last);
    double[] gram = new double[columns * columns];
    block.addOuter(row, scale[row], gram);
    addTo(hessian, gram, cross, last[0]);
    return value;
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    double[] scale = new double[block.rows()];
    double[] cross = new double[columns];
    double[] last = new double[1];
    double sum = 0;
    for (int row = 0; row < block.rows(); row++) {
      sum += addRow(block, row, theta, gradient, scale, cross, last);
    }
    double[] gram = new double[columns * columns];
    block.addOuters(scale, gram);
    addTo(hessian, gram, cross, last[0]);
    return sum;
  }

  /** Adds a row's gradient and all of its Hessian but what {@code scale} is then the factor of. */
  private double addRow(
      DataBlock block,
      int row,
      double[] theta,
      double[] gradient,
      double[] scale,
      double[] cross,
      double[] last) {
    double[] derivatives = new double[5];
    double value = addGradient(block, row, theta, gradient, derivatives);
    double w = block.weight(row);
    scale[row] = w * derivatives[2];
    block.addScaled(row, w * derivatives[3], cross, 0);
    last[0] += w * derivatives[4];
    return value;
  }

  private void addTo(double[] hessian, double[] gram, double[] cross, double last) {
    int d = columns + 1;
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        hessian[i * d + j] += gram[i * columns + j];
      }
      hessian[columns * d + i] += cross[i];
    }
    hessian[columns * d + columns] += last;
  }
}
