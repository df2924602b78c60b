package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.GaussianDivergence.Size;

class GaussianDivergenceTest {
  private static final FalseAlarms ONE_IN_TWENTY = new FalseAlarms(0.05, 1);

  /** Returns one chain of draws ±a_j about m_j for each variable, in all combinations. */
  private static double[][][] corners(double[] mean, double[] spread) {
    int d = mean.length;
    double[][][] draws = new double[d][1][64];
    // 64 draws with divisor 63: the variance is a² 64/63.
    for (int j = 0; j < d; j++) {
      for (int i = 0; i < 64; i++) {
        draws[j][0][i] = mean[j] + ((i >> j & 1) == 0 ? spread[j] : -spread[j]);
      }
    }
    return draws;
  }

  /** Returns (x, y + slope x) of (x, y). */
  private static double[][][] sheared(double[][][] draws, double slope) {
    double[][][] out = {draws[0], new double[1][64]};
    Arrays.setAll(out[1][0], i -> draws[1][0][i] + slope * draws[0][0][i]);
    return out;
  }

  @Test
  void divergenceIsTheClosedForm() {
    double[][][] reference = corners(new double[] {5, -3}, new double[] {2, 0.5});
    double[][][] run = corners(new double[] {6, -3.2}, new double[] {1, 0.75});
    double shift = (Math.pow(1 / 2.0, 2) + Math.pow(0.2 / 0.5, 2)) * 63 / 64;
    double known = 0.5 * (0.25 + 2.25 - 2 + shift + 2 * Math.log(2) + 2 * Math.log(0.5 / 0.75));
    assertEquals(known, GaussianDivergence.of(reference, run).value(), 1e-14);
    // It is the same after an affine map, and of correlated variables.
    GaussianDivergence mapped = GaussianDivergence.of(sheared(reference, 30), sheared(run, 30));
    assertEquals(known, mapped.value(), 1e-10);
    assertEquals(0, GaussianDivergence.of(run, run).value(), 1e-15);
    // Correlation alone: ½ log of 1/(1 − ρ²), from independent variables.
    double[][][] unit = corners(new double[2], new double[] {1, 1});
    GaussianDivergence correlated = GaussianDivergence.of(unit, sheared(unit, 0.5));
    assertEquals(0.125, correlated.value(), 1e-14);
  }

  @Test
  void expectationOfManyDrawsIsHalfTheParametersOverTheirNumber() {
    for (int d : new int[] {1, 4, 30}) {
      double parameters = d + d * (d + 1) / 2.0;
      double rate = 0.5 * (1 / 1e7 + 1 / 3e6);
      assertEquals(
          parameters * rate,
          GaussianDivergence.expected(new Size(1e7, 1e7), new Size(3e6, 3e6), d),
          1e-4 * parameters * rate);
    }
    // The share of the means, and that of the covariances.
    double means = GaussianDivergence.expected(new Size(1e4, 1e9), new Size(1e9, 1e9), 6);
    assertEquals(6 / 2e4, means, 1e-3 * means);
    double covariances = GaussianDivergence.expected(new Size(1e9, 1e9), new Size(1e9, 1e4), 6);
    assertEquals(21 / 2e4, covariances, 2e-3 * covariances);
    assertEquals(
        Double.POSITIVE_INFINITY,
        GaussianDivergence.expected(new Size(99, 21), new Size(99, 99), 20));
  }

  /**
   * Runs of 60 independent draws in ten dimensions, where the first order gives 1.08: the mean of
   * 300 divergences, whose relative sd is about √(2/65), against the exact expectation.
   */
  @Test
  void expectationOfFewDrawsIsExact() {
    SimulatedChains chains = new SimulatedChains(21);
    double sum = 0;
    for (int repeat = 0; repeat < 300; repeat++) {
      sum += GaussianDivergence.of(normals(chains, 10, 15, 0), normals(chains, 10, 15, 0)).value();
    }
    double known = GaussianDivergence.expected(new Size(60, 60), new Size(60, 60), 10);
    assertTrue(known > 1.3, "known " + known);
    assertEquals(known, sum / 300, 6 * known * Math.sqrt(2.0 / 65 / 300), "seed 21");
  }

  private static double[][][] normals(
      SimulatedChains chains, int variables, int iterations, double phi) {
    double[][][] draws = new double[variables][][];
    Arrays.setAll(draws, j -> chains.normal(4, iterations, phi * j / variables));
    return draws;
  }

  /** Variables that are the first one, and a tenth of another: slow where they hardly vary. */
  private static double[][][] narrow(double[][][] draws) {
    for (int j = 1; j < draws.length; j++) {
      for (int c = 0; c < draws[j].length; c++) {
        for (int i = 0; i < draws[j][c].length; i++) {
          draws[j][c][i] = draws[0][c][i] + 0.1 * draws[j][c][i];
        }
      }
    }
    return draws;
  }

  /**
   * 200 pairs of runs with autocorrelations of 0 to 0.72 in directions that no variable shows, each
   * flagged with probability 1/20: more than 26 are with a probability of 2·10⁻⁵. The sd of the
   * mean over the expectation is about √(2/20/200) = 0.022. Autocorrelated draws taken for
   * independent ones would have a third of the expectation, and flag nearly all.
   */
  @Test
  void autocorrelatedDrawsAreExpectedToDifferMore() {
    SimulatedChains chains = new SimulatedChains(22);
    int flagged = 0;
    double ratio = 0;
    for (int repeat = 0; repeat < 200; repeat++) {
      GaussianDivergence divergence =
          GaussianDivergence.of(
              narrow(normals(chains, 5, 500, 0.9)), narrow(normals(chains, 5, 500, 0.9)));
      flagged += divergence.differs(ONE_IN_TWENTY) ? 1 : 0;
      ratio += divergence.value() / divergence.expected() / 200;
    }
    assertTrue(flagged <= 26 && flagged >= 1, "seed 22: " + flagged);
    assertEquals(1, ratio, 0.15, "seed 22");
  }

  @Test
  void whatEachVariableHidesIsFound() {
    SimulatedChains chains = new SimulatedChains(23);
    double[][][] reference = normals(chains, 4, 250, 0);
    double[][][] run = normals(chains, 4, 250, 0);
    FalseAlarms rare = new FalseAlarms(1e-4, 1);
    assertFalse(GaussianDivergence.of(reference, run).differs(rare));
    for (int c = 0; c < 4; c++) {
      for (int i = 0; i < 250; i++) {
        run[1][c][i] = 0.5 * run[0][c][i] + Math.sqrt(0.75) * run[1][c][i];
      }
    }
    assertTrue(GaussianDivergence.of(reference, run).differs(rare));
  }

  @Test
  void singularCovariancesHaveNoDivergence() {
    SimulatedChains chains = new SimulatedChains(24);
    double[][][] run = normals(chains, 3, 250, 0);
    double[][][] singular = {run[0], run[1], Chains.map(run[1], x -> 3 * x - 1)};
    assertEquals(Double.NaN, GaussianDivergence.of(singular, run).value());
    assertFalse(GaussianDivergence.of(singular, singular).differs(ONE_IN_TWENTY));
    assertTrue(GaussianDivergence.of(run, singular).differs(ONE_IN_TWENTY));
    double[][][] constant = {run[0], run[1], new double[4][250]};
    assertEquals(Double.NaN, GaussianDivergence.of(constant, run).value());
    assertEquals(Double.POSITIVE_INFINITY, GaussianDivergence.of(run, constant).value());
  }
}
