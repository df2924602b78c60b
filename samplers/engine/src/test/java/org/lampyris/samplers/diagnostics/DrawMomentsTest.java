package org.lampyris.samplers.diagnostics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DrawMomentsTest {

  @Test
  void equalValuesHaveThemselvesAsMeanAndNoVariance() {
    for (double value : new double[] {0.1, 1.1, -2.3, 1e8 / 3, 1e-200}) {
      for (int n = 2; n < 300; n++) {
        double[] values = new double[n];
        Arrays.fill(values, value);
        assertEquals(value, DrawMoments.mean(values), n + " values");
        assertEquals(0, DrawMoments.variance(values), n + " values");
      }
    }
  }

  @Test
  void largeOffsetsCancel() {
    double[] values = {1e16, 1, -1e16, 3};
    assertEquals(1, DrawMoments.mean(values));
    assertEquals(1, DrawMoments.variance(new double[] {1e15, 1e15 + 1, 1e15 + 2}));
  }

  @Test
  void oneValueHasNoVarianceAndInfinityNoMoments() {
    assertEquals(Double.NaN, DrawMoments.variance(new double[] {4}));
    double[] infinite = {1, Double.POSITIVE_INFINITY, 2};
    assertEquals(Double.POSITIVE_INFINITY, DrawMoments.mean(infinite));
    assertEquals(Double.NaN, DrawMoments.variance(infinite));
  }
}
