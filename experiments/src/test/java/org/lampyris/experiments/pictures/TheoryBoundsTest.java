package org.lampyris.experiments.pictures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Constants of a chain of two states, and the theorems on a grid. */
class TheoryBoundsTest {
  private static List<double[]> numbers(String csv) {
    return csv.lines()
        .skip(1)
        .map(line -> Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  /** Leaves with 0.3 and 0.1: π = (¼, ¾), d(T^k(0, ·), π) = ¾·0.6^k. */
  @Test
  void twoStatesHaveTheirConstants() {
    GridChain chain = new GridChain(new double[][] {{0.7, 0.3}, {0.1, 0.9}});
    assertArrayEquals(new double[] {0.25, 0.75}, chain.stationary(), 1e-14);
    assertEquals(0.6, chain.contraction(), 1e-15);
    assertEquals(0.6, chain.minorization(), 1e-15);
    assertEquals(0.75, chain.ergodicity(0.6, 20), 1e-9);
    assertEquals(0.75 * 0.6 / 0.5, chain.ergodicity(0.5, 1), 1e-12);
    GridChain proposed = GridChain.of(new double[][] {{0, 0.6}, {0.2, 0}});
    assertArrayEquals(chain.kernel()[0], proposed.kernel()[0], 1e-15);
    assertArrayEquals(chain.kernel()[1], proposed.kernel()[1], 1e-15);
  }

  @Test
  void everyBoundHolds() {
    Map<String, String> files = new TheoryBounds(100, 1, 40_000).files();
    List<double[]> test = numbers(files.getOrDefault("theorem-1.csv", ""));
    double[] first = test.get(0);
    double[] last = test.get(test.size() - 1);
    for (double[] row : test) {
      assertTrue(row[5] > 0 && row[5] <= row[4], "total variation " + row[5] + " of " + row[4]);
      // Corollary 2: the approximate chain contracts, too.
      assertTrue(row[3] < 1);
    }
    // Theorem 1 of Chen et al.: the error vanishes with ε, but for the midpoints of u.
    assertTrue(last[1] < 0.2 * first[1] && last[5] < 0.2 * first[5]);
    for (double[] row : numbers(files.getOrDefault("proposition-7-1.csv", ""))) {
      assertTrue(row[1] < 0.9, "few rows decide: " + row[1]);
      assertTrue(row[6] <= row[5]);
    }
    boolean positive = false;
    for (double[] row : numbers(files.getOrDefault("proposition-4-1.csv", ""))) {
      assertTrue(row[2] < row[3], "the bound " + row[2] + " is below the value " + row[3]);
      positive |= row[2] > 1;
      if (row[3] < 10) {
        assertEquals(row[3], row[4], 5 * row[5], "simulated");
      }
    }
    assertTrue(positive, "a bound that says something");
  }
}
