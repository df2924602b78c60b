package org.lampyris.bounds.family.gaussian;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.Model;

/**
 * Linear regression with the standard deviation of the noise sampled on the log scale: θ = (β, τ),
 * τ = log σ, and with r = y − η, η = x_nᵀβ + o_n,
 *
 * <pre>ℓ_n(θ) = w_n · (−½ r² e^−2τ − τ − ½ log 2π), natural log.</pre>
 *
 * <p>With z = r/σ: ∂ℓ/∂η = z/σ, ∂ℓ/∂τ = z² − 1, ∂²ℓ/∂η² = −1/σ², ∂²ℓ/∂η∂τ = −2z/σ, ∂²ℓ/∂τ² = −2z².
 * Not concave. With an intercept as the only column it is N(μ, σ²) in (μ, log σ), the running
 * example of Bardenet, Doucet and Holmes (2017), section 2.3.
 *
 * <p>Cost per row O(D) for values and gradients, O(D²) for the Hessian.
 */
public final class GaussianScaleModel implements Model {
  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  private final int columns;

  /** Takes D, how many features a row has; θ has one element more. */
  public GaussianScaleModel(int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException(columns + " columns");
    }
    this.columns = columns;
  }

  /** Returns D. */
  public int columns() {
    return columns;
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

  private double standardized(DataBlock block, int row, double[] theta) {
    return (block.response(row) - block.linearPredictor(row, theta)) * Math.exp(-theta[columns]);
  }

  private double logLikelihood(double z, double tau) {
    return -0.5 * z * z - tau - HALF_LOG_TWO_PI;
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    return block.weight(row) * logLikelihood(standardized(block, row, theta), theta[columns]);
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double z = standardized(block, row, theta);
    double w = block.weight(row);
    block.addScaled(row, w * z * Math.exp(-theta[columns]), gradient, 0);
    gradient[columns] += w * (z * z - 1);
    return w * logLikelihood(z, theta[columns]);
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    return addHessians(block.select(new int[] {row}), theta, gradient, hessian);
  }

  @Override
  public void addGradients(
      DataBlock block, double[][] thetas, double[] sums, double @Nullable [][] gradients) {
    block.pass(
        thetas,
        new int[thetas.length],
        (from, to, eta) -> {
          for (int k = 0; k < thetas.length; k++) {
            double tau = thetas[k][columns];
            double s = Math.exp(-tau);
            double value = 0;
            double slope = 0;
            for (int row = from; row < to; row++) {
              double w = block.weight(row);
              double z = (block.response(row) - (eta[k][row - from] + block.offset(row))) * s;
              value += w * logLikelihood(z, tau);
              slope += w * (z * z - 1);
              eta[k][row - from] = w * z * s;
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
    int last = columns * (columns + 1);
    double tau = theta[columns];
    double s = Math.exp(-tau);
    double[] scale = new double[block.rows()];
    double[] cross = new double[columns];
    double[] sum = new double[1];
    block.pass(
        new double[][] {theta, theta},
        new int[2],
        (from, to, eta) -> {
          for (int row = from; row < to; row++) {
            double w = block.weight(row);
            double z = (block.response(row) - (eta[0][row - from] + block.offset(row))) * s;
            sum[0] += w * logLikelihood(z, tau);
            gradient[columns] += w * (z * z - 1);
            hessian[last + columns] -= 2 * w * z * z;
            scale[row] = -w * s * s;
            eta[0][row - from] = w * z * s;
            eta[1][row - from] = -2 * w * z * s;
          }
        },
        new double[][] {gradient, cross});
    for (int j = 0; j < columns; j++) {
      hessian[last + j] += cross[j];
    }
    double[] gram = new double[columns * columns];
    block.addOuters(scale, gram);
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        hessian[i * (columns + 1) + j] += gram[i * columns + j];
      }
    }
    return sum[0];
  }

  @Override
  public double taylor(DataBlock block, int row, int order, double[] center, double[] theta) {
    double z = standardized(block, row, center);
    double u =
        (block.linearPredictor(row, theta) - block.linearPredictor(row, center))
            * Math.exp(-center[columns]);
    double v = theta[columns] - center[columns];
    double value = logLikelihood(z, center[columns]) + z * u + (z * z - 1) * v;
    if (order == 2) {
      value -= 0.5 * u * u + 2 * z * u * v + z * z * v * v;
    }
    return block.weight(row) * value;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Along (a, b) in (η/σ⋆, τ), with q = (y − η)/σ⋆ and e = (σ⋆/σ)², the derivatives are −e(a² +
   * 4qab + 2q²b²) for k = 2 and e·b(6a² + 12qab + 4q²b²) for k = 3; on the ball, |a| and |b| are at
   * most their lengths, e is at most e^2r|b| and |q| at most |z| + r|a|.
   */
  @Override
  public double derivativeBound(
      DataBlock block, int row, int order, double[] center, double[] spread, double radius) {
    double a = Math.sqrt(spread[0]) * Math.exp(-center[columns]);
    double b = Math.sqrt(spread[3]);
    double q = Math.abs(standardized(block, row, center)) + radius * a;
    double e = Math.exp(2 * radius * b);
    double bound =
        order == 2
            ? a * a + 4 * q * a * b + 2 * q * q * b * b
            : b * (6 * a * a + 12 * q * a * b + 4 * q * q * b * b);
    return block.weight(row) * e * bound;
  }
}
