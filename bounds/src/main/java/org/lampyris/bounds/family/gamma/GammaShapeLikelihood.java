package org.lampyris.bounds.family.gamma;

import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Gamma regression with a logarithmic link and its shape α = e^τ sampled: with t = log y − η,
 *
 * <pre>log L(η, τ; y) = −α(eᵗ − 1 − t) − log y + ½ log(α/2π) − S(α), natural log,</pre>
 *
 * <p>where S is the error of Stirling's formula. ∂η = ∂η∂τ = α(eᵗ − 1), ∂²η = −αeᵗ, ∂τ = −α(eᵗ − 1
 * − t) + ½ − αS′ and ∂²τ = −α(eᵗ − 1 − t) − αS′ − α²S″.
 */
public final class GammaShapeLikelihood implements DispersedLikelihood {
  private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

  @Override
  public At at(double tau) {
    double shape = Math.exp(tau);
    double constant = 0.5 * (tau - LOG_TWO_PI) - LogGamma.stirlingError(shape);
    double slope = LogGamma.stirlingErrorSlope(shape);
    double curvature = LogGamma.stirlingErrorCurvature(shape);
    return new At() {
      @Override
      public double logLikelihood(double eta, double y) {
        double logY = Math.log(y);
        return -shape * StableMath.expMinusLinear(logY - eta) - logY + constant;
      }

      /** {@inheritDoc} Labels far from 1 have large logarithms, which cancel. */
      @Override
      public double largestTerm(double eta, double y) {
        double logY = Math.log(y);
        double size = Math.max(Math.abs(logY), Math.abs(eta));
        double ofExcess = shape * Math.abs(StableMath.expm1(logY - eta)) * size;
        double terms = Math.max(Math.abs(logY), Math.abs(constant));
        return Math.max(Math.max(ofExcess, terms), Math.abs(logLikelihood(eta, y)));
      }

      @Override
      public double derivatives(double eta, double y, double[] out) {
        double logY = Math.log(y);
        double t = logY - eta;
        double excess = shape * StableMath.expMinusLinear(t);
        out[0] = shape * StableMath.expm1(t);
        out[1] = -excess + 0.5 - slope;
        out[2] = -shape * Math.exp(t);
        out[3] = out[0];
        out[4] = -excess - slope - curvature;
        return -excess - logY + constant;
      }
    };
  }

  /**
   * {@inheritDoc}
   *
   * <p>With t = log y − η, ∂³η = αeᵗ = −∂²η∂τ, ∂η∂²τ = α(eᵗ − 1), and ∂³τ = −α(eᵗ − 1 − t) less the
   * third derivative of Stirling's error: largest for the largest shape, at one end of t.
   */
  @Override
  public void thirdDerivatives(double eta, double r, double tau, double s, double y, double[] out) {
    double t = Math.log(y) - eta;
    double most = Math.exp(tau + s);
    out[0] = most * Math.exp(t + r);
    out[1] = out[0];
    out[2] = most * Math.max(StableMath.expm1(t + r), -StableMath.expm1(t - r));
    out[3] =
        most * Math.max(StableMath.expMinusLinear(t + r), StableMath.expMinusLinear(t - r))
            + LogGamma.stirlingThird(Math.exp(tau - s));
  }
}
