package org.lampyris.bounds.family.density;

import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * A mixture of two normal densities with equal weights and a known standard deviation, y ~ ½N(θ₁,
 * σ²) + ½N(θ₁ + θ₂, σ²):
 *
 * <pre>ℓ_n(θ) = w_n · log(½N(y; θ₁, σ²) + ½N(y; θ₁ + θ₂, σ²)), natural log.</pre>
 *
 * <p>The features of a row are not used. With d₁ = (y − θ₁)/σ², d₂ = (y − θ₁ − θ₂)/σ² and ρ the
 * probability that the row is of the second component, ∇ℓ = ((1 − ρ)d₁ + ρd₂, ρd₂). The
 * log-likelihood has saddle points and, as the components may change places, up to two modes.
 *
 * <p>Source: Welling and Teh (2011), section 5.1.
 */
public final class MixtureModel implements Model {
  private final double sigma;
  private final double logConstant;

  /** Takes σ, above 0, in units of the response. */
  public MixtureModel(double sigma) {
    this.sigma = Parameters.requirePositive("sigma", sigma);
    this.logConstant = -Math.log(2 * sigma) - 0.5 * Math.log(2 * Math.PI);
  }

  /** Returns σ. */
  public double sigma() {
    return sigma;
  }

  @Override
  public int dimension() {
    return 2;
  }

  /** Returns log(ρ/(1 − ρ)), the log-odds of the second component. θ is not modified. */
  public double logOdds(double y, double[] theta) {
    return theta[1] * (2 * (y - theta[0]) - theta[1]) / (2 * sigma * sigma);
  }

  @Override
  public double logLikelihood(DataBlock block, int row, double[] theta) {
    double y = block.response(row);
    double logOdds = logOdds(y, theta);
    // Of the two exponents the larger one is taken out.
    double larger = (logOdds > 0 ? y - theta[0] - theta[1] : y - theta[0]) / sigma;
    return block.weight(row)
        * (-0.5 * larger * larger + StableMath.log1pExp(-Math.abs(logOdds)) + logConstant);
  }

  @Override
  public double addGradient(DataBlock block, int row, double[] theta, double[] gradient) {
    double y = block.response(row);
    double w = block.weight(row);
    double logOdds = logOdds(y, theta);
    double d1 = (y - theta[0]) / sigma / sigma;
    double d2 = (y - theta[0] - theta[1]) / sigma / sigma;
    double rho = StableMath.sigmoid(logOdds);
    gradient[0] += w * (StableMath.sigmoid(-logOdds) * d1 + rho * d2);
    gradient[1] += w * rho * d2;
    return logLikelihood(block, row, theta);
  }

  @Override
  public double addHessian(
      DataBlock block, int row, double[] theta, double[] gradient, double[] hessian) {
    double y = block.response(row);
    double w = block.weight(row);
    double logOdds = logOdds(y, theta);
    double precision = 1 / sigma / sigma;
    double d2 = (y - theta[0] - theta[1]) * precision;
    double apart = theta[1] * precision;
    double rho = StableMath.sigmoid(logOdds);
    double spread = rho * StableMath.sigmoid(-logOdds);
    hessian[0] += w * (spread * apart * apart - precision);
    hessian[2] += w * (-rho * precision - spread * apart * d2);
    hessian[3] += w * (spread * d2 * d2 - rho * precision);
    return addGradient(block, row, theta, gradient);
  }
}
