package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Streams;

class BlockRatesTest {
  private static final int DRAWS = 200_000;
  private static final double[] RATES = {0.3, 1e-3, 1, 0.9, 1e-6, 0.05, 0.5};

  /**
   * Frequencies of single rows and of pairs against q_n and q_n·q_m, each within 5 standard
   * deviations: 28 comparisons, false-alarm rate 2·10⁻⁵.
   */
  private static void assertIndependentBernoulli(BlockRates rates, double[] expected) {
    int n = expected.length;
    int[][] together = new int[n][n];
    Streams streams = new Streams(3);
    for (int i = 0; i < DRAWS; i++) {
      List<Integer> rows = new ArrayList<>();
      UniformRandomProvider rng = streams.stream(Streams.Purpose.BRIGHTNESS, 1, i, 0);
      rates.draw(1, rng, (iteration, row) -> rows.add(row));
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
    assertIndependentBernoulli(GivenRates.of(RATES), RATES);
  }

  /**
   * Rates over seven orders of magnitude, at hazards between the rows', at them, and next to them.
   */
  @Test
  void theRowOfAHazardIsTheFirstThatReachesIt() {
    UniformRandomProvider rng = new Streams(4).stream(Streams.Purpose.BRIGHTNESS, 1, 1, 0);
    for (int n : new int[] {1, 2, 3, 7, 500}) {
      double[] rates = new double[n];
      Arrays.setAll(rates, row -> row % 50 == 3 ? 1 : Math.exp(-16 * rng.nextDouble()));
      BlockRates perRow = GivenRates.of(rates);
      for (int row = 0; row < n; row++) {
        double hazard = perRow.hazardTo(row);
        assertEquals(row, perRow.rowAt(hazard));
        assertEquals(row, perRow.rowAt(Math.nextDown(hazard)));
        if (row < n - 1) {
          assertEquals(row + 1, perRow.rowAt(Math.nextUp(hazard)));
        }
      }
      assertEquals(0, perRow.rowAt(0));
      for (int i = 0; i < 1000; i++) {
        double hazard = rng.nextDouble() * perRow.hazardTo(n - 1);
        int row = perRow.rowAt(hazard);
        assertTrue(perRow.hazardTo(row) >= hazard);
        assertTrue(row == 0 || perRow.hazardTo(row - 1) < hazard);
      }
    }
  }

  @Test
  void oneRateForAll() {
    double[] same = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
    assertIndependentBernoulli(new BlockRates.Uniform(0.2, same.length), same);
  }

  @Test
  void ratesAreWhatTheHazardsSay() {
    BlockRates perRow = GivenRates.of(RATES);
    for (int row = 0; row < RATES.length; row++) {
      // Relative to what a difference of running sums can keep.
      assertEquals(RATES[row], perRow.rate(row), 1e-14);
    }
    assertEquals(0.2, new BlockRates.Uniform(0.2, 1).rate(0), 1e-16);
  }

  @Test
  void withRateOneEveryRowIsACandidate() {
    double[] ones = new double[50];
    Arrays.fill(ones, 1);
    for (BlockRates rates : List.of(new BlockRates.Uniform(1, ones.length), GivenRates.of(ones))) {
      List<Integer> rows = new ArrayList<>();
      rates.draw(
          2,
          new Streams(1).stream(Streams.Purpose.CANDIDATES, 1, 1, 0),
          (iteration, row) -> rows.add(row));
      assertEquals(100, rows.size());
    }
  }

  @Test
  void certainRowsCountOnceAmongExpectedCandidates() {
    double[] rates = {1, 0.5, 1, 1e-6, 0.03};
    assertEquals(2.530001, GivenRates.of(rates).expectedCandidates(), 1e-9);
    assertEquals(1.2, new BlockRates.Uniform(0.2, 6).expectedCandidates(), 1e-12);
  }

  @Test
  void ratesOutsideOfTheUnitIntervalAreRefused() {
    for (double q : new double[] {0, -0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> new BlockRates.Uniform(q, 1));
    }
  }
}
