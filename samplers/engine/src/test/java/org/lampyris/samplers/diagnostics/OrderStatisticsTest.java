package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OrderStatisticsTest {

  @Test
  void aQuantileAmongTiesIsTheTiedValue() {
    for (double value : new double[] {0.1, 0.7, -1.3, 1e8 / 3}) {
      for (int n = 1; n < 200; n++) {
        double[] ties = new double[n];
        Arrays.fill(ties, value);
        for (double probability : new double[] {0, 0.05, 0.3, 0.95, 1}) {
          assertEquals(
              value, RankedDraws.of(new double[][] {ties}).quantile(probability), n + " ties");
        }
      }
    }
  }

  /** By R: quantile(c(1, 2, 4, 8, 16), c(0, 0.05, 0.5, 0.9, 1)). */
  @Test
  void quantilesInterpolateLinearly() {
    double[] sorted = {1, 2, 4, 8, 16};
    assertEquals(1, RankedDraws.of(new double[][] {sorted}).quantile(0));
    assertEquals(1.2, RankedDraws.of(new double[][] {sorted}).quantile(0.05), 1e-15);
    assertEquals(4, RankedDraws.of(new double[][] {sorted}).quantile(0.5));
    assertEquals(12.8, RankedDraws.of(new double[][] {sorted}).quantile(0.9), 1e-14);
    assertEquals(16, RankedDraws.of(new double[][] {sorted}).quantile(1));
  }

  @Test
  void nanMakesAllNaN() {
    Ranks ranks = new Ranks(new double[][] {{1, Double.NaN, 0}});
    assertEquals(Double.NaN, ranks.median());
    assertEquals(Double.NaN, ranks.quantile(0.05));
    assertEquals(Double.NaN, ranks.medianAbsoluteDeviation());
  }
}
