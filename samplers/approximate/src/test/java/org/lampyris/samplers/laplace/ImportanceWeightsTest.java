package org.lampyris.samplers.laplace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.bounds.family.FamilySpec;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.MemoryRun;

/**
 * Doubts about the normal approximation by its importance weights, on tables where it is good, and
 * where it fails: as many runs each as there are seeds. {@code -Dlampyris.seeds=200
 * -Dlampyris.rows=30,…} print the figures of {@code docs/approximate.md}.
 */
class ImportanceWeightsTest {
  private static final int SEEDS = Integer.getInteger("lampyris.seeds", 40);
  private static final int CHECKED = 400;

  /** Rows that are stored; each stands for as many as are missing. */
  private static final int STORED = 60;

  private static Arguments of(String family, DoubleBinaryOperator respond) {
    return Arguments.of(FamilySpec.of(family), respond);
  }

  static Stream<Arguments> families() {
    DoubleBinaryOperator sign = (eta, u) -> u < 1 / (1 + Math.exp(-eta)) ? 1 : -1;
    DoubleBinaryOperator close = (eta, u) -> eta + 2 * u - 1;
    return Stream.of(
        of("logistic", sign),
        of("probit", sign),
        of("poisson", (eta, u) -> Math.floor(Math.exp(eta) + u)),
        Arguments.of(
            FamilySpec.of("gamma").with("shape", 2.0),
            (DoubleBinaryOperator) (eta, u) -> -Math.exp(eta) * Math.log(1 - 0.999 * u)),
        Arguments.of(FamilySpec.of("gaussian").with("sigma", "exponential(1)"), close),
        Arguments.of(FamilySpec.of("robust").with("df", 4.0).with("scale", 1.0), close));
  }

  /** Returns a table of an intercept and two columns. */
  private static MemoryRun table(
      FamilySpec family, int rows, String prior, DoubleBinaryOperator respond) {
    int stored = Math.min(rows, STORED);
    UniformRandomProvider rng = new Streams(11).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    double[] x = new double[3 * stored];
    double[] y = new double[stored];
    double[] weights = new double[stored];
    Arrays.fill(weights, (double) rows / stored);
    for (int i = 0; i < stored; i++) {
      x[3 * i] = 1;
      x[3 * i + 1] = rng.nextDouble(-1.7, 1.7);
      x[3 * i + 2] = rng.nextDouble(-1.7, 1.7);
      y[i] = respond.applyAsDouble(0.5 + 0.5 * x[3 * i + 1] - 0.3 * x[3 * i + 2], rng.nextDouble());
    }
    return new MemoryRun(
        family,
        List.of(new DenseBlock(0, 3, x, y, weights)),
        List.of("(Intercept)", "x1", "x2"),
        Map.of("(Intercept)", prior, "x1", prior, "x2", prior));
  }

  /**
   * A run.
   *
   * @param first the weights of 400 draws
   * @param last of ten times as many if those leave a doubt, as {@link LaplaceAlgorithm} has them
   */
  private record Checked(ImportanceWeights first, ImportanceWeights last) {
    boolean isAbove() {
      return first.k() > first.limit();
    }

    boolean isDoubted() {
      return !last.areReliable();
    }
  }

  private static List<Checked> checked(MemoryRun table, LaplaceApproximation normal, int seeds) {
    return IntStream.rangeClosed(1, seeds)
        .mapToObj(
            seed -> {
              ImportanceWeights first = weights(table, normal, seed, CHECKED);
              return new Checked(
                  first,
                  first.areReliable() || first.areFar()
                      ? first
                      : weights(table, normal, seed, 10 * CHECKED));
            })
        .toList();
  }

  private static ImportanceWeights weights(
      MemoryRun table, LaplaceApproximation normal, int seed, int size) {
    NormalDraws draws = new NormalDraws(normal, table.model().prior(), new Streams(seed));
    double[] ratios = new double[size];
    for (int s = 0; s < size; s++) {
      double[] theta = draws.draw(1, s + 1);
      ratios[s] = draws.logRatio(theta, table.logPosterior(theta));
    }
    return ImportanceWeights.of(ratios);
  }

  private static long doubted(String what, List<Checked> all) {
    long doubted = all.stream().filter(Checked::isDoubted).count();
    System.out.printf(
        "proof | k-hat of %s: %d of %d above the limit, %d in doubt, %d complain%n",
        what,
        all.stream().filter(Checked::isAbove).count(),
        all.size(),
        all.stream().filter(one -> !one.first.areReliable()).count(),
        doubted);
    return doubted;
  }

  /** From 300 rows on, the bias is below 0.1 sds: whatever k-hat is, nothing is wrong. */
  @ParameterizedTest
  @MethodSource("families")
  void aGoodApproximationIsNotDoubted(FamilySpec family, DoubleBinaryOperator respond) {
    for (String each : System.getProperty("lampyris.rows", "300,3000,100000").split(",", -1)) {
      int rows = Integer.parseInt(each);
      MemoryRun table = table(family, rows, "normal(0, 2.5)", respond);
      List<Checked> all = checked(table, table.fit().laplace(), SEEDS);
      long doubted = doubted("%s, %,d rows".formatted(family.name(), rows), all);
      assertTrue(rows < 300 || doubted == 0, () -> rows + " rows: " + all);
    }
  }

  /** The rule is needed: k-hat alone doubts some of them. */
  @Test
  void kHatAloneDoubtsGoodApproximations() {
    MemoryRun table =
        table(
            FamilySpec.of("robust").with("df", 4.0).with("scale", 1.0),
            3_000,
            "normal(0, 2.5)",
            (eta, u) -> eta + 2 * u - 1);
    ImportanceWeights one =
        checked(table, table.fit().laplace(), SEEDS).stream()
            .filter(Checked::isAbove)
            .findFirst()
            .orElseThrow()
            .first;
    assertTrue(one.shape().contains("; harmless, as its tail holds only"), one.shape());
    assertTrue(one.effective() > 0.99 * CHECKED, "weights are worth " + one.effective());
  }

  /** Counts that are all 0, classes that are separated, and one event, under a wide prior. */
  @ParameterizedTest
  @ValueSource(ints = {30, 1_000, 100_000})
  void aFailedApproximationIsDoubted(int rows) {
    String wide = "normal(0, 100)";
    assertFails(table(FamilySpec.of("poisson"), rows, wide, (eta, u) -> 0));
    if (rows == 30) {
      FamilySpec logistic = FamilySpec.of("logistic");
      assertFails(table(logistic, rows, wide, (eta, u) -> eta > 0.5 ? 1 : -1));
      assertFails(table(logistic, rows, wide, (eta, u) -> eta > 1.7 ? 1 : -1));
    }
  }

  /** Planted: a mode that is 4 sds off, and a covariance that is a sixth of the right one. */
  @ParameterizedTest
  @ValueSource(ints = {300, 100_000})
  void aWrongApproximationIsDoubted(int rows) {
    MemoryRun table =
        table(
            FamilySpec.of("poisson"),
            rows,
            "normal(0, 2.5)",
            (eta, u) -> Math.floor(Math.exp(eta) + u));
    LaplaceApproximation right = table.fit().laplace();
    double[] mode = right.mode().clone();
    mode[1] += 4 * right.sd(1);
    assertFails(table, new LaplaceApproximation(mode, right.covariance()));
    double[] narrow = Arrays.stream(right.covariance()).map(value -> value / 6).toArray();
    assertFails(table, new LaplaceApproximation(right.mode(), narrow));
  }

  private static void assertFails(MemoryRun table) {
    assertFails(table, table.fit().laplace());
  }

  /** Asserts that nearly all runs complain, also those with a k-hat below the limit. */
  private static void assertFails(MemoryRun table, LaplaceApproximation normal) {
    List<Checked> all = checked(table, normal, SEEDS / 2);
    assertTrue(doubted("a failure", all) >= 0.99 * all.size(), all::toString);
    assertFalse(all.stream().anyMatch(one -> one.last.shape().contains("harmless")));
  }

  /** The same weights about 1, a hundredth as far: the same k-hat, and a hundredth of the tail. */
  @Test
  void kHatDoesNotKnowHowMuchWeightsVary() {
    UniformRandomProvider rng = new Streams(3).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    double[] heavy = new double[CHECKED];
    Arrays.setAll(heavy, s -> Math.pow(1 - rng.nextDouble(), -0.8));
    ImportanceWeights wide = ImportanceWeights.of(Arrays.stream(heavy).map(Math::log).toArray());
    double mean = Arrays.stream(heavy).average().orElseThrow();
    ImportanceWeights narrow =
        ImportanceWeights.of(
            Arrays.stream(heavy).map(w -> Math.log1p(0.01 * (w / mean - 1))).toArray());
    assertEquals(wide.k(), narrow.k(), 1e-6);
    assertTrue(wide.k() > wide.limit(), wide.shape());
    assertFalse(wide.areReliable());
    assertTrue(narrow.areReliable());
    assertEquals(0.01, narrow.tail() / wide.tail(), 0.003);
  }
}
