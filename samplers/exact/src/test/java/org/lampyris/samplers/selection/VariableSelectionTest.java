package org.lampyris.samplers.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.RandomWalk;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.LogisticTable;
import org.lampyris.samplers.testdata.MemoryRun;

/** Whole runs. */
class VariableSelectionTest {
  private static final List<String> COLUMNS = List.of("(Intercept)", "a", "b");

  private static final MemoryRun SMALL = new MemoryRun(LogisticTable.blocks(), COLUMNS, Map.of());

  private static RunResult run(MemoryRun table, Map<String, ?> keys, Map<String, ?> own) {
    return table.run(keys(keys, own));
  }

  private static Map<String, Object> keys(Map<String, ?> keys, Map<String, ?> own) {
    Map<String, Object> all = new HashMap<>(Map.of("algorithm", "variable-selection"));
    all.put("variable_selection", MemoryRun.mapping(own));
    all.putAll(keys);
    return all;
  }

  private static VariableSummary summary(RunResult result, int j) {
    return VariableSummary.of(
        "" + j,
        result.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[j]).toArray())
            .toArray(double[][]::new));
  }

  /** Rows of a logistic regression with these coefficients, the first one of an intercept. */
  private static List<DataBlock> planted(int rows, double... truth) {
    UniformRandomProvider rng = new Streams(5).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] x = new double[rows * truth.length];
    double[] y = new double[rows];
    for (int n = 0; n < rows; n++) {
      double eta = 0;
      for (int j = 0; j < truth.length; j++) {
        x[n * truth.length + j] = j == 0 ? 1 : normal.sample();
        eta += x[n * truth.length + j] * truth[j];
      }
      y[n] = rng.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
    }
    return IntStream.range(0, rows / 100)
        .<DataBlock>mapToObj(
            b ->
                new DenseBlock(
                    b,
                    truth.length,
                    Arrays.copyOfRange(x, b * 100 * truth.length, (b + 1) * 100 * truth.length),
                    Arrays.copyOfRange(y, b * 100, (b + 1) * 100),
                    null))
        .toList();
  }

  /**
   * A logistic posterior, whose four models are integrated over by the trapezoidal rule. 4.5
   * standard errors are a false alarm of 3·10⁻⁵ for the five figures.
   */
  @ParameterizedTest
  @ValueSource(strings = {"prior", "shared-scale"})
  void logisticModelsHaveTheProbabilitiesOfQuadrature(String slab) {
    List<DataBlock> few = planted(100, 0.3, -0.45, 0.25);
    MemoryRun table = new MemoryRun(few, COLUMNS, Map.of());
    SharedScale shared = slab.equals("prior") ? null : new SharedScale(0.2, 5);
    double[] expected = quadrature(table, 1.3, shared);
    assertTrue(expected[0] > 0.05 && expected[0] < 0.95, Arrays.toString(expected));
    assertTrue(expected[1] > 0.05 && expected[1] < 0.95, Arrays.toString(expected));
    RunResult result =
        run(
            table,
            Map.of("warmup", 200, "draws", 8000, "plan", "segment", "seed", 2),
            Map.of("size", 1.3, "slab", slab, "least_scale", 0.2, "largest_scale", 5));
    for (int j = 1; j <= 2; j++) {
      VariableSummary found = summary(result, j);
      assertEquals(
          expected[j - 1],
          found.inclusion().probability(),
          4.5 * found.inclusion().mcse(),
          Arrays.toString(expected));
      assertTrue(found.inclusion().mcse() < 0.01, "" + found);
      assertEquals(expected[1 + j], found.mean(), 4.5 * found.mixing().mcseMean());
    }
    VariableSummary intercept = summary(result, 0);
    assertEquals(expected[4], intercept.mean(), 4.5 * intercept.mixing().mcseMean());
    assertEquals(1, intercept.inclusion().probability());
  }

  /** Returns P(a in), P(b in), E a, E b and E of the intercept, for λ. */
  private static double[] quadrature(MemoryRun table, double rate, @Nullable SharedScale shared) {
    double[] sums = new double[6];
    double[] ways = {1, rate / 2, rate * rate / 2};
    double top = table.logPosterior(table.fit().theta());
    double step = 0.06;
    int nodes = 30;
    for (int bits = 0; bits < 4; bits++) {
      int hasA = bits & 1;
      int hasB = bits >> 1;
      UnivariatePrior slab = table.model().prior().factors().get(1);
      for (int i = -nodes; i <= nodes; i++) {
        for (int a = -nodes * hasA; a <= nodes * hasA; a++) {
          for (int b = -nodes * hasB; b <= nodes * hasB; b++) {
            double[] theta = {
              table.fit().theta()[0] + i * step,
              hasA * (table.fit().theta()[1] + a * step),
              hasB * (table.fit().theta()[2] + b * step)
            };
            // The slab of what is out is no part of the density.
            double log =
                table.logPosterior(theta)
                    - top
                    - slab.logDensity(theta[1])
                    - slab.logDensity(theta[2]);
            if (shared == null) {
              log += hasA * slab.logDensity(theta[1]) + hasB * slab.logDensity(theta[2]);
            } else if (bits > 0) {
              double sum = Math.abs(theta[1]) + Math.abs(theta[2]);
              log += shared.at(hasA + hasB, sum).logDensity();
            }
            double mass = Math.exp(log) * ways[hasA + hasB] * Math.pow(step, hasA + hasB);
            sums[0] += mass;
            sums[1] += mass * hasA;
            sums[2] += mass * hasB;
            sums[3] += mass * theta[1];
            sums[4] += mass * theta[2];
            sums[5] += mass * theta[0];
          }
        }
      }
    }
    return Arrays.stream(sums).skip(1).map(sum -> sum / sums[0]).toArray();
  }

  @Test
  void withoutToleranceTheSequentialTestIsTheExactOne() {
    Map<String, ?> keys = Map.of("warmup", 5, "draws", 200);
    RunResult exact = run(SMALL, keys, Map.of());
    RunResult tested = run(SMALL, keys, Map.of("test", "sequential", "epsilon", 0));
    for (int c = 0; c < 4; c++) {
      for (int i = 0; i < 200; i++) {
        assertArrayEquals(
            exact.chains().get(c).draws().get(i), tested.chains().get(c).draws().get(i));
      }
    }
    assertNull(exact.bias());
    assertNull(tested.bias());
    assertNotNull(run(SMALL, keys, Map.of("test", "sequential", "batch", 20)).bias());
  }

  /** Where a chain is, all rows have been evaluated already. */
  @Test
  void anIterationEvaluatesARowOnce() {
    ChainTrace trace = run(SMALL, Map.of("warmup", 0, "draws", 30), Map.of()).chains().get(0);
    assertEquals(2L * LogisticTable.ROWS, trace.sampling().get(0).info().likelihoodEvaluations());
    for (ChainTrace.Iteration iteration : trace.sampling().subList(1, 30)) {
      assertEquals(LogisticTable.ROWS, iteration.info().likelihoodEvaluations());
    }
  }

  @Test
  void chainsBeginInTheModelThatIsWanted() {
    Map<String, ?> keys = Map.of("warmup", 0, "draws", 1, "chains", 1);
    MemoryRun table = new MemoryRun(planted(300, 0.3, 1.2, 0, -0.9), columns(3), Map.of());
    assertEquals(3, size(run(table, keys, Map.of("start", "all"))), 1);
    assertEquals(0, size(run(table, keys, Map.of("start", "none"))), 1);
    Features features = new Features(table.model().slopes(), 4);
    InclusionPrior prior = new InclusionPrior(table.model().prior(), features, 1, 2, null);
    ReversibleJump any =
        new ReversibleJump(
            CandidateFeatures.of(prior, table.fit().laplace()),
            2,
            new RandomWalk(Preconditioner.identity(4), 1));
    for (SelectionSettings.Start start :
        List.of(SelectionSettings.Start.MODE, SelectionSettings.Start.ALL)) {
      assertArrayEquals(
          new boolean[] {true, false, true},
          VariableSelection.begun(start, any, table.fit().laplace()));
    }
    assertTrue(
        run(table, Map.of("warmup", 50, "draws", 200), Map.of("max_size", 1)).chains().stream()
            .flatMap(chain -> chain.sampling().stream())
            .allMatch(iteration -> iteration.info().columns().get(0) <= 1));
  }

  private static List<String> columns(int features) {
    return IntStream.rangeClosed(0, features)
        .mapToObj(j -> j == 0 ? "(Intercept)" : "x" + j)
        .toList();
  }

  private static double size(RunResult result) {
    return result.chains().get(0).sampling().get(0).info().columns().get(0);
  }

  /** lp__ is log p(γ, θ) + Σ log L: for what is in, without slabs of what is out. */
  @Test
  void theLogPosteriorIsThatOfTheModel() {
    Map<String, Object> keys = keys(Map.of("warmup", 20, "draws", 40), Map.of("size", 0.8));
    RunResult result = SMALL.run(keys);
    double[][] values =
        LogPosteriors.of(MemoryRun.settings(keys), SMALL.context(keys), result.chains()).values();
    assertNotNull(values);
    double out = SMALL.model().prior().factors().get(1).logDensity(0);
    double[] sizes = {1, 0.8, 0.32};
    double[] choices = {1, 2, 1};
    for (int c = 0; c < 4; c++) {
      for (int i = 0; i < 40; i++) {
        double[] theta = result.chains().get(c).draws().get(i);
        int k = (theta[1] == 0 ? 0 : 1) + (theta[2] == 0 ? 0 : 1);
        double expected =
            SMALL.logPosterior(theta) - (2 - k) * out + Math.log(sizes[k] / 2.12 / choices[k]);
        assertEquals(expected, values[c][i], 1e-9);
      }
    }
  }

  /** 3 of 10 features have coefficients other than 0; the test's ε is 0.05. */
  @Test
  void plantedFeaturesAreFoundByBothTests() {
    double[] truth = {0.2, 0.4, 0, -0.3, 0, 0, 0, 0.25, 0, 0, 0};
    MemoryRun table = new MemoryRun(planted(5000, truth), columns(10), Map.of());
    Map<String, ?> keys = Map.of("warmup", 200, "draws", 1000, "plan", "segment", "chains", 2);
    RunResult exact = run(table, keys, Map.of());
    RunResult tested = run(table, keys, Map.of("test", "sequential", "epsilon", 0.05));
    for (int j = 1; j <= 10; j++) {
      double included = summary(exact, j).inclusion().probability();
      assertEquals(truth[j] == 0 ? 0 : 1, included, 0.25, "x" + j);
      assertEquals(included, summary(tested, j).inclusion().probability(), 0.08, "x" + j);
    }
    Decision found = exact.decisions().get(exact.decisions().size() - 1);
    assertEquals(Decision.FOUND, found.topic());
    assertTrue(found.text().startsWith("features included, out of 10: 3 in "), found.text());
  }

  /** The coefficients of all classes come in and go together. */
  @Test
  void aFeatureOfSeveralPredictorsGoesAsAWhole() {
    double[] x = new double[300];
    double[] y = new double[100];
    for (int n = 0; n < 100; n++) {
      x[3 * n] = 1;
      x[3 * n + 1] = Math.sin(3.0 * n);
      x[3 * n + 2] = Math.sin(7.0 * n);
      y[n] = x[3 * n + 1] + 0.8 * Math.sin(11.0 * n) > 0.3 ? 2 : n % 2;
    }
    FamilySpec softmax =
        new FamilySpec("softmax", Map.of("reference_class", "c"), List.of("a", "b", "c"));
    MemoryRun table =
        new MemoryRun(softmax, List.of(new DenseBlock(0, 3, x, y, null)), COLUMNS, Map.of());
    RunResult result = run(table, Map.of("warmup", 100, "draws", 500), Map.of());
    int together = 0;
    for (ChainTrace chain : result.chains()) {
      for (double[] theta : chain.draws()) {
        assertEquals(theta[1] == 0, theta[4] == 0);
        assertEquals(theta[2] == 0, theta[5] == 0);
        assertTrue(theta[0] != 0 && theta[3] != 0);
        together += theta[2] == 0 ? 1 : 0;
      }
    }
    assertTrue(together > 100 && together < 2000, "" + together);
  }

  @Test
  void whatCannotBeIsRefused() {
    MemoryRun flat = new MemoryRun(LogisticTable.blocks(), COLUMNS, Map.of("b", "flat"));
    UserException refused = assertThrows(UserException.class, () -> run(flat, Map.of(), Map.of()));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith("model.prior: ") && message.contains("prior of b "), message);
    assertThrows(UserException.class, () -> run(SMALL, Map.of("kernel", "hmc"), Map.of()));
    MemoryRun alone =
        new MemoryRun(
            FamilySpec.of("logistic"), planted(100, 0.3), List.of("(Intercept)"), Map.of());
    assertTrue(
        String.valueOf(
                assertThrows(UserException.class, () -> run(alone, Map.of(), Map.of()))
                    .getMessage())
            .contains("has none here"));
  }
}
