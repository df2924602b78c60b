package org.lampyris.driver.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ShapeTest {
  @Test
  void ofNormalDrawsItIsNearlyTheirDensity() {
    Random random = new Random(5);
    double[] draws = random.doubles(20_000).map(u -> 3 + 0.5 * random.nextGaussian()).toArray();
    Shape shape = Shape.of(draws, 0.4);
    double step = shape.x()[1] - shape.x()[0];
    double sum = 0;
    for (int i = 0; i < Shape.POINTS; i++) {
      double z = (shape.x()[i] - 3) / 0.5;
      double normal = 0.4 * Math.exp(-0.5 * z * z) / (0.5 * Math.sqrt(2 * Math.PI));
      assertEquals(normal, shape.density()[i], 0.012, "at " + shape.x()[i]);
      sum += shape.density()[i] * step;
    }
    assertEquals(0.4, sum, 1e-3, "what is missing lies beyond two bandwidths");
  }

  /** Of two draws the kernel can be put down by hand. */
  @Test
  void twoDraws() {
    Shape shape = Shape.of(new double[] {0, 1}, 1);
    double width = 0.9 * Math.sqrt(0.5) * Math.pow(2, -0.2);
    for (int i = 0; i < Shape.POINTS; i++) {
      double expected = 0;
      for (double at : new double[] {0, 1}) {
        double z = (shape.x()[i] - at) / width;
        expected += 0.5 * Math.exp(-0.5 * z * z) / (width * Math.sqrt(2 * Math.PI));
      }
      assertEquals(expected, shape.density()[i], 2e-3 * expected + 1e-3);
    }
  }

  @Test
  void equalDrawsHaveNone() {
    assertEquals(0, Shape.of(new double[] {2, 2, 2}, 1).x().length);
    assertEquals(0, Shape.of(new double[0], 1).x().length);
    assertEquals(0, Shape.of(new double[] {1, Double.NaN}, 1).x().length);
  }

  @Test
  void ranksAreCountedByChain() {
    double[][] draws = new double[2][100];
    for (int i = 0; i < 100; i++) {
      draws[0][i] = i;
      draws[1][i] = 1000 + i;
    }
    int[][] apart = CoefficientCharts.rankCounts(draws);
    int[] low = new int[CoefficientCharts.CELLS];
    int[] high = new int[CoefficientCharts.CELLS];
    java.util.Arrays.fill(low, 0, 10, 10);
    java.util.Arrays.fill(high, 10, 20, 10);
    assertArrayEquals(low, apart[0]);
    assertArrayEquals(high, apart[1]);
    draws[1] = draws[0].clone();
    int[] level = new int[CoefficientCharts.CELLS];
    java.util.Arrays.fill(level, 5);
    assertArrayEquals(level, CoefficientCharts.rankCounts(draws)[0], "equal draws are shared out");
    java.util.Arrays.fill(draws[0], 7);
    java.util.Arrays.fill(draws[1], 7);
    assertArrayEquals(level, CoefficientCharts.rankCounts(draws)[1]);
  }
}
