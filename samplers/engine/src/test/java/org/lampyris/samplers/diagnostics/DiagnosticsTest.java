package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DiagnosticsTest {
  private static final double RELATIVE = 1e-10;

  private static final Map<String, ToDoubleFunction<VariableSummary>> SUMMARY =
      Map.ofEntries(
          Map.entry("mean", VariableSummary::mean),
          Map.entry("median", row -> row.quantiles().median()),
          Map.entry("sd", VariableSummary::sd),
          Map.entry("mad", row -> row.quantiles().mad()),
          Map.entry("q5", row -> row.quantiles().q5()),
          Map.entry("q95", row -> row.quantiles().q95()),
          Map.entry("rhat", row -> row.mixing().rhat()),
          Map.entry("ess_bulk", row -> row.mixing().essBulk()),
          Map.entry("ess_tail", row -> row.mixing().essTail()),
          Map.entry("mcse_mean", row -> row.mixing().mcseMean()),
          Map.entry("mcse_sd", row -> row.mixing().mcseSd()));

  static List<PosteriorFixture> fixtures() {
    return PosteriorFixture.all();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void saysWhatPosteriorSays(PosteriorFixture fixture) {
    double[][] draws = fixture.draws();
    VariableSummary summary = VariableSummary.of("x", draws);
    Stream<Executable> checks =
        fixture.expected().entrySet().stream()
            .map(
                entry ->
                    () ->
                        assertClose(
                            entry.getValue(),
                            measure(entry.getKey(), draws, summary),
                            fixture + " " + entry.getKey()));
    assertAll(checks);
  }

  private static double measure(String name, double[][] draws, VariableSummary summary) {
    ToDoubleFunction<VariableSummary> column = SUMMARY.get(name);
    if (column != null) {
      return column.applyAsDouble(summary);
    }
    double probability = Double.parseDouble("0" + name.replaceAll("^[a-z_]*", ""));
    return switch (name.replaceAll("_[0-9.]*$", "")) {
      case "ess_mean" -> Diagnostics.essMean(draws);
      case "ess_sd" -> Diagnostics.essSd(draws);
      case "ess_quantile" -> Diagnostics.essQuantile(draws, probability);
      case "mcse_quantile" -> Diagnostics.mcseQuantile(draws, probability);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static void assertClose(double expected, double actual, String what) {
    if (expected > 1e12 && what.endsWith("rhat")) {
      // Chains that never move have no variance within: posterior divides by rounding errors.
      assertEquals(Double.POSITIVE_INFINITY, actual, what);
    } else {
      // posterior takes differences of means that are rounded at 1e8: see the test about shifts.
      double relative = what.startsWith("far_from_zero") ? 1e-8 : RELATIVE;
      double tolerance = Double.isFinite(expected) ? relative * Math.abs(expected) : 0;
      assertEquals(expected, actual, tolerance, what);
    }
  }

  @Test
  void isAsAccurateFarFromZeroAsNearIt() {
    double[][] far = PosteriorFixture.named("far_from_zero").draws();
    double[][] near = new double[far.length][];
    for (int chain = 0; chain < far.length; chain++) {
      near[chain] = Arrays.stream(far[chain]).map(draw -> draw - 1e8).toArray(); // exact
    }
    // By posterior::ess_mean and mcse_mean of the near ones.
    for (double[][] draws : List.of(near, far)) {
      assertEquals(430.9546781629405, Diagnostics.essMean(draws), 1e-12 * 430);
      assertEquals(0.04640718826038375, Diagnostics.mcseMean(draws), 1e-12 * 0.046);
    }
  }

  @Test
  void chainsOfTwoAndThreeDrawsHaveNoDiagnostics() {
    for (int iterations = 1; iterations <= 3; iterations++) {
      double[][] draws = new SimulatedChains(1).normal(4, iterations, 0);
      assertEquals(Double.NaN, Diagnostics.rhat(draws));
      assertEquals(Double.NaN, Diagnostics.essBulk(draws));
      assertEquals(Double.NaN, Diagnostics.essTail(draws));
      assertEquals(Double.NaN, Diagnostics.mcseMean(draws));
    }
  }

  /** An AR(1) chain's integrated autocorrelation time is (1 + φ)/(1 − φ). */
  @Test
  void longAutoregressionHasItsKnownEffectiveSampleSize() {
    // The estimate's relative sd is about √(2(2K + 1)/S) with K lags summed: at most 0.03 here.
    // Five of those on three independent estimates: false alarms below 2e-6.
    for (double phi : new double[] {-0.3, 0.5, 0.9}) {
      double[][] draws = new SimulatedChains(20_240).normal(4, 100_000, phi);
      double known = 400_000 * (1 - phi) / (1 + phi);
      assertEquals(known, Diagnostics.essMean(draws), 0.15 * known, "seed 20240, phi " + phi);
      assertTrue(Diagnostics.rhat(draws) < 1.001, "seed 20240, phi " + phi);
    }
  }

  @Test
  void rankMeasuresDoNotDependOnAMonotoneTransformation() {
    double[][] draws = new SimulatedChains(7).normal(4, 200, 0.6);
    double[][] skewed = new double[4][];
    for (int chain = 0; chain < 4; chain++) {
      skewed[chain] = Arrays.stream(draws[chain]).map(Math::exp).toArray();
    }
    assertEquals(Diagnostics.essBulk(draws), Diagnostics.essBulk(skewed));
  }

  /** φ = 0.98 takes some 350 lags: the first are summed, the rest transformed. */
  @Test
  void slowChainsHaveTheirKnownEffectiveSampleSize() {
    // The relative sd is about √(2(2K + 1)/S) = 0.04 with K = 350 lags summed, S = 800,000; five of
    // those: false alarms below 1e-6.
    double[][] draws = new SimulatedChains(99).normal(4, 200_000, 0.98);
    double known = 800_000 * 0.02 / 1.98;
    assertEquals(known, Diagnostics.essMean(draws), 0.2 * known, "seed 99");
  }

  @Test
  void aTableOfScoresChangesNothing() {
    for (int n : new int[] {1, 2, 7, 50, 301}) {
      double[][] draws = new SimulatedChains(11 + n).normal(3, n, 0.9);
      draws[1][n / 2] = draws[0][0];
      assertEquals(
          VariableSummary.of("x", draws),
          VariableSummary.of("x", draws, NormalScores.table(3, n)),
          "seed " + (11 + n));
    }
  }

  @Test
  void drawsAreNotModified() {
    double[][] draws = new SimulatedChains(5).normal(3, 51, 0.2);
    double[][] before = new double[3][];
    for (int chain = 0; chain < 3; chain++) {
      before[chain] = draws[chain].clone();
    }
    VariableSummary.of("x", draws);
    Diagnostics.essSd(draws);
    Diagnostics.mcseQuantile(draws, 0.1);
    assertArrayEquals(before, draws);
  }

  @Test
  void drawsMustBeARectangle() {
    assertThrows(IllegalArgumentException.class, () -> Diagnostics.rhat(new double[0][]));
    assertThrows(IllegalArgumentException.class, () -> Diagnostics.essBulk(new double[2][0]));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> VariableSummary.of("x", new double[][] {{1, 2}, {1, 2}, {1}}))
            .getMessage();
    assertEquals("chain 3 has 1 draws where chain 1 has 2", message);
  }

  @Test
  void probabilitiesLieBetweenZeroAndOne() {
    double[][] draws = new SimulatedChains(3).normal(2, 20, 0);
    for (double probability : new double[] {-0.01, 1.01, Double.NaN}) {
      assertThrows(
          IllegalArgumentException.class, () -> Diagnostics.essQuantile(draws, probability));
      assertThrows(
          IllegalArgumentException.class, () -> Diagnostics.mcseQuantile(draws, probability));
    }
  }
}
