package org.lampyris.samplers.laplace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.prior.ProductPrior;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunResult;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * The normal approximation and its correction against quadrature. Figures are compared within 5
 * standard errors: false-alarm rate 6·10⁻⁷ a figure.
 */
class LaplaceTest {
  private static final double SIGMAS = 5;
  private static final int CHAINS = 4;
  private static final int DRAWS = 5_000;

  /** Tables whose posteriors are skewed, but not far from normal. */
  @SuppressWarnings("ImmutableEnumChecker") // never changed
  enum Table {
    /** Few rows, two coefficients. */
    LOGISTIC(logistic(30)),
    /** Few counts. */
    POISSON(poisson("normal(0, 10)", 3, 1, 2, 4, 3, 2)),
    /** A coefficient and a sampled scale, whose coordinate is a logarithm. */
    GAUSSIAN(gaussian("exponential(1)")),
    /** A coefficient whose prior cuts off a fifth of the normal approximation. */
    BOUNDED(poisson("uniform(-0.5, 5)", 1, 0, 2));

    private final MemoryRun run;
    private final GridPosterior exact;

    Table(MemoryRun run) {
      this.run = run;
      this.exact = new GridPosterior(run);
    }
  }

  private static DataBlock block(int columns, double[] x, double[] y) {
    return new DenseBlock(0, columns, x, y, null);
  }

  private static MemoryRun logistic(int rows) {
    UniformRandomProvider rng = new Streams(7).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    double[] x = new double[2 * rows];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      x[2 * i] = 1;
      x[2 * i + 1] = rng.nextDouble(-1, 3);
      y[i] = rng.nextDouble() < 1 / (1 + Math.exp(-0.4 - 0.5 * x[2 * i + 1])) ? 1 : -1;
    }
    return new MemoryRun(List.of(block(2, x, y)), List.of("(Intercept)", "x"), Map.of());
  }

  private static MemoryRun poisson(String prior, double... counts) {
    double[] ones = new double[counts.length];
    Arrays.fill(ones, 1);
    return new MemoryRun(
        FamilySpec.of("poisson"),
        List.of(block(1, ones, counts)),
        List.of("(Intercept)"),
        Map.of("(Intercept)", prior));
  }

  private static MemoryRun gaussian(Object sigma) {
    double[] y = new double[40];
    Arrays.setAll(y, i -> 0.4 + 1.3 * Math.sin(7 * i));
    double[] ones = new double[y.length];
    Arrays.fill(ones, 1);
    return new MemoryRun(
        FamilySpec.of("gaussian").with("sigma", sigma),
        List.of(block(1, ones, y)),
        List.of("(Intercept)"),
        Map.of());
  }

  private static RunResult run(MemoryRun run, Map<String, ?> own, int draws) {
    return run.run(
        Map.of(
            "algorithm",
            "laplace",
            "chains",
            CHAINS,
            "draws",
            draws,
            "laplace",
            MemoryRun.mapping(own)));
  }

  private static double figure(Bias bias, String name) {
    return Objects.requireNonNull(bias.figures().get(name), name);
  }

  private static Bias bias(RunResult result) {
    return Objects.requireNonNull(result.bias());
  }

  /** Returns the largest |z| of means and second moments against quadrature. */
  private static double farthest(RunResult result, GridPosterior exact, double effective) {
    List<double[]> draws =
        result.chains().stream().flatMap(chain -> chain.draws().stream()).toList();
    double farthest = 0;
    for (int j = 0; j < draws.get(0).length; j++) {
      int at = j;
      double mean = exact.mean(j);
      double sd = exact.sd(j);
      for (int power = 1; power <= 2; power++) {
        double k = power;
        double expected = exact.mean(theta -> Math.pow((theta[at] - mean) / sd, k));
        double square = exact.mean(theta -> Math.pow((theta[at] - mean) / sd, 2 * k));
        double found =
            draws.stream()
                .mapToDouble(theta -> Math.pow((theta[at] - mean) / sd, k))
                .average()
                .orElseThrow();
        double error =
            Math.sqrt((square - expected * expected) * (1.0 / draws.size() + 1 / effective));
        farthest = Math.max(farthest, Math.abs(found - expected) / error);
      }
    }
    return farthest;
  }

  @ParameterizedTest
  @EnumSource
  void correctedDrawsAreThePosterior(Table table) {
    RunResult result = run(table.run, Map.of("correct", true, "proposals", 6), DRAWS);
    double share =
        Objects.requireNonNull(
            found(result, Decision.INDEPENDENT).figures().get("effective_share_of_weights"));
    double effective = share * 6 * CHAINS * DRAWS;
    double off = farthest(result, table.exact, effective);
    assertTrue(off < SIGMAS, "off by " + off + " standard errors");
    // The same check finds the approximation out.
    double plain = farthest(run(table.run, Map.of(), DRAWS), table.exact, effective);
    assertTrue(plain > 2 * SIGMAS, "the approximation is off by " + plain);
    for (int c = 0; c < CHAINS; c++) {
      double[] theta = result.chains().get(c).draws().get(3);
      assertEquals(
          table.run.logPosterior(theta), result.chains().get(c).logDensities().get(3), 1e-9);
    }
  }

  /** The line's figures are those of quadrature, whether or not draws are corrected. */
  @ParameterizedTest
  @EnumSource
  void theBiasLineTellsTheTruth(Table table) {
    int d = table.run.fit().theta().length;
    RunResult much = run(table.run, Map.of("checked", 100_000), 10);
    NormalDraws normal =
        new NormalDraws(table.run.fit().laplace(), table.run.model().prior(), new Streams(99));
    List<double[]> all =
        IntStream.rangeClosed(1, 100_000).mapToObj(i -> normal.draw(1, i)).toList();
    double meanOff = 0;
    double sdOff = 0;
    for (int j = 0; j < d; j++) {
      int at = j;
      double mean = all.stream().mapToDouble(theta -> theta[at]).average().orElseThrow();
      double square =
          all.stream()
              .mapToDouble(theta -> (theta[at] - mean) * (theta[at] - mean))
              .average()
              .orElseThrow();
      double off = (mean - table.exact.mean(j)) / table.exact.sd(j);
      double logSd = 0.5 * Math.log(square) - Math.log(table.exact.sd(j));
      meanOff = Math.abs(off) > Math.abs(meanOff) ? off : meanOff;
      sdOff = Math.abs(logSd) > Math.abs(sdOff) ? logSd : sdOff;
    }
    // The approximation's own moments are known by as many draws.
    double own = SIGMAS / Math.sqrt(100_000);
    for (RunResult result :
        List.of(much, run(table.run, Map.of(), 10), run(table.run, Map.of("correct", true), 500))) {
      Bias bias = bias(result);
      double error = SIGMAS * figure(bias, "its_monte_carlo_error") + own;
      assertEquals(meanOff, figure(bias, "largest_mean_difference_in_sds"), error, bias.sentence());
      double relative = SIGMAS * figure(bias, "its_relative_monte_carlo_error") + own;
      assertEquals(sdOff, Math.log(figure(bias, "farthest_sd_ratio")), relative, bias.sentence());
    }
    // With few draws the shape itself is uncertain by 0.2, and may be too large on a table of few
    // rows.
    assertTrue(figure(bias(much), "pareto_k") < 0.7, bias(much).sentence());
    assertTrue(much.decisions().stream().noneMatch(one -> one.topic().equals(Decision.UNRELIABLE)));
    assertTrue(figure(bias(much), "its_monte_carlo_error") < 0.01, bias(much).sentence());
  }

  /**
   * Counts that are all 0: the posterior reaches twice as far to the left as its curvature says.
   */
  @Test
  void paretoShapeTellsOfAFailure() {
    for (boolean correct : List.of(false, true)) {
      RunResult result = run(poisson("normal(0, 100)", 0, 0, 0), Map.of("correct", correct), 500);
      Bias bias = bias(result);
      assertTrue(figure(bias, "pareto_k") > 0.7, bias.sentence());
      String complaint = found(result, Decision.UNRELIABLE).text();
      assertTrue(complaint.contains("Set sampler.algorithm: auto."), complaint);
    }
  }

  /** A doubt of 400 draws is looked into by 4,000, which settle it here. */
  @Test
  void aDoubtIsLookedInto() {
    int doubts = 0;
    for (int seed = 1; seed <= 30; seed++) {
      RunResult result =
          Table.LOGISTIC.run.run(Map.of("algorithm", "laplace", "draws", 10, "seed", seed));
      Bias bias = bias(result);
      double weighed = figure(bias, "weighted_draws");
      doubts += weighed > 400 ? 1 : 0;
      assertEquals(weighed > 400 ? 4_000 : 400, weighed);
      assertEquals(30L * (weighed > 400 ? 4_400 : 400), result.cost().setupEvaluations());
      boolean complains =
          result.decisions().stream().anyMatch(one -> one.topic().equals(Decision.UNRELIABLE));
      assertFalse(complains && weighed > 400, bias.sentence());
    }
    assertTrue(doubts > 0 && doubts < 15, doubts + " doubts");
  }

  /** Bernstein and von Mises: the more rows, the less bias, at the rate of 1/√n. */
  @Test
  void manyRowsLeaveLittleBias() {
    double few = figure(bias(run(logistic(60), Map.of(), 10)), "largest_mean_difference_in_sds");
    Bias many = bias(run(logistic(60 * 100), Map.of("checked", 2000), 10));
    assertEquals(
        0, figure(many, "largest_mean_difference_in_sds"), 0.3 * Math.abs(few), many.sentence());
    assertTrue(figure(many, "pareto_k") < 0.5, many.sentence());
  }

  @Test
  void aNormalPosteriorHasNoBias() {
    RunResult result = run(gaussian(1.0), Map.of(), 100);
    Bias bias = bias(result);
    assertEquals(0, figure(bias, "largest_mean_difference_in_sds"), 1e-6);
    assertEquals(1, figure(bias, "farthest_sd_ratio"), 1e-6);
    assertFalse(bias.figures().containsKey("pareto_k"));
    assertTrue(bias.sentence().contains("all weights are equal"), bias.sentence());
  }

  /** Draws are numbered, so a longer run begins with the same ones. */
  @Test
  void moreDrawsAddToTheSame() {
    RunResult some = run(Table.LOGISTIC.run, Map.of(), 10);
    RunResult more = run(Table.LOGISTIC.run, Map.of(), 20);
    for (int c = 0; c < CHAINS; c++) {
      for (int i = 0; i < 10; i++) {
        assertArrayEquals(some.chains().get(c).draws().get(i), more.chains().get(c).draws().get(i));
      }
    }
    assertEquals(some.bias(), more.bias());
    assertEquals(2, some.chains().get(0).draws().get(0).length);
  }

  @Test
  void drawsStayWithinTheBoundsOfPriors() {
    for (boolean correct : List.of(false, true)) {
      RunResult result = run(Table.BOUNDED.run, Map.of("correct", correct), 500);
      result
          .chains()
          .forEach(chain -> chain.draws().forEach(theta -> assertTrue(theta[0] >= -0.5)));
      String text = found(result, Decision.INDEPENDENT).text();
      assertTrue(text.contains("outside the bounds of the priors is left out"), text);
    }
  }

  @Test
  void boundsFarFromTheModeAreRefused() {
    MemoryRun run = Table.BOUNDED.run;
    NormalDraws none =
        new NormalDraws(
            run.fit().laplace(),
            ProductPrior.parse(List.of("uniform(1000, 1001)")),
            new Streams(1));
    String message =
        String.valueOf(assertThrows(UserException.class, () -> none.draw(1, 1)).getMessage());
    assertTrue(message.contains("outside the bounds of its prior"), message);
  }

  /** Each draw is taken as often as its weight says, rounded up or down. */
  @Test
  void resamplingFollowsTheWeights() {
    double[] logs = {Math.log(0.5), Math.log(0.05), Math.log(0.15), Math.log(0.3)};
    ImportanceWeights weights = new ImportanceWeights(logs, 0, 0);
    int[] counts = new int[4];
    int[] firsts = new int[4];
    for (int i = 1; i <= 4000; i++) {
      UniformRandomProvider rng = new Streams(5).stream(Streams.Purpose.COMBINATION, 0, i, 0);
      int[] chosen = weights.resampled(7, rng);
      int[] each = new int[4];
      Arrays.stream(chosen).forEach(k -> each[k]++);
      for (int k = 0; k < 4; k++) {
        assertEquals(7 * Math.exp(logs[k]), each[k], 1, "number " + k);
        counts[k] += each[k];
      }
      firsts[chosen[0]]++;
    }
    for (int k = 0; k < 4; k++) {
      double p = Math.exp(logs[k]);
      assertEquals(p, counts[k] / 28_000.0, SIGMAS * 0.5 / 7 / Math.sqrt(4000), "number " + k);
      // In random order: the first one is a draw by the weights.
      assertEquals(p, firsts[k] / 4000.0, SIGMAS * Math.sqrt(p * (1 - p) / 4000), "first " + k);
    }
  }

  private static Decision found(RunResult result, String topic) {
    return result.decisions().stream()
        .filter(one -> one.topic().equals(topic))
        .findFirst()
        .orElseThrow();
  }
}
