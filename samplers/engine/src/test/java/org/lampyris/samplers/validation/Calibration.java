package org.lampyris.samplers.validation;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;

/**
 * Simulation-based calibration: θ is drawn from the prior and data given θ; among L independent
 * draws of the posterior given the data, the rank of θ is uniform on {0, …, L}, in every coordinate
 * and in any function of θ and the data.
 *
 * <p>The functions here are the coordinates and the log-likelihood, without which a sampler that
 * never looks at the data would pass. Whether ranks are uniform is told by Pearson's χ² over all L
 * + 1 values, by their mean, and by their variance, both of which are known exactly for uniform
 * ranks. Source: Talts, Betancourt, Simpson, Vehtari and Gelman (2018), Algorithm 2; Modrák et al.
 * (2023) for the log-likelihood.
 */
final class Calibration {
  /** L + 1 is the number of bins. */
  static final int DRAWS = 15;

  static final long SEED = 20180418;
  private static final int TESTS = 3;

  private Calibration() {}

  /** A sampler as a user runs it, from the data alone: tuning, warm-up and all. */
  interface Sampler {
    /** Returns the name that a failure shows. */
    String name();

    /** Returns the model that it samples. */
    Experiment experiment();

    /** Returns how many iterations are made for each kept draw, so that draws are independent. */
    int thin();

    /**
     * Prepares a chain.
     *
     * @param data the data
     * @param streams the streams of the run
     */
    Chain chain(DataBlock data, Streams streams);
  }

  /**
   * A chain to be run.
   *
   * @param transition the algorithm
   * @param thetaKernel the θ-kernel, with the step size to begin with
   * @param start where it begins
   */
  record Chain(TransitionKernel<?> transition, ThetaKernel thetaKernel, double[] start) {}

  /**
   * How many times, and how far apart.
   *
   * @param replicates how often data are drawn
   * @param warmup iterations in which the step size adapts
   * @param thinFactor what a sampler's thinning is multiplied by
   */
  record Length(int replicates, int warmup, int thinFactor) {}

  /**
   * What came out.
   *
   * @param pValue the smallest p-value of all tests of all functions, times their number
   * @param worst the function and the test that it belongs to
   * @param autocorrelation the largest mean correlation, over the functions, of a draw with the one
   *     before it: what is left of dependence
   */
  record Result(double pValue, String worst, double autocorrelation) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "p = %.2g (%s), autocorrelation %.3f", pValue, worst, autocorrelation);
    }
  }

  /** Runs a sampler on many data sets. */
  static Result run(Sampler sampler, Length length) {
    Streams streams = new Streams(SEED);
    List<double[][]> functions =
        IntStream.range(0, length.replicates())
            .parallel()
            .mapToObj(i -> replicate(sampler, length, streams, i))
            .toList();
    Result result = new Result(1, "all well", 0);
    int count = functions.get(0)[0].length;
    for (int f = 0; f < count; f++) {
      int function = f;
      String name = f == count - 1 ? "log-likelihood" : "theta" + (f + 1);
      long[] ranks = new long[DRAWS + 1];
      functions.forEach(values -> ranks[rank(values, function)]++);
      double autocorrelation =
          functions.stream().mapToDouble(v -> autocorrelation(v, function)).average().orElseThrow();
      result = worse(result, new Result(uniform(ranks), name + ", histogram", autocorrelation));
      result = worse(result, new Result(moment(ranks, 1), name + ", mean", autocorrelation));
      result = worse(result, new Result(moment(ranks, 2), name + ", variance", autocorrelation));
    }
    double p = Math.min(1, result.pValue() * count * TESTS);
    return new Result(p, result.worst(), result.autocorrelation());
  }

  private static Result worse(Result a, Result b) {
    Result worst = a.pValue() <= b.pValue() ? a : b;
    double autocorrelation = Math.max(a.autocorrelation(), b.autocorrelation());
    return new Result(worst.pValue(), worst.worst(), autocorrelation);
  }

  /** Returns the functions at θ, then at each draw. */
  private static double[][] replicate(Sampler sampler, Length length, Streams streams, int i) {
    Experiment experiment = sampler.experiment();
    UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 0, i, 0);
    double[] theta = StartingPoint.prior(experiment.prior().factors(), rng);
    DataBlock data = experiment.simulate(theta, rng);
    Streams own = new Streams(SEED + 1 + i);
    Chain chain = sampler.chain(data, own);
    ChainRunner.Length run =
        new ChainRunner.Length(
            length.warmup(),
            DRAWS,
            sampler.thin() * length.thinFactor(),
            chain.thetaKernel().targetAcceptance());
    List<double[]> draws =
        new ChainRunner(run, own, (number, iteration, info) -> {})
            .run(1, chain.transition(), chain.thetaKernel(), chain.start())
            .draws();
    double[][] values = new double[DRAWS + 1][];
    values[0] = functions(experiment, theta, data);
    for (int k = 0; k < DRAWS; k++) {
      values[k + 1] = functions(experiment, draws.get(k), data);
    }
    return values;
  }

  private static double[] functions(Experiment experiment, double[] theta, DataBlock data) {
    double[] sum = new double[1];
    experiment.model().addLogLikelihoods(data, new double[][] {theta}, sum);
    double[] functions = java.util.Arrays.copyOf(theta, theta.length + 1);
    functions[theta.length] = sum[0];
    return functions;
  }

  private static int rank(double[][] values, int f) {
    int rank = 0;
    for (int k = 1; k <= DRAWS; k++) {
      rank += values[k][f] < values[0][f] ? 1 : 0;
    }
    return rank;
  }

  /** Returns the lag-one autocorrelation of the draws, corrected for its bias of −1/L. */
  private static double autocorrelation(double[][] values, int f) {
    double mean = 0;
    for (int k = 1; k <= DRAWS; k++) {
      mean += values[k][f] / DRAWS;
    }
    double squares = 0;
    double products = 0;
    for (int k = 1; k <= DRAWS; k++) {
      double deviation = values[k][f] - mean;
      squares += deviation * deviation;
      products += k == DRAWS ? 0 : deviation * (values[k + 1][f] - mean);
    }
    return squares > 0 ? products / squares + 1.0 / DRAWS : 1;
  }

  private static double uniform(long[] ranks) {
    double[] expected = new double[ranks.length];
    java.util.Arrays.fill(expected, 1);
    return ChiSquareTest.withDefaults().test(expected, ranks).getPValue();
  }

  /** Returns the p-value of the ranks' first or second central moment, of a normal limit. */
  private static double moment(long[] ranks, int order) {
    double centre = 0.5 * DRAWS;
    double mean = 0;
    double meanOfSquares = 0;
    double observed = 0;
    long count = 0;
    for (int r = 0; r <= DRAWS; r++) {
      double power = Math.pow(r - centre, order);
      mean += power / ranks.length;
      meanOfSquares += power * power / ranks.length;
      observed += ranks[r] * power;
      count += ranks[r];
    }
    double sd = Math.sqrt((meanOfSquares - mean * mean) / count);
    double score = (observed / count - mean) / sd;
    return 2 * NormalDistribution.of(0, 1).survivalProbability(Math.abs(score));
  }
}
