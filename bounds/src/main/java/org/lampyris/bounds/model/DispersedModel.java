package org.lampyris.bounds.model;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Model with θ = (β, τ), whose rows depend on η_n = x_nᵀβ + o_n and the logarithm τ of a sampled
 * parameter: ℓ_n(θ) = w_n · log L(η_n, τ; y_n), natural log.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian.
 */
public class DispersedModel implements PredictorModel {
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
  public final int columns() {
    return columns;
  }

  @Override
  public Likelihood given(double[] theta) {
    return new GivenDispersion(likelihood.at(theta[columns]));
  }

  @Override
  public void addShared(
      DataBlock block, int from, int to, double[] theta, double[] eta, double[] gradient) {
    DispersedLikelihood.At at = likelihood.at(theta[columns]);
    double[] out = new double[5];
    double sum = 0;
    for (int row = from; row < to; row++) {
      at.derivatives(eta[row - from], block.response(row), out);
      sum += block.weight(row) * out[1];
    }
    gradient[columns] += sum;
  }

  @Override
  public int dimension() {
    return columns + 1;
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    double eta = block.linearPredictor(row, theta);
    return block.weight(row)
        * likelihood.at(theta[columns]).logLikelihood(eta, block.response(row));
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    DispersedLikelihood.At at = likelihood.at(theta[columns]);
    double[] out = new double[5];
    double eta = block.linearPredictor(row, theta);
    double y = block.response(row);
    double w = block.weight(row);
    double value = at.derivatives(eta, y, out);
    block.addScaled(row, w * out[0], gradient, 0);
    gradient[columns] += w * out[1];
    return w * value;
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    DispersedLikelihood.At[] likelihoods =
        Arrays.stream(thetas)
            .map(theta -> likelihood.at(theta[columns]))
            .toArray(DispersedLikelihood.At[]::new);
    double[] out = new double[5];
    block.pass(
        thetas,
        new int[thetas.length],
        (from, to, eta) -> {
          for (int k = 0; k < thetas.length; k++) {
            double value = 0;
            double slope = 0;
            for (int row = from; row < to; row++) {
              double w = block.weight(row);
              double y = block.response(row);
              double own = eta[k][row - from] + block.offset(row);
              if (gradients == null) {
                value += w * likelihoods[k].logLikelihood(own, y);
              } else {
                value += w * likelihoods[k].derivatives(own, y, out);
                slope += w * out[1];
                eta[k][row - from] = w * out[0];
              }
            }
            sums[k] += value;
            if (gradients != null) {
              gradients[k][columns] += slope;
            }
          }
        },
        gradients);
  }

  @Override
  public double addHessians(DataBlock block, double[] theta, double[] gradient, double[] hessian) {
    DispersedLikelihood.At at = likelihood.at(theta[columns]);
    int last = columns * (columns + 1);
    double[] out = new double[5];
    double[] scale = new double[block.rows()];
    double[] cross = new double[columns];
    double[] sum = new double[1];
    block.pass(
        new double[][] {theta, theta},
        new int[2],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            double w = block.weight(row);
            double y = block.response(row);
            double own = eta[0][row - from] + block.offset(row);
            sum[0] += w * at.derivatives(own, y, out);
            eta[0][row - from] = w * out[0];
            gradient[columns] += w * out[1];
            scale[row] = w * out[2];
            eta[1][row - from] = w * out[3];
            hessian[last + columns] += w * out[4];
          }
        },
        new double[][] {gradient, cross});
    double[] gram = new double[columns * columns];
    block.addOuters(scale, gram);
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        hessian[i * (columns + 1) + j] += gram[i * columns + j];
      }
      hessian[last + i] += cross[i];
    }
    return sum[0];
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double eta = block.linearPredictor(row, center);
    double u = block.linearPredictor(row, theta) - eta;
    double v = theta[columns] - center[columns];
    return block.weight(row)
        * taylor(likelihood.at(center[columns]), eta, block.response(row), order, u, v);
  }

  /** Returns the Taylor polynomial of log L about (η, τ), at a distance of u and v. */
  static double taylor(
      DispersedLikelihood.At at, double eta, double y, int order, double u, double v) {
    double[] out = new double[5];
    double atCenter = at.derivatives(eta, y, out);
    double value = atCenter + out[0] * u + out[1] * v;
    if (order == 2) {
      value += 0.5 * out[2] * u * u + out[3] * u * v + 0.5 * out[4] * v * v;
    }
    return value;
  }

  /**
   * {@inheritDoc}
   *
   * <p>For a direction (a, b) in (η, τ), with |a| and |b| at most their lengths, and bounds M₃₀ …
   * M₀₃ on third derivatives in the ball, c = M₃₀|a|³ + 3M₂₁a²|b| + 3M₁₂|a|b² + M₀₃|b|³ for k = 3.
   * For k = 2 it uses the second derivatives at θ⋆ and their largest change up to the ball's edge.
   */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    double[] at = {block.linearPredictor(row, center), center[columns]};
    return block.weight(row)
        * derivativeBound(likelihood, at, block.response(row), order, spread, radius);
  }

  /** Returns the same of a row of weight 1, at given η and τ. */
  static double derivativeBound(
      DispersedLikelihood likelihood,
      double[] center,
      double y,
      int order,
      double[] spread,
      double radius) {
    double a = Math.sqrt(spread[0]);
    double b = Math.sqrt(spread[3]);
    double r = a == 0 ? 0 : radius * a;
    double s = b == 0 ? 0 : radius * b;
    double[] m = new double[4];
    likelihood.thirdDerivatives(center[0], r, center[1], s, y, m);
    double bound;
    if (order == 3) {
      bound = a * a * (m[0] * a + 3 * m[1] * b) + b * b * (3 * m[2] * a + m[3] * b);
    } else {
      double[] at = new double[5];
      likelihood.at(center[1]).derivatives(center[0], y, at);
      bound =
          a * a * (Math.abs(at[2]) + m[0] * r + m[1] * s)
              + 2 * a * b * (Math.abs(at[3]) + m[1] * r + m[2] * s)
              + b * b * (Math.abs(at[4]) + m[2] * r + m[3] * s);
    }
    return Double.isNaN(bound) ? Double.POSITIVE_INFINITY : bound;
  }
}
