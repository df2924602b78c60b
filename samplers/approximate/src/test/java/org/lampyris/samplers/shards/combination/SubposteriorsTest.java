package org.lampyris.samplers.shards.combination;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SubposteriorsTest {
  /** Two shards, two chains, three draws: draw i of chain c of shard s is (100s + 10c + i, −i). */
  private static Subposteriors numbered() {
    double[][][][] draws = new double[2][2][3][];
    for (int s = 0; s < 2; s++) {
      for (int c = 0; c < 2; c++) {
        for (int i = 0; i < 3; i++) {
          draws[s][c][i] = new double[] {100 * s + 10 * c + i, -i};
        }
      }
    }
    return new Subposteriors(draws);
  }

  private static double[] first(double[][] rows) {
    return Arrays.stream(rows).mapToDouble(row -> row[0]).toArray();
  }

  @Test
  void thinnedDrawsAreSpacedOverAllChains() {
    assertArrayEquals(new double[] {100, 102, 111}, first(numbered().thinned(3).get(1)));
    assertArrayEquals(new double[] {0, 1, 2, 10, 11, 12}, first(numbered().thinned(9).get(0)));
  }

  @Test
  void marginalsAndChainsHaveTheirPlaces() {
    Subposteriors draws = numbered();
    assertArrayEquals(new double[] {110, 111, 112}, draws.marginal(1, 0)[1]);
    assertArrayEquals(new double[] {0, -1, -2}, draws.marginal(1, 1)[0]);
    double[][] pooled = draws.pooled(1);
    assertEquals(2, draws.asChains(pooled).length);
    assertSame(draws.draws()[1][1][2], draws.asChains(pooled)[1][2]);
  }
}
