package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.lowerbound.Anchors;
import org.lampyris.samplers.firefly.brightness.BoundBlock;
import org.lampyris.samplers.firefly.brightness.SelectionSize;
import org.lampyris.samplers.random.Streams;

class CandidateRatesTest {
  private static final int DRAWS = 200_000;
  private static final double[] RATES = {0.3, 1e-3, 1, 0.9, 1e-6, 0.05, 0.5};

  private static BoundBlock block(double[] rates) {
    double[] hazard = Arrays.stream(rates).map(CandidateRates::hazard).toArray();
    Arrays.parallelPrefix(hazard, Double::sum);
    int n = rates.length;
    return new BoundBlock(
        new DenseBlock(0, 1, new double[n], new double[n], null), Anchors.constant(1), hazard);
  }

  /**
   * Frequencies of single rows and of pairs against q_n and q_n·q_m, each within 5 standard
   * deviations: 28 comparisons, false-alarm rate 2·10⁻⁵.
   */
  private static void assertIndependentBernoulli(
      CandidateRates rates, BoundBlock block, double[] expected) {
    int n = expected.length;
    int[][] together = new int[n][n];
    Streams streams = new Streams(3);
    for (int i = 0; i < DRAWS; i++) {
      List<Integer> rows = new ArrayList<>();
      UniformRandomProvider rng = streams.stream(Streams.Purpose.BRIGHTNESS, 1, i, 0);
      rates.draw(block, 1, rng, (iteration, row) -> rows.add(row));
      assertEquals(rows.stream().sorted().distinct().toList(), rows, "ascending, each once");
      rows.forEach(a -> rows.forEach(b -> together[a][b]++));
    }
    for (int a = 0; a < n; a++) {
      for (int b = 0; b <= a; b++) {
        double p = a == b ? expected[a] : expected[a] * expected[b];
        double tolerance = 5 * Math.sqrt(DRAWS * p * (1 - p)) + 1e-9;
        assertEquals(DRAWS * p, together[a][b], tolerance, a + " with " + b);
      }
    }
  }

  @Test
  void eachRowIsACandidateIndependentlyWithItsOwnRate() {
    assertIndependentBernoulli(new CandidateRates.PerRow(), block(RATES), RATES);
  }

  /**
   * Rates over seven orders of magnitude, at hazards between the rows', at them, and next to them.
   */
  @Test
  void theRowOfAHazardIsTheFirstThatReachesIt() {
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.BRIGHTNESS, 1, 1, 0);
    CandidateRates perRow = new CandidateRates.PerRow();
    for (int n : new int[] {1, 2, 3, 7, 500}) {
      double[] rates = new double[n];
      Arrays.setAll(rates, row -> row % 50 == 3 ? 1 : Math.exp(-16 * rng.nextDouble()));
      BoundBlock block = block(rates);
      for (int row = 0; row < n; row++) {
        double hazard = perRow.hazardTo(block, row);
        assertEquals(row, perRow.rowAt(block, hazard));
        assertEquals(row, perRow.rowAt(block, Math.nextDown(hazard)));
        if (row < n - 1) {
          assertEquals(row + 1, perRow.rowAt(block, Math.nextUp(hazard)));
        }
      }
      assertEquals(0, perRow.rowAt(block, 0));
      for (int i = 0; i < 1000; i++) {
        double hazard = rng.nextDouble() * perRow.hazardTo(block, n - 1);
        int row = perRow.rowAt(block, hazard);
        assertTrue(perRow.hazardTo(block, row) >= hazard);
        assertTrue(row == 0 || perRow.hazardTo(block, row - 1) < hazard);
      }
    }
  }

  @Test
  void oneRateForAll() {
    double[] same = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
    assertIndependentBernoulli(new CandidateRates.Uniform(0.2), block(same), same);
  }

  @Test
  void ratesAreWhatTheHazardsSay() {
    CandidateRates perRow = new CandidateRates.PerRow();
    BoundBlock block = block(RATES);
    for (int row = 0; row < RATES.length; row++) {
      // Relative to what a difference of running sums can keep.
      assertEquals(RATES[row], perRow.rate(block, row), 1e-14);
    }
    assertEquals(0.2, new CandidateRates.Uniform(0.2).rate(block, 0), 1e-16);
  }

  @Test
  void withRateOneEveryRowIsACandidate() {
    double[] ones = new double[50];
    Arrays.fill(ones, 1);
    for (CandidateRates rates :
        List.of(new CandidateRates.Uniform(1), new CandidateRates.PerRow())) {
      List<Integer> rows = new ArrayList<>();
      rates.draw(
          block(ones),
          2,
          new Streams(1).stream(Streams.Purpose.CANDIDATES, 1, 1, 0),
          (iteration, row) -> rows.add(row));
      assertEquals(100, rows.size());
    }
  }

  @Test
  void ratesOutsideOfTheUnitIntervalAreRefused() {
    for (double q : new double[] {0, -0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> new CandidateRates.Uniform(q));
    }
  }

  /** E D = rows·(1 − (1 − 1/rows)^draws); the mean of 2,000 draws is within 5 standard errors. */
  @Test
  void distinctRowsAmongDrawsWithReplacement() {
    SelectionSize size = SelectionSize.distinctOf(60, 100);
    UniformRandomProvider rng = new Streams(9).stream(Streams.Purpose.THETA, 1, 1, 0);
    double sum = 0;
    double squares = 0;
    int draws = 2000;
    for (int i = 0; i < draws; i++) {
      double d = size.draw(rng);
      sum += d;
      squares += d * d;
    }
    double mean = sum / draws;
    double error = Math.sqrt((squares / draws - mean * mean) / draws);
    assertEquals(100 * (1 - Math.pow(0.99, 60)), mean, 5 * error);
    assertTrue(error > 0);
  }
}
