package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ExponentialPrior;

/**
 * Gamma regression: y has mean exp(xᵀθ) and variance mean²/{@code shape}. The shape is a number, or
 * a prior, by default exponential(1), and then it is sampled on the log scale.
 */
public final class GammaFamily extends OnePredictorFamily {
  public GammaFamily() {
    super(
        "gamma",
        LabelKind.POSITIVE,
        "log",
        List.of(OwnParameter.positive("shape", new ExponentialPrior(1))));
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return expectation(
        spec, (eta, p) -> Math.exp(eta), (mean, shape) -> mean * mean / shape, Response.Gamma::new);
  }

  @Override
  DispersedLikelihood dispersed(FamilySpec spec) {
    return new ShapeLikelihood();
  }

  @Override
  Likelihood given(FamilySpec spec, double value) {
    return new GammaLikelihood(value);
  }

  /**
   * Gamma regression with a logarithmic link: y > 0 has mean e^η and variance mean²/α, so that with
   * t = log y − η,
   *
   * <pre>log L(η; y) = α(1 + t − eᵗ) − log y + α log α − α − log Γ(α), natural log.</pre>
   *
   * <p>dlog L/dη = α(eᵗ − 1) and d²log L/dη² = −α eᵗ: the log-likelihood is concave. It falls
   * exponentially as η → −∞, so that no quadratic in η stays below it. Source: Bardenet, Doucet and
   * Holmes (2017), section 8.2.
   */
  public static final class GammaLikelihood implements Likelihood {
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

    /** {@inheritDoc} η and log y are subtracted, and their rounding is multiplied by dlog L/dη. */
    @Override
    public double largestTerm(double eta, double y) {
      double logY = Math.abs(Math.log(y));
      double ofSlope = Math.abs(derivative(eta, y)) * Math.max(Math.abs(eta), logY);
      return Math.max(Math.abs(logLikelihood(eta, y)), Math.max(ofSlope, logY));
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

  /**
   * Gamma regression with a logarithmic link and its shape α = e^τ sampled: with t = log y − η,
   *
   * <pre>log L(η, τ; y) = −α(eᵗ − 1 − t) − log y + ½ log(α/2π) − S(α), natural log,</pre>
   *
   * <p>where S is the error of Stirling's formula. ∂η = ∂η∂τ = α(eᵗ − 1), ∂²η = −αeᵗ, ∂τ = −α(eᵗ −
   * 1 − t) + ½ − αS′ and ∂²τ = −α(eᵗ − 1 − t) − αS′ − α²S″.
   */
  public static final class ShapeLikelihood implements DispersedLikelihood {
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
     * <p>With t = log y − η, ∂³η = αeᵗ = −∂²η∂τ, ∂η∂²τ = α(eᵗ − 1), and ∂³τ = −α(eᵗ − 1 − t) less
     * the third derivative of Stirling's error: largest for the largest shape, at one end of t.
     */
    @Override
    public void thirdDerivatives(
        double eta, double r, double tau, double s, double y, double[] out) {
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
}
