package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Priors with edges, from the search for the mode to the draws: means and second moments by
 * quadrature, and as many effective draws as kernels have without edges, wherever chains begin.
 *
 * <p>Of each chain of two coefficients four numbers are compared, within 5 Monte-Carlo standard
 * errors by its own effective sample size: false-alarm rate 2·10⁻⁶ a chain.
 */
class EdgesOfThePriorTest {
  private static final List<String> COLUMNS = List.of("a", "b");
  private static final int ROWS = 600;
  private static final int BLOCK_ROWS = 100;

  /** The two columns have a correlation of 0.8; the response follows 0.6 a − 0.3 b. */
  private static List<DataBlock> blocks() {
    UniformRandomProvider rng = new Streams(1).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    List<DataBlock> blocks = new ArrayList<>();
    for (int id = 0; id < ROWS / BLOCK_ROWS; id++) {
      double[] x = new double[2 * BLOCK_ROWS];
      double[] y = new double[BLOCK_ROWS];
      for (int i = 0; i < BLOCK_ROWS; i++) {
        x[2 * i] = rng.nextDouble(-2, 2);
        x[2 * i + 1] = 0.8 * x[2 * i] + 0.6 * rng.nextDouble(-2, 2);
        double eta = 0.6 * x[2 * i] - 0.3 * x[2 * i + 1];
        y[i] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
      }
      blocks.add(new DenseBlock(id, 2, x, y, null));
    }
    return blocks;
  }

  /** Where the mode lies: near an edge, on one, on two, in a narrow interval. */
  private static final Map<String, Map<String, String>> PRIORS =
      new LinkedHashMap<>(
          Map.of(
              "near an edge", Map.of("a", "uniform(0.5, 10)"),
              "on an edge", Map.of("b", "uniform(0, 10)"),
              "in a corner", Map.of("a", "uniform(-10, 0)", "b", "half_normal(2)"),
              "in a narrow interval", Map.of("a", "uniform(0.55, 0.58)")));

  /** Each posterior is integrated once. */
  private static final Map<String, Case> CASES = new LinkedHashMap<>();

  /** A posterior, and the means and variances of its two coefficients. */
  private record Case(MemoryRun run, double[] moments) {}

  private static Case posterior(String where) {
    MemoryRun run = new MemoryRun(blocks(), COLUMNS, PRIORS.getOrDefault(where, Map.of()));
    return new Case(run, quadrature(run));
  }

  static Stream<Arguments> runs() {
    List<Arguments> runs = new ArrayList<>();
    for (String where : PRIORS.keySet()) {
      for (String init : List.of("laplace", "overdispersed", "prior")) {
        runs.add(Arguments.of(where, "metropolis", "hmc", init));
      }
      for (String kernel : List.of("random-walk", "mala", "barker", "slice", "pcn")) {
        runs.add(Arguments.of(where, "metropolis", kernel, "overdispersed"));
      }
      for (String kernel : List.of("hmc", "random-walk")) {
        runs.add(Arguments.of(where, "firefly", kernel, "overdispersed"));
      }
      for (String algorithm : List.of("mhss", "smh")) {
        for (String kernel : List.of("random-walk", "pcn")) {
          runs.add(Arguments.of(where, algorithm, kernel, "laplace"));
        }
      }
    }
    return runs.stream();
  }

  @ParameterizedTest(name = "mode {0}: {1}, {2}, init {3}")
  @MethodSource("runs")
  void theDrawsAreThoseOfThePosterior(String where, String algorithm, String kernel, String init) {
    Case posterior = CASES.computeIfAbsent(where, EdgesOfThePriorTest::posterior);
    MemoryRun run = posterior.run;
    double[] expected = posterior.moments;
    RunResult result =
        run.run(
            Map.of(
                "algorithm", algorithm,
                "kernel", kernel,
                "init", init,
                "chains", 2,
                "warmup", 500,
                "draws", 3000,
                "seed", 5));
    for (int j = 0; j < 2; j++) {
      for (int power = 1; power <= 2; power++) {
        double[][] moment = new double[2][];
        for (int c = 0; c < 2; c++) {
          int index = j;
          double centre = power == 1 ? 0 : expected[j];
          double exponent = power;
          moment[c] =
              result.chains().get(c).draws().stream()
                  .mapToDouble(theta -> Math.pow(theta[index] - centre, exponent))
                  .toArray();
        }
        double ess = Diagnostics.essMean(moment);
        String what = COLUMNS.get(j) + "^" + power + ", seed 5, ESS " + ess;
        assertTrue(ess > 300, what);
        double mean = Stream.of(moment).flatMapToDouble(Arrays::stream).average().orElseThrow();
        assertEquals(expected[2 * (power - 1) + j], mean, 5 * Diagnostics.mcseMean(moment), what);
      }
    }
    for (ChainTrace trace : result.chains()) {
      trace.draws().forEach(theta -> assertTrue(Double.isFinite(run.logPosterior(theta))));
    }
  }

  /** Returns the means and variances of both coefficients, by the trapezoidal rule. */
  private static double[] quadrature(MemoryRun run) {
    int points = 400;
    double[] from = new double[2];
    double[] width = new double[2];
    for (int j = 0; j < 2; j++) {
      double mode = run.fit().theta()[j];
      double reach = 14 * run.fit().sd(j);
      from[j] = Math.max(mode - reach, run.model().prior().lower(j));
      width[j] = (Math.min(mode + reach, run.model().prior().upper(j)) - from[j]) / points;
    }
    double[] sums = new double[5];
    double top = run.fit().logPosterior();
    for (int i = 0; i < points; i++) {
      for (int k = 0; k < points; k++) {
        double[] theta = {from[0] + (i + 0.5) * width[0], from[1] + (k + 0.5) * width[1]};
        double density = Math.exp(run.logPosterior(theta) - top);
        double[] values = {theta[0], theta[1], theta[0] * theta[0], theta[1] * theta[1], 1};
        for (int f = 0; f < values.length; f++) {
          sums[f] += density * values[f];
        }
      }
    }
    double a = sums[0] / sums[4];
    double b = sums[1] / sums[4];
    return new double[] {a, b, sums[2] / sums[4] - a * a, sums[3] / sums[4] - b * b};
  }
}
