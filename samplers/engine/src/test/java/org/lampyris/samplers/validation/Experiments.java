package org.lampyris.samplers.validation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LocalDispersedBound;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.BetaFamily;
import org.lampyris.bounds.family.BinomialFamily;
import org.lampyris.bounds.family.GammaFamily;
import org.lampyris.bounds.family.GaussianFamily;
import org.lampyris.bounds.family.GaussianScaleModel;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LocalLogisticBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.family.MixtureFamily;
import org.lampyris.bounds.family.NegativeBinomialFamily;
import org.lampyris.bounds.family.PoissonFamily;
import org.lampyris.bounds.family.ProbitFamily;
import org.lampyris.bounds.family.RobustFamily;
import org.lampyris.bounds.family.ordinal.LocalOrdinalBound;
import org.lampyris.bounds.family.ordinal.OrdinalModel;
import org.lampyris.bounds.family.softmax.BohningBound;
import org.lampyris.bounds.family.softmax.LocalSoftmaxBound;
import org.lampyris.bounds.family.softmax.SoftmaxModel;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedModel;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

/**
 * Every family on nine rows, with priors that are wide enough to skew the posterior, and differ.
 */
final class Experiments {
  static final int ROWS = 9;
  private static final int D = 2;
  private static final double[] FEATURES = {
    1, -1.6, 1, -0.9, 1, -0.4, 1, -0.1, 1, 0.3, 1, 0.7, 1, 1.1, 1, 1.8, 1, 2.7
  };

  private static final double[] ONES = {1, 1, 1, 1, 1, 1, 1, 1, 1};

  private Experiments() {}

  static List<Experiment> all() {
    return List.of(
        logistic(),
        softmax(),
        robust(),
        gaussian(),
        gaussianScale(),
        gamma(),
        poisson(),
        mixture(),
        normal(),
        probit(),
        binomial(),
        negativeBinomial(),
        negativeBinomialShape(),
        robustScale(),
        beta(),
        ordinal());
  }

  static Experiment logistic() {
    return linear(
        new LogisticLikelihood(),
        new JaakkolaJordanBound(D),
        LocalLogisticBound::new,
        List.of("normal(0.5, 1.5)", "student_t(5, 1, 1)"),
        (eta, rng) -> rng.nextDouble() < StableMath.sigmoid(eta) ? 1 : -1);
  }

  /** Families whose bound holds in a ball, in which some 90 % of the prior's θ lie. */
  static List<Experiment> local() {
    return List.of(
        local(logistic(), 2.1, new double[] {0.5, 1}, 2.25, 1.5),
        local(gamma(), 2.1, new double[] {0, 0.3}, 0.49, 0.25),
        local(gammaShape(), 2.5, new double[] {0, 0.3, 0.7}, 0.49, 0.25, 0.25),
        local(robust(), 2.1, new double[] {0, 0}, 1, 2),
        local(poisson(), 2.1, new double[] {0.5, 0.3}, 0.49, 0.16),
        local(probit(), 2.1, new double[] {0.3, 0.5}, 1, 1),
        local(negativeBinomial(), 2.1, new double[] {0.5, 0.3}, 0.64, 0.25),
        local(negativeBinomialShape(), 2.5, new double[] {0.5, 0.3, 0.4}, 0.64, 0.25, 0.5),
        local(robustScale(), 2.5, new double[] {0, 0, -0.4}, 1, 2, 0.5),
        local(ordinal(), 2.8, new double[] {0.5, 0.3, -0.6, 0}, 1, 0.49, 0.8, 0.8),
        local(beta(), 2.5, new double[] {0.3, 0.3, 2}, 0.36, 0.09, 0.16),
        local(
            softmax(),
            3.3,
            new double[] {0.2, 0.2, 0.2, 0.2, 0.2, 0.2},
            1.44,
            1.44,
            1.44,
            1.44,
            1.44,
            1.44));
  }

  private static Experiment local(
      Experiment experiment, double radius, double[] center, double... variances) {
    int d = center.length;
    double[] covariance = new double[d * d];
    for (int j = 0; j < d; j++) {
      covariance[j * d + j] = variances[j];
    }
    Simulated everywhere = (Simulated) experiment;
    return new Simulated(
        everywhere.name() + ", local",
        everywhere.model(),
        everywhere.local(new LaplaceApproximation(center, covariance), radius),
        everywhere.inBall(),
        everywhere.prior(),
        everywhere.response(),
        FEATURES,
        center);
  }

  private static Experiment robust() {
    RobustFamily.RobustLikelihood likelihood = new RobustFamily.RobustLikelihood(4, 0.7);
    return linear(
        likelihood,
        new RobustFamily.StudentBound(likelihood, D),
        (laplace, radius) -> new LocalTaylorBound(likelihood, laplace, radius),
        List.of("cauchy(0, 0.5)", "laplace(0, 1)"),
        (eta, rng) -> eta + 0.7 * TDistribution.of(4).createSampler(rng).sample());
  }

  private static Experiment robustScale() {
    return new Simulated(
        "robust with unknown scale",
        new DispersedModel(new RobustFamily.ScaleLikelihood(4), D),
        Optional.empty(),
        (laplace, radius) ->
            new LocalDispersedBound(new RobustFamily.ScaleLikelihood(4), laplace, radius),
        ProductPrior.parse(
            List.of("normal(0, 1)", "laplace(0, 1)", "log_scale(half_normal(0, 1))")),
        (theta, row, rng) ->
            theta[0]
                + theta[1] * FEATURES[D * row + 1]
                + Math.exp(theta[2]) * TDistribution.of(4).createSampler(rng).sample());
  }

  private static Experiment gaussian() {
    GaussianFamily.GaussianLikelihood likelihood = new GaussianFamily.GaussianLikelihood(0.8);
    return linear(
        likelihood,
        new GaussianFamily.ExactBound(likelihood, D),
        null,
        List.of("normal(0, 1)", "laplace(0, 1)"),
        (eta, rng) -> eta + 0.8 * ZigguratSampler.NormalizedGaussian.of(rng).sample());
  }

  private static Experiment gamma() {
    return linear(
        new GammaFamily.GammaLikelihood(2.5),
        null,
        (laplace, radius) ->
            new LocalTaylorBound(new GammaFamily.GammaLikelihood(2.5), laplace, radius),
        List.of("normal(0, 0.7)", "normal(0.3, 0.5)"),
        (eta, rng) ->
            AhrensDieterMarsagliaTsangGammaSampler.of(rng, 2.5, Math.exp(eta) / 2.5).sample());
  }

  static Experiment gammaShape() {
    return new Simulated(
        "gamma with unknown shape",
        new DispersedModel(new GammaFamily.ShapeLikelihood(), D),
        Optional.empty(),
        (laplace, radius) ->
            new LocalDispersedBound(new GammaFamily.ShapeLikelihood(), laplace, radius),
        ProductPrior.parse(List.of("normal(0, 0.7)", "normal(0.3, 0.5)", "normal(0.7, 0.5)")),
        (theta, row, rng) -> {
          double shape = Math.exp(theta[2]);
          double mean = Math.exp(theta[0] + theta[1] * FEATURES[D * row + 1]);
          return AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, mean / shape).sample();
        });
  }

  private static Experiment poisson() {
    return linear(
        new PoissonFamily.PoissonLikelihood(),
        null,
        (laplace, radius) ->
            new LocalTaylorBound(new PoissonFamily.PoissonLikelihood(), laplace, radius),
        List.of("normal(0.5, 0.7)", "normal(0.3, 0.4)"),
        (eta, rng) -> PoissonSampler.of(rng, Math.exp(eta)).sample());
  }

  private static Experiment probit() {
    return linear(
        new ProbitFamily.ProbitLikelihood(),
        null,
        (laplace, radius) ->
            new LocalTaylorBound(new ProbitFamily.ProbitLikelihood(), laplace, radius),
        List.of("normal(0.3, 1)", "student_t(5, 0.5, 0.7)"),
        (eta, rng) -> ZigguratSampler.NormalizedGaussian.of(rng).sample() < eta ? 1 : -1);
  }

  /** Three trials a row. */
  private static Experiment binomial() {
    Experiment shares =
        linear(
            new BinomialFamily.BinomialLikelihood(),
            new BinomialFamily.BinomialBound(D),
            (laplace, radius) ->
                new LocalTaylorBound(new BinomialFamily.BinomialLikelihood(), laplace, radius),
            List.of("normal(0.5, 1.5)", "laplace(0, 1)"),
            (eta, rng) ->
                IntStream.range(0, 3)
                        .filter(i -> rng.nextDouble() < StableMath.sigmoid(eta))
                        .count()
                    / 3.0);
    return new Trials(shares, 3);
  }

  /** The same with the number of trials as every row's weight. */
  private record Trials(Experiment of, double trials) implements Experiment {
    @Override
    public String name() {
      return of.name();
    }

    @Override
    public Model model() {
      return of.model();
    }

    @Override
    public Optional<LowerBound> bound() {
      return of.bound();
    }

    @Override
    public Optional<LowerBound> local(LaplaceApproximation laplace, double radius) {
      return of.local(laplace, radius);
    }

    @Override
    public ProductPrior prior() {
      return of.prior();
    }

    @Override
    public double[] reference() {
      return of.reference();
    }

    @Override
    public DataBlock simulate(double[] theta, UniformRandomProvider rng) {
      return of.simulate(theta, rng).with(0, trials);
    }
  }

  private static Experiment negativeBinomial() {
    NegativeBinomialFamily.GivenLikelihood likelihood =
        new NegativeBinomialFamily.GivenLikelihood(1.5);
    return linear(
        likelihood,
        new NegativeBinomialFamily.Bound(likelihood, D),
        (laplace, radius) -> new LocalTaylorBound(likelihood, laplace, radius),
        List.of("normal(0.5, 0.8)", "normal(0.3, 0.5)"),
        (eta, rng) -> count(eta, 1.5, rng));
  }

  /** A Poisson count with a gamma mean. */
  private static double count(double eta, double shape, UniformRandomProvider rng) {
    double mean =
        AhrensDieterMarsagliaTsangGammaSampler.of(rng, shape, Math.exp(eta) / shape).sample();
    return PoissonSampler.of(rng, Math.max(1e-12, mean)).sample();
  }

  private static Experiment negativeBinomialShape() {
    return new Simulated(
        "negative binomial with unknown shape",
        new DispersedModel(new NegativeBinomialFamily.ShapeLikelihood(), D),
        Optional.empty(),
        (laplace, radius) ->
            new LocalDispersedBound(new NegativeBinomialFamily.ShapeLikelihood(), laplace, radius),
        ProductPrior.parse(
            List.of("normal(0.5, 0.8)", "normal(0.3, 0.5)", "log_scale(half_normal(0, 2))")),
        (theta, row, rng) ->
            count(theta[0] + theta[1] * FEATURES[D * row + 1], Math.exp(theta[2]), rng));
  }

  private static Experiment beta() {
    return new Simulated(
        "beta with unknown precision",
        new DispersedModel(new BetaFamily.PrecisionLikelihood(), D),
        Optional.empty(),
        (laplace, radius) ->
            new LocalDispersedBound(new BetaFamily.PrecisionLikelihood(), laplace, radius),
        ProductPrior.parse(List.of("normal(0.3, 0.6)", "normal(0.3, 0.3)", "normal(2, 0.4)")),
        (theta, row, rng) -> {
          double mean = StableMath.sigmoid(theta[0] + theta[1] * FEATURES[D * row + 1]);
          return share(mean, Math.exp(theta[2]), rng);
        });
  }

  /**
   * A beta number, kept off the ends that a double has. The prior makes those rare: where 6 % of
   * tables had a row there, the joint distribution's p was 10⁻³ to 10⁻⁶.
   */
  private static double share(double mean, double precision, UniformRandomProvider rng) {
    double y =
        BetaDistribution.of(precision * mean, precision * (1 - mean)).createSampler(rng).sample();
    return Math.min(1 - 0x1p-53, Math.max(1e-300, y));
  }

  /** Four classes, by where a logistic number about η falls between the cut points. */
  private static Experiment ordinal() {
    return new Simulated(
        "ordinal",
        new OrdinalModel(D, 0, 1, 2, 3),
        Optional.empty(),
        (laplace, radius) ->
            new LocalOrdinalBound(new OrdinalModel(D, 0, 1, 2, 3), laplace, radius),
        ProductPrior.parse(
            List.of(
                "normal(0.5, 1)",
                "normal(0.3, 0.7)",
                "log_scale(exponential(1))",
                "log_scale(half_normal(0, 2))")),
        (theta, row, rng) -> {
          double eta = theta[0] + theta[1] * FEATURES[D * row + 1];
          double u = rng.nextDouble();
          double latent = eta + Math.log(u / (1 - u));
          double second = Math.exp(theta[2]);
          double third = second + Math.exp(theta[3]);
          return latent < 0 ? 0 : latent < second ? 1 : latent < third ? 2 : 3;
        });
  }

  private static Experiment softmax() {
    int classes = 3;
    SoftmaxModel model = new SoftmaxModel(D, classes, SoftmaxModel.NO_REFERENCE);
    return new Simulated(
        "softmax",
        model,
        Optional.of(new BohningBound(model)),
        (laplace, radius) -> new LocalSoftmaxBound(model, laplace, radius),
        ProductPrior.shared(new UnivariatePrior.Normal(0.2, 1.2), classes * D),
        (theta, row, rng) -> {
          double[] weight = new double[classes];
          double total = 0;
          for (int k = 0; k < classes; k++) {
            weight[k] = Math.exp(theta[k * D] + theta[k * D + 1] * FEATURES[D * row + 1]);
            total += weight[k];
          }
          double u = rng.nextDouble() * total;
          int k = 0;
          while (k < classes - 1 && u >= weight[k]) {
            u -= weight[k++];
          }
          return k;
        });
  }

  static Experiment gaussianScale() {
    return gaussianScale(
        "gaussian with unknown sigma",
        "normal(0, 1)",
        "normal(0.5, 1)",
        "log_scale(half_normal(0, 1))");
  }

  /** Kinds of priors that no other experiment has. */
  static List<Experiment> priors() {
    return List.of(
        gaussianScale(
            "gaussian, half-t",
            "student_t(3, 0, 1)",
            "uniform(-1, 2)",
            "log_scale(half_student_t(3, 0, 1))"),
        gaussianScale(
            "gaussian, half-Cauchy",
            "cauchy(0, 1)",
            "laplace(0, 1)",
            "log_scale(half_cauchy(0, 1))"),
        gaussianScale(
            "gaussian, exponential",
            "normal(0, 1)",
            "half_normal(0, 1)",
            "log_scale(exponential(1))"));
  }

  private static Experiment gaussianScale(String name, String... priors) {
    return new Simulated(
        name,
        new GaussianScaleModel(D),
        Optional.empty(),
        null,
        ProductPrior.parse(List.of(priors)),
        (theta, row, rng) ->
            theta[0]
                + theta[1] * FEATURES[D * row + 1]
                + Math.exp(theta[2]) * ZigguratSampler.NormalizedGaussian.of(rng).sample());
  }

  /**
   * N(μ, σ²) with θ = (μ, log σ), on the strip where its bound holds: the prior of σ has no mass
   * elsewhere, wherever in its support the strip is centred.
   */
  static Experiment normal() {
    GaussianScaleModel model = new GaussianScaleModel(1);
    ProductPrior prior =
        ProductPrior.parse(List.of("normal(0.5, 1.5)", "log_scale(uniform(0.6, 1.6))"));
    return new Simulated(
        "N(mu, sigma^2)",
        model,
        Optional.of(new GaussianScaleModel.Bound(model, 0, 1)),
        null,
        prior,
        (theta, row, rng) ->
            theta[0] + Math.exp(theta[1]) * ZigguratSampler.NormalizedGaussian.of(rng).sample(),
        ONES,
        new double[] {2.5, 0});
  }

  /**
   * The same where the strip, which reaches to 1, cuts off some 5 % of the prior on either side.
   */
  static Experiment strip() {
    Simulated normal = (Simulated) normal();
    return new Simulated(
        "N(mu, sigma^2), strip",
        normal.model(),
        normal.bound(),
        null,
        ProductPrior.parse(List.of("normal(0.5, 1.5)", "normal(0, 0.6)")),
        normal.response(),
        ONES,
        normal.reference());
  }

  private static Experiment mixture() {
    MixtureFamily.MixtureModel model = new MixtureFamily.MixtureModel(0.9);
    return new Simulated(
        "mixture",
        model,
        Optional.of(new MixtureFamily.MixtureBound(model)),
        null,
        ProductPrior.parse(List.of("normal(0, 2)", "normal(1, 1)")),
        (theta, row, rng) ->
            theta[0]
                + (rng.nextBoolean() ? theta[1] : 0)
                + 0.9 * ZigguratSampler.NormalizedGaussian.of(rng).sample());
  }

  /** Makes a bound that holds in a ball about a mode. */
  @FunctionalInterface
  private interface InBall {
    LowerBound of(LaplaceApproximation laplace, double radius);
  }

  /** Draws a response given the linear predictor. */
  @FunctionalInterface
  private interface GivenEta {
    double draw(double eta, UniformRandomProvider rng);
  }

  /** Draws the response of a row given θ. */
  @FunctionalInterface
  private interface GivenTheta {
    double draw(double[] theta, int row, UniformRandomProvider rng);
  }

  private static Experiment linear(
      Likelihood likelihood,
      @Nullable LowerBound bound,
      @Nullable InBall local,
      List<String> priors,
      GivenEta response) {
    return new Simulated(
        likelihood.getClass().getSimpleName().replace("Likelihood", "").toLowerCase(Locale.ROOT),
        new LinearModel(likelihood, D),
        Optional.ofNullable(bound),
        local,
        ProductPrior.parse(priors),
        (theta, row, rng) ->
            response.draw(theta[0] * FEATURES[D * row] + theta[1] * FEATURES[D * row + 1], rng));
  }

  private record Simulated(
      String name,
      Model model,
      Optional<LowerBound> bound,
      @Nullable InBall inBall,
      ProductPrior prior,
      GivenTheta response,
      double[] features,
      double[] reference)
      implements Experiment {

    /**
     * On the two columns, with bounds tight at 2.5 in every element: far from the priors' centres,
     * so that they are loose and brightness matters.
     */
    Simulated(
        String name,
        Model model,
        Optional<LowerBound> bound,
        @Nullable InBall inBall,
        ProductPrior prior,
        GivenTheta response) {
      this(name, model, bound, inBall, prior, response, FEATURES, new double[prior.dimension()]);
      Arrays.fill(reference, 2.5);
    }

    @Override
    public Optional<LowerBound> local(LaplaceApproximation laplace, double radius) {
      return Optional.ofNullable(inBall).map(rule -> rule.of(laplace, radius));
    }

    @Override
    public DataBlock simulate(double[] theta, UniformRandomProvider rng) {
      double[] y = new double[ROWS];
      for (int row = 0; row < ROWS; row++) {
        y[row] = response.draw(theta, row, rng);
      }
      return new DenseBlock(0, features.length / ROWS, features, y, null);
    }
  }
}
