package org.lampyris.bounds.family.gaussian;

import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.rows.DataBlock;

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
public final class GaussianScaleModel extends DispersedModel {
  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  /** Takes D, how many features a row has; θ has one element more. */
  public GaussianScaleModel(int columns) {
    super(GaussianScaleModel::at, columns);
  }

  private static DispersedLikelihood.At at(double tau) {
    double s = Math.exp(-tau);
    return new DispersedLikelihood.At() {
      @Override
      public double logLikelihood(double eta, double y) {
        return at((y - eta) * s);
      }

      private double at(double z) {
        return -0.5 * z * z - tau - HALF_LOG_TWO_PI;
      }

      @Override
      public double derivatives(double eta, double y, double[] out) {
        double z = (y - eta) * s;
        out[0] = z * s;
        out[1] = z * z - 1;
        out[2] = -s * s;
        out[3] = -2 * z * s;
        out[4] = -2 * z * z;
        return at(z);
      }
    };
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
    double s = Math.exp(-center[columns()]);
    double a = Math.sqrt(spread[0]) * s;
    double b = Math.sqrt(spread[3]);
    double z = (block.response(row) - block.linearPredictor(row, center)) * s;
    double q = Math.abs(z) + radius * a;
    double e = Math.exp(2 * radius * b);
    double bound =
        order == 2
            ? a * a + 4 * q * a * b + 2 * q * q * b * b
            : b * (6 * a * a + 12 * q * a * b + 4 * q * q * b * b);
    return block.weight(row) * e * bound;
  }
}
