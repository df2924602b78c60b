package org.lampyris.bounds.family.gaussian;

import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.Parameters;

/**
 * Linear regression with a known standard deviation of the noise: log L(η; y) = −½((y − η)/σ)² −
 * log σ − ½ log 2π, natural log.
 *
 * <p>It is quadratic in η, so that it is its own lower bound. See {@link GaussianScaleModel} where
 * σ is sampled.
 */
public final class GaussianLikelihood implements Likelihood {
  private final double sigma;
  private final double logConstant;

  /** Takes σ, above 0, in units of the response. */
  public GaussianLikelihood(double sigma) {
    this.sigma = Parameters.requirePositive("sigma", sigma);
    this.logConstant = -Math.log(sigma) - 0.5 * Math.log(2 * Math.PI);
  }

  /** {@inheritDoc} Here d²log L/dη² = −1/σ². */
  @Override
  public boolean isConcave() {
    return true;
  }

  @Override
  public double logLikelihood(double eta, double y) {
    double z = (y - eta) / sigma;
    return -0.5 * z * z + logConstant;
  }

  @Override
  public double derivative(double eta, double y) {
    return (y - eta) / sigma / sigma;
  }

  @Override
  public double secondDerivative(double eta, double y) {
    return -1 / sigma / sigma;
  }

  /** {@inheritDoc} Here |log L″| = 1/σ² and log L‴ = 0. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return order == 2 ? 1 / sigma / sigma : 0;
  }
}
