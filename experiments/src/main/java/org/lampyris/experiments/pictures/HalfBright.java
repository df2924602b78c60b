package org.lampyris.experiments.pictures;

import java.util.Arrays;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.driver.report.Chart;
import org.lampyris.driver.report.Curve;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.estimate.Estimate;
import org.lampyris.samplers.estimate.EstimateAlgorithm;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

/**
 * Firefly as a pseudo-marginal chain: for every proposal each row is bright with probability ½, and
 *
 * <pre>L̂(θ) = Π_n 2·(L_n − B_n if z_n = 1, else B_n), E L̂ = Π_n L_n.</pre>
 *
 * <p>The variance of log L̂ is ¼ Σ_n log²((L_n − B_n)/B_n): it grows with N, the more the tighter
 * the bounds. Beside it Firefly itself, on the same rows with the same proposals.
 *
 * <p>Source: Maclaurin and Adams (2014), section 5; Andrieu and Roberts (2009).
 *
 * @param steps of each chain
 */
record HalfBright(int steps) implements Illustration {
  private static final int[] SIZES = {1, 2, 4, 8, 16, 32, 64, 128};
  private static final double PRIOR_SD = 1;

  /** Half widths of the interval of quadrature, and its cells. */
  private static final double EDGE = 6;

  private static final int CELLS = 4000;

  @Override
  public Map<String, String> files() {
    TheoryBounds.Table table =
        new TheoryBounds.Table(
            "Each row bright with probability ½, beside Firefly",
            "rows, variance of log estimate, acceptance, effective draws in 1000,"
                + " mean off in sds, longest stay, Firefly's acceptance,"
                + " Firefly's effective draws in 1000");
    double[] sizes = new double[SIZES.length];
    double[] variances = new double[SIZES.length];
    for (int k = 0; k < SIZES.length; k++) {
      double[] signed = rows(SIZES[k]);
      double[] moments = moments(signed);
      double stepSize = 2.4 * moments[1];
      double[] half = chain(signed, stepSize, steps, 5);
      DataBlock block = new DenseBlock(0, 1, signed, ones(SIZES[k]), null);
      double[] firefly =
          new ToyFirefly(block, PRIOR_SD, stepSize)
              .run(steps, 5).stream().mapToDouble(step -> step.theta()[0]).toArray();
      sizes[k] = SIZES[k];
      variances[k] = variance(signed, moments[0]);
      double mean = Arrays.stream(half).average().orElseThrow();
      table.row(
          sizes[k],
          variances[k],
          moved(half),
          1e3 * effective(half) / steps,
          (mean - moments[0]) / moments[1],
          longestStay(half),
          moved(firefly),
          1e3 * effective(firefly) / steps);
    }
    Chart chart =
        Chart.of("Variance of the logarithm of the estimate")
            .axes("rows", "variance")
            .logX()
            .logY()
            .points(new Curve("at the posterior mean", sizes, variances))
            .dashed(new Curve("1.5", new double[] {1, 128}, new double[] {1.5, 1.5}));
    return Map.of(
        TABLE, table.markdown(), "half-bright.csv", table.csv(), "half-bright.svg", chart.file());
  }

  /** Returns x_n·y_n of a logistic regression with θ = 1. */
  static double[] rows(int count) {
    Noise noise = Noise.of(new Streams(4).stream(Streams.Purpose.INITIAL, 0, 0, 0));
    double[] signed = new double[count];
    Arrays.setAll(
        signed,
        n -> {
          double x = noise.normal();
          return noise.flip(StableMath.sigmoid(x)) ? x : -x;
        });
    return signed;
  }

  private static double[] ones(int count) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static double gap(double predictor) {
    return JaakkolaJordanBound.gap(predictor, ToyFirefly.ANCHOR, null);
  }

  /** Returns log(2(L − B)), or log(2B) of a dark row, with the predictor of its label. */
  static double logFactor(double predictor, boolean bright) {
    double gap = gap(predictor);
    return Math.log(2)
        + StableMath.logSigmoid(predictor)
        + (bright ? Math.log(-Math.expm1(-gap)) : -gap);
  }

  /** Returns the variance of the log-estimate at θ. */
  static double variance(double[] signed, double theta) {
    return Arrays.stream(signed)
        .map(s -> 0.25 * Math.pow(logFactor(s * theta, true) - logFactor(s * theta, false), 2))
        .sum();
  }

  /** Returns the posterior's mean and sd, by the midpoint rule. */
  static double[] moments(double[] signed) {
    double[] sums = new double[3];
    for (int i = 0; i < CELLS; i++) {
      double theta = EDGE * (2 * (i + 0.5) / CELLS - 1);
      double log = -0.5 * theta * theta / PRIOR_SD / PRIOR_SD;
      for (double s : signed) {
        log += StableMath.logSigmoid(s * theta);
      }
      double density = Math.exp(log);
      sums[0] += density;
      sums[1] += density * theta;
      sums[2] += density * theta * theta;
    }
    double mean = sums[1] / sums[0];
    return new double[] {mean, Math.sqrt(sums[2] / sums[0] - mean * mean)};
  }

  /** Returns the draws of a chain. */
  static double[] chain(double[] signed, double stepSize, int steps, long seed) {
    Estimate estimate =
        (thetas, iteration, rows, rng) -> {
          double[] values = new double[thetas.length];
          for (int i = 0; i < thetas.length; i++) {
            for (double s : signed) {
              values[i] += logFactor(s * thetas[i][0], rng.nextBoolean());
            }
          }
          return new Estimate.Estimated(values, (long) signed.length * thetas.length);
        };
    BatchRows none =
        BatchRows.of(
            signed.length,
            (iteration, low, high, term) -> {
              throw new IllegalStateException("the estimate has its rows");
            });
    EstimateAlgorithm.Kernel kernel =
        new EstimateAlgorithm.Kernel(
            ProductPrior.shared(new UnivariatePrior.Normal(0, PRIOR_SD), 1), none, estimate);
    RandomWalk walk = new RandomWalk(Preconditioner.identity(1), stepSize);
    UniformRandomProvider rng = new Streams(seed).stream(Streams.Purpose.THETA, 0, 0, 0);
    Point point = kernel.init(new double[1]).state();
    double[] draws = new double[steps];
    for (int i = 0; i < steps; i++) {
      TransitionKernel.Transition<Point> next = kernel.step(point, i + 1L, walk, rng);
      point = next.state();
      draws[i] = point.theta()[0];
    }
    return draws;
  }

  private static double moved(double[] draws) {
    int moves = 0;
    for (int i = 1; i < draws.length; i++) {
      moves += draws[i] == draws[i - 1] ? 0 : 1;
    }
    return (double) moves / (draws.length - 1);
  }

  private static double longestStay(double[] draws) {
    int longest = 1;
    int stay = 1;
    for (int i = 1; i < draws.length; i++) {
      stay = draws[i] == draws[i - 1] ? stay + 1 : 1;
      longest = Math.max(longest, stay);
    }
    return longest;
  }

  private static double effective(double[] draws) {
    return Diagnostics.essMean(new double[][] {draws});
  }
}
