package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalTwoPredictorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;

/**
 * Linear regression. {@code sigma} is a number, or a prior; then σ is sampled on the log scale and
 * reported as {@code sigma}. The default is exponential(1/sd(y)). {@code sigma: jeffreys} is p(σ) ∝
 * 1/σ, flat in log σ, the prior of the running examples of Bardenet, Doucet and Holmes (2017).
 */
public final class GaussianFamily extends DispersedFamily {
  public GaussianFamily() {
    super("gaussian", LabelKind.REAL, List.of(OwnParameter.inLabelUnits("sigma")));
  }

  @Override
  public boolean isLeastSquares() {
    return true;
  }

  @Override
  public String link() {
    return "identity";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return expectation(spec, (eta, p) -> eta, (mean, sigma) -> sigma * sigma, Response.Normal::new);
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    Optional<Predictors> two = two(spec);
    if (two.isPresent()) {
      return new TwoPredictorModel(new GaussianScaleModel.ScaleLikelihood(), two.get());
    }
    return isSampled(spec)
        ? new GaussianScaleModel(columns.size())
        : new LinearModel(new GaussianLikelihood(value(spec)), columns.size());
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(new ExactBound(new GaussianLikelihood(value(spec)), columns.size()));
  }

  @Override
  public Optional<LowerBound> bound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace) {
    if (!isSampled(spec)) {
      return bound(spec, columns);
    }
    if (two(spec).isPresent()) {
      return Optional.empty();
    }
    GaussianScaleModel model = new GaussianScaleModel(columns.size());
    return Optional.of(GaussianScaleModel.Bound.of(model, laplace));
  }

  /** {@inheritDoc} Here of a sigma with a linear predictor of its own. */
  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return two(spec)
        .map(
            two ->
                new LocalTwoPredictorBound(
                    new GaussianScaleModel.ScaleLikelihood(), two, laplace, radius));
  }

  /**
   * The Gaussian likelihood with a known standard deviation as its own lower bound: it is quadratic
   * in η already. The gap is 0 everywhere, so that no row is ever bright, and nothing has an
   * anchor.
   */
  public static final class ExactBound extends OnePredictorBound {
    private final GaussianLikelihood likelihood;

    /** Returns the bound. */
    public ExactBound(GaussianLikelihood likelihood, int columns) {
      super(columns);
      this.likelihood = likelihood;
    }

    /** Returns one unused number for all rows. */
    @Override
    public Anchors anchorsAt(DataBlock block, double[] reference) {
      return Anchors.constant(0);
    }

    @Override
    protected double gapAt(
        double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
      if (slope != null) {
        slope[0] = 0;
      }
      return 0;
    }

    @Override
    protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
      coefficients[0] = 0.5 * likelihood.secondDerivative(eta0, y);
      coefficients[1] = likelihood.derivative(eta0, y);
      coefficients[2] = likelihood.logLikelihood(eta0, y);
    }
  }

  /**
   * Linear regression with a known standard deviation of the noise: log L(η; y) = −½((y − η)/σ)² −
   * log σ − ½ log 2π, natural log.
   *
   * <p>It is quadratic in η, so that it is its own lower bound. See {@link GaussianScaleModel}
   * where σ is sampled.
   */
  public static final class GaussianLikelihood implements Likelihood {
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
}
