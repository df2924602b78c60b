package org.lampyris.bounds.family.gamma;

import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Gamma regression with a logarithmic link: y > 0 has mean e^η and variance mean²/α, so that with t
 * = log y − η,
 *
 * <pre>log L(η; y) = α(1 + t − eᵗ) − log y + α log α − α − log Γ(α), natural log.</pre>
 *
 * <p>dlog L/dη = α(eᵗ − 1) and d²log L/dη² = −α eᵗ: the log-likelihood is concave. It falls
 * exponentially as η → −∞, so that no quadratic in η stays below it. Source: Bardenet, Doucet and
 * Holmes (2017), section 8.2.
 */
public final class GammaLikelihood implements Likelihood {
  private final double shape;
  private final double logConstant;

  /** Takes the shape α, above 0. */
  public GammaLikelihood(double shape) {
    this.shape = Parameters.requirePositive("shape", shape);
    // α log α − α − log Γ(α) = ½ log(α/2π) − S(α)
    this.logConstant = 0.5 * Math.log(shape / (2 * Math.PI)) - LogGamma.stirlingError(shape);
  }

  /** {@inheritDoc} Here d²log L/dη² = −α eᵗ, the shape α being given. */
  @Override
  public boolean isConcave() {
    return true;
  }

  @Override
  public double logLikelihood(double eta, double y) {
    double logY = Math.log(y);
    return -shape * StableMath.expMinusLinear(logY - eta) - logY + logConstant;
  }

  @Override
  public double derivative(double eta, double y) {
    return shape * StableMath.expm1(Math.log(y) - eta);
  }

  @Override
  public double secondDerivative(double eta, double y) {
    return -shape * Math.exp(Math.log(y) - eta);
  }

  /** {@inheritDoc} Here |log L″| = |log L‴| = α y e^−η, largest at the lower end. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return shape * Math.exp(Math.log(y) - low);
  }
}
