package org.lampyris.samplers.benchmark;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.family.LogisticLikelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.mode.MapFinder;
import org.lampyris.samplers.mode.MapFit;
import org.lampyris.samplers.mode.Objective;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Mnist79;

/**
 * A posterior that kernels are measured on.
 *
 * @param name what tables call it
 * @param blocks the rows
 * @param rows how many
 * @param prior the prior
 * @param model the likelihood
 * @param bound its lower bound
 * @param fit mode and Laplace covariance
 * @param reference the posterior's moments, where another program has them
 */
record BenchmarkPosterior(
    String name,
    List<? extends DataBlock> blocks,
    int rows,
    Prior prior,
    Model model,
    LowerBound bound,
    MapFit fit,
    @Nullable Moments reference) {
  private static final int RARE_ROWS = 2000;
  private static final int RARE_DIMENSION = 4;
  private static final double RARE_INTERCEPT = -5.5;

  /** Means and standard deviations of the coefficients. */
  record Moments(double[] mean, double[] sd) {}

  /** MNIST 7 against 9: 12,214 rows, 51 coefficients; near normal. */
  static BenchmarkPosterior mnist79(Mnist79 data) {
    return logistic(
        "MNIST 7 against 9",
        data.blocks(),
        data.rows(),
        Mnist79.prior(),
        Mnist79.DIMENSION,
        new Moments(data.mean(), data.sd()));
  }

  /** A few positive labels among 2000, three features and an intercept: skewed. */
  static BenchmarkPosterior rareEvents() {
    UniformRandomProvider rng = new Streams(5).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] x = new double[RARE_ROWS * RARE_DIMENSION];
    double[] y = new double[RARE_ROWS];
    int positive = 0;
    for (int row = 0; row < RARE_ROWS; row++) {
      double eta = RARE_INTERCEPT;
      x[row * RARE_DIMENSION] = 1;
      for (int j = 1; j < RARE_DIMENSION; j++) {
        double value = normal.sample();
        x[row * RARE_DIMENSION + j] = value;
        eta += 0.5 * value;
      }
      y[row] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
      positive += y[row] > 0 ? 1 : 0;
    }
    return logistic(
        "Rare events, " + positive + " positive labels among " + RARE_ROWS,
        List.of(new DenseBlock(0, RARE_DIMENSION, x, y, null)),
        RARE_ROWS,
        ProductPrior.shared(new UnivariatePrior.Normal(0, 2.5), RARE_DIMENSION),
        RARE_DIMENSION,
        null);
  }

  private static BenchmarkPosterior logistic(
      String name,
      List<? extends DataBlock> blocks,
      int rows,
      Prior prior,
      int dimension,
      @Nullable Moments reference) {
    Model model = new LinearModel(new LogisticLikelihood(), dimension);
    List<String> names = IntStream.range(0, dimension).mapToObj(j -> "theta" + j).toList();
    MapFit fit =
        new MapFinder(prior, names, 1e-6, 50)
            .find(Objective.of(blocks, model, 1), null, pass -> {});
    return new BenchmarkPosterior(
        name, blocks, rows, prior, model, new JaakkolaJordanBound(dimension), fit, reference);
  }

  int dimension() {
    return fit.theta().length;
  }
}
