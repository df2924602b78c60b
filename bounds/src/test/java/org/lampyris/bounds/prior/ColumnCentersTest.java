package org.lampyris.bounds.prior;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class ColumnCentersTest {
  private static final double[] CENTER = {0, 3, -2};

  @Test
  void linearPredictorIsTheSameOnBothSides() {
    ColumnCenters centers = new ColumnCenters(CENTER, 0);
    double[] theta = {0.7, -1.3, 2.1};
    double[] input = centers.toInput(theta);
    double[] x = {1, 4.25, -0.5};
    double centred = 0;
    double raw = 0;
    for (int j = 0; j < 3; j++) {
      centred += theta[j] * (x[j] - CENTER[j]);
      raw += input[j] * x[j];
    }
    assertEquals(centred, raw, 1e-14);
    assertArrayEquals(new double[] {0.7 + 1.3 * 3 + 2.1 * 2, -1.3, 2.1}, input, 1e-14);
    assertArrayEquals(theta, centers.fromInput(input), 1e-14);
  }

  @Test
  void storedRowsAreTheInputsLessTheCentres() {
    ColumnCenters centers = new ColumnCenters(CENTER, 0);
    double[] rows = {1, 1.25, 1.5, 1, -3, 2};
    DataBlock block = new DenseBlock(0, 3, rows, new double[2], null);
    double[] x = {9, 9, 9};
    centers.input(block, 0, x);
    assertArrayEquals(new double[] {1, 4.25, -0.5}, x, 0);
    assertEquals(0, centers.input(block, 1, 1), 0);
  }

  @Test
  void withoutInterceptNothingIsCentred() {
    ColumnCenters centers = new ColumnCenters(new double[2], -1);
    assertArrayEquals(new double[] {1, 4}, centers.toInput(new double[] {1, 4}), 0);
    assertThrows(IllegalArgumentException.class, () -> new ColumnCenters(new double[] {1, 0}, -1));
  }

  @Test
  void refusesCentersThatCannotBe() {
    for (double[] center : new double[][] {{0, Double.NaN}, {0, 1 / 0.0}, {1, 0}}) {
      assertThrows(IllegalArgumentException.class, () -> new ColumnCenters(center, 0));
    }
    assertThrows(IllegalArgumentException.class, () -> new ColumnCenters(new double[2], 2));
    ColumnCenters centers = new ColumnCenters(CENTER, 0);
    assertThrows(IllegalArgumentException.class, () -> centers.toInput(new double[2]));
  }
}
