package org.lampyris.bounds.scale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CoefficientScaleTest {
  private static final double[] CENTER = {0, 3, -2};
  private static final double[] SCALE = {1, 0.5, 4};

  @Test
  void linearPredictorIsTheSameOnBothSides() {
    CoefficientScale scale = new CoefficientScale(CENTER, SCALE, 0);
    double[] theta = {0.7, -1.3, 2.1};
    double[] input = scale.toInput(theta);
    double[] x = {1, 4.25, -0.5};
    double standardised = 0;
    double raw = 0;
    for (int j = 0; j < 3; j++) {
      standardised += theta[j] * (x[j] - CENTER[j]) / SCALE[j];
      raw += input[j] * x[j];
    }
    assertEquals(standardised, raw, 1e-14);
    assertArrayEquals(new double[] {0.7 + 2 * 1.3 * 3 + 2.1 * 2 / 4, -2.6, 0.525}, input, 1e-14);
  }

  @Test
  void withoutInterceptColumnsAreOnlyScaled() {
    CoefficientScale scale = new CoefficientScale(new double[2], new double[] {2, 8}, -1);
    assertArrayEquals(new double[] {0.5, 0.5}, scale.toInput(new double[] {1, 4}), 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> new CoefficientScale(new double[] {1, 0}, new double[] {2, 8}, -1));
  }

  @Test
  void refusesScalesThatCannotBe() {
    for (double s : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new CoefficientScale(new double[2], new double[] {1, s}, 0));
    }
    CoefficientScale scale = new CoefficientScale(CENTER, SCALE, 0);
    assertThrows(IllegalArgumentException.class, () -> scale.toInput(new double[2]));
  }
}
