package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.RemainderBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ExponentialPrior;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Gamma regression: y has mean exp(xᵀθ) and variance mean²/{@code shape}. The shape is a number, or
 * a prior, by default exponential(1), and then it is sampled on the log scale.
 */
public final class GammaFamily extends DispersedFamily {
  public GammaFamily() {
    super("gamma", LabelKind.POSITIVE, "shape");
  }

  @Override
  public Moments predictorScale(FamilySpec spec, Moments label) {
    return new Moments(Math.log(label.mean()), 1);
  }

  @Override
  protected UnivariatePrior autoPrior(TableScale table) {
    return new ExponentialPrior(1);
  }

  @Override
  public String link() {
    return "log";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(Math::exp)
            .with(
                variance(spec, (mean, shape) -> mean * mean / shape),
                response(spec, Response.Gamma::new)));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? new DispersedModel(new ShapeLikelihood(), columns.size())
        : new LinearModel(new GammaLikelihood(value(spec)), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(
        isSampled(spec)
            ? new LocalDispersedBound(new ShapeLikelihood(), laplace, radius)
            : new LocalGammaBound(value(spec), laplace, radius));
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

  /**
   * Quadratic lower bound on the gamma likelihood with a given shape α, tight at the mode, in a
   * ball about it: with w = α y e^−η̂,
   *
   * <pre>ρ(δ) = −w(e^−δ − 1 + δ − δ²/2), κ = 2w(eʳ − 1 − r)/r²,</pre>
   *
   * <p>at the edge where the mean is least, η̂ − r. The gap's relative error is a few units in the
   * last place of its terms. Source: ours.
   */
  public static final class LocalGammaBound extends RemainderBound {
    private final double shape;

    /** Returns the bound for the shape α in the ball of radius R, both above 0. */
    public LocalGammaBound(double shape, LaplaceApproximation laplace, double radius) {
      super(new GammaLikelihood(shape), laplace, radius);
      this.shape = shape;
    }

    @Override
    protected double remainder(double etaHat, double y, double delta, double @Nullable [] slope) {
      double w = shape * y * StableMath.exp(-etaHat);
      if (slope != null) {
        slope[0] = w * StableMath.expMinusLinear(-delta);
      }
      return -w * StableMath.expMinusQuadratic(-delta);
    }
  }
}
