package org.lampyris.samplers.validation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.DynamicTest;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.Streams;

/** Compares statistics of (θ, data) after steps of a sampler with those of fresh draws. */
final class JointDistribution {

  /** A test whose smallest corrected p-value is below this fails. */
  static final double FALSE_ALARM = 1e-6;

  static final long SEED = 20140504;
  private static final int QUICK = 1000;
  private static final int LONG = 8000;

  private JointDistribution() {}

  /** A sampler under test. */
  interface Sampler {
    /** Returns the name that a failure shows. */
    String name();

    /** Returns the model that it samples. */
    Experiment experiment();

    /**
     * Makes steps that should leave the posterior given the data invariant.
     *
     * @param theta where to begin
     * @param data the data
     * @param seed of the steps' streams
     */
    State steps(double[] theta, DataBlock data, long seed);

    /**
     * Returns the state that an exact draw of θ and data goes with, its auxiliary variables drawn
     * too.
     */
    State exact(double[] theta, DataBlock data, UniformRandomProvider rng);
  }

  /**
   * Where a sampler is.
   *
   * @param theta θ
   * @param bright how many rows are bright, 0 without brightness
   * @param logDensity log p(θ, data, brightness)
   */
  record State(double[] theta, double bright, double logDensity) {}

  /**
   * Returns how many replicates a test makes: {@code -Dlampyris.validation=all} for the long form.
   */
  static int replicates() {
    return isLong() ? LONG : QUICK;
  }

  /** Returns whether the long form runs. */
  static boolean isLong() {
    return "all".equals(System.getProperty("lampyris.validation"));
  }

  /** Returns the tests that samplers leave the joint distribution invariant. */
  static List<DynamicTest> invariant(String proof, List<Sampler> samplers) {
    return invariant(proof, samplers, replicates());
  }

  /** Returns the same tests with another number of replicates. */
  static List<DynamicTest> invariant(String proof, List<Sampler> samplers, int replicates) {
    return tests(
        samplers,
        Sampler::name,
        sampler -> {
          double p = pValue(sampler, replicates);
          Report.print(proof, sampler.name(), p);
          assertTrue(p > FALSE_ALARM, sampler.name() + ": p = " + p + ", seed " + SEED);
        });
  }

  /** Returns the tests that faulty samplers do not. */
  static List<DynamicTest> foundOut(String proof, List<Sampler> mutants, int replicates) {
    return tests(
        mutants,
        Sampler::name,
        mutant -> {
          double p = pValue(mutant, replicates);
          Report.print(proof, mutant.name(), p);
          assertTrue(p < FALSE_ALARM, mutant.name() + " goes unnoticed: p = " + p);
        });
  }

  /** Returns a test of each case. */
  static <C> List<DynamicTest> tests(List<C> cases, Function<C, String> name, Consumer<C> test) {
    return cases.stream()
        .map(one -> DynamicTest.dynamicTest(name.apply(one), () -> test.accept(one)))
        .toList();
  }

  /** Returns the smallest p-value over all statistics, times their number (Bonferroni). */
  static double pValue(Sampler sampler, int replicates) {
    Streams streams = new Streams(SEED);
    double[][] after =
        IntStream.range(0, replicates)
            .parallel()
            .mapToObj(i -> replicate(sampler, streams, i))
            .toArray(double[][]::new);
    double[][] fresh =
        IntStream.range(replicates, 2 * replicates)
            .parallel()
            .mapToObj(i -> fresh(sampler, streams, i))
            .toArray(double[][]::new);
    int statistics = fresh[0].length;
    double least = 1;
    for (int s = 0; s < statistics; s++) {
      double p =
          KolmogorovSmirnovTest.withDefaults().test(column(after, s), column(fresh, s)).getPValue();
      least = Math.min(least, p * statistics);
    }
    return least;
  }

  private static double[] replicate(Sampler sampler, Streams streams, int i) {
    Experiment experiment = sampler.experiment();
    UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 0, i, 0);
    double[] theta = experiment.draw(rng);
    DataBlock data = experiment.simulate(theta, rng);
    return statistics(experiment, sampler.steps(theta, data, SEED + 1 + i), data);
  }

  private static double[] fresh(Sampler sampler, Streams streams, int i) {
    Experiment experiment = sampler.experiment();
    UniformRandomProvider rng = streams.stream(Streams.Purpose.INITIAL, 0, i, 0);
    double[] theta = experiment.draw(rng);
    DataBlock data = experiment.simulate(theta, rng);
    return statistics(experiment, sampler.exact(theta, data, rng), data);
  }

  /** θ, products of neighbours, log-likelihood, the gradient's product with θ, and brightness. */
  private static double[] statistics(Experiment experiment, State state, DataBlock data) {
    double[] theta = state.theta();
    int d = theta.length;
    double[] out = new double[2 * d + 5];
    double[] gradient = new double[d];
    double logLikelihood = 0;
    for (int row = 0; row < data.rows(); row++) {
      logLikelihood += experiment.model().addGradient(data, row, theta, gradient);
    }
    double product = 0;
    for (int j = 0; j < d; j++) {
      out[j] = theta[j];
      out[d + j] = theta[j] * theta[(j + 1) % d];
      product += theta[j] * gradient[j];
    }
    out[2 * d] = logLikelihood;
    out[2 * d + 1] = product;
    out[2 * d + 2] = state.bright();
    out[2 * d + 3] = state.logDensity();
    out[2 * d + 4] = state.bright() * logLikelihood;
    return out;
  }

  private static double[] column(double[][] rows, int column) {
    double[] values = new double[rows.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = rows[i][column];
    }
    return values;
  }
}
