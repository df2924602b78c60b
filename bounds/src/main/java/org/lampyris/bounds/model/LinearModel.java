package org.lampyris.bounds.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Model with one linear predictor: ℓ_n(θ) = w_n · log L(η_n; y_n), η_n = x_nᵀθ + o_n, with the
 * row's weight w_n and offset o_n.
 *
 * <p>∇ℓ_n = w_n·log L′·x_n and ∇²ℓ_n = w_n·log L″·x_n x_nᵀ. Cost per row O(d) for values and
 * gradients, O(d²) for the Hessian; for sparse rows d is the number of stored elements.
 */
public final class LinearModel implements PredictorModel {
  private final Likelihood likelihood;
  private final int columns;

  /** Combines a likelihood with the number of coefficients. */
  public LinearModel(Likelihood likelihood, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException(columns + " columns");
    }
    this.likelihood = Objects.requireNonNull(likelihood);
    this.columns = columns;
  }

  @Override
  public double expense() {
    return likelihood.expense();
  }

  @Override
  public int dimension() {
    return columns;
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public Likelihood given(double[] theta) {
    return likelihood;
  }

  /** {@inheritDoc} Here if the likelihood is in η, which is linear in θ. */
  @Override
  public boolean isConcave() {
    return likelihood.isConcave();
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    return block.weight(row)
        * likelihood.logLikelihood(block.linearPredictor(row, theta), block.response(row));
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double eta = block.linearPredictor(row, theta);
    double y = block.response(row);
    double w = block.weight(row);
    block.addScaled(row, w * likelihood.derivative(eta, y), gradient, 0);
    return w * likelihood.logLikelihood(eta, y);
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    double eta = block.linearPredictor(row, theta);
    double y = block.response(row);
    double w = block.weight(row);
    block.addScaled(row, w * likelihood.derivative(eta, y), gradient, 0);
    block.addOuter(row, w * likelihood.secondDerivative(eta, y), hessian);
    return w * likelihood.logLikelihood(eta, y);
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    block.pass(
        thetas,
        new int[thetas.length],
        (from, to, eta) -> {
          for (int k = 0; k < thetas.length; k++) {
            addOffsets(block, from, to, eta[k]);
            sums[k] +=
                gradients == null
                    ? likelihood.sum(block, from, to, eta[k])
                    : likelihood.slopes(block, from, to, eta[k]);
          }
        },
        gradients);
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    double[] curvature = new double[block.rows()];
    double[] sum = new double[1];
    block.pass(
        new double[][] {theta},
        new int[1],
        (from, to, eta) -> {
          addOffsets(block, from, to, eta[0]);
          likelihood.curvatures(block, from, to, eta[0], curvature);
          sum[0] += likelihood.slopes(block, from, to, eta[0]);
        },
        new double[][] {gradient});
    block.addOuters(curvature, hessian);
    return sum[0];
  }

  /** {@inheritDoc} Here Xᵀ(w·log L″ ∘ Xv_k): a pass over the stored elements. */
  @Override
  public void addHessianProducts(
      DataBlock block, double[] theta, int count, double[] vectors, double[] products) {
    double[] curvature = new double[block.rows()];
    block.pass(
        new double[][] {theta},
        new int[1],
        (from, to, eta) -> {
          addOffsets(block, from, to, eta[0]);
          likelihood.curvatures(block, from, to, eta[0], curvature);
        },
        null);
    block.addProducts(curvature, count, vectors, products);
  }

  private static void addOffsets(DataBlock block, int from, int to, double[] eta) {
    if (block.hasOffset()) {
      for (int row = from; row < to; row++) {
        eta[row - from] += block.offset(row);
      }
    }
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double eta = block.linearPredictor(row, center);
    double y = block.response(row);
    double delta = block.linearPredictor(row, theta) - eta;
    double curvature = order == 2 ? likelihood.secondDerivative(eta, y) : 0;
    double slope = likelihood.derivative(eta, y) + 0.5 * curvature * delta;
    return block.weight(row) * (likelihood.logLikelihood(eta, y) + slope * delta);
  }

  /** {@inheritDoc} Here w(log L′ + log L″ · x_nᵀδ)x_n, at O(d). */
  @Override
  public void addTaylorGradient(
      DataBlock block, int row, double[] center, double[] theta, double[] gradient) {
    double eta = block.linearPredictor(row, center);
    double y = block.response(row);
    double delta = block.linearPredictor(row, theta) - eta;
    double slope = likelihood.derivative(eta, y) + likelihood.secondDerivative(eta, y) * delta;
    block.addScaled(row, block.weight(row) * slope, gradient, 0);
  }

  /** {@inheritDoc} Here c = w · max |dᵏlog L/dηᵏ| · hᵏᐟ², h = x_nᵀΣx_n, for |η − η⋆| ≤ r√h. */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    double length = Math.sqrt(spread[0]);
    if (length == 0) {
      return 0;
    }
    double eta = block.linearPredictor(row, center);
    double reach = radius * length;
    double bound = likelihood.derivativeBound(order, block.response(row), eta - reach, eta + reach);
    return block.weight(row) * bound * Math.pow(length, order);
  }
}
