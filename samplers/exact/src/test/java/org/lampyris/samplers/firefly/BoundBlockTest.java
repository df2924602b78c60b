package org.lampyris.samplers.firefly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.family.JaakkolaJordanBound;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;

class BoundBlockTest {
  private static final JaakkolaJordanBound BOUND = new JaakkolaJordanBound(2);
  private static final double[] THETA = {0.4, -1.1};
  private static final int[] ROWS = {0, 2, 3};

  /** The last row's bound is tight at θ, its gap 0. */
  private static BoundBlock block(double slack) {
    double[] x = {0.9, 0.3, -1.7, 2, 2.2, -0.4, 1, 0};
    double[] y = {1, 1, -1, 1};
    DataBlock data = new DenseBlock(0, 2, x, y, null);
    Anchors anchors = Anchors.perRow(new double[] {0.6, 1.1, 0.9, 0.4}, 1);
    return new BoundBlock(data, anchors, new BlockRates.Uniform(0.3, 4), slack);
  }

  private static double[] ratios(BoundBlock block, int[] rows, double @Nullable [] gradient) {
    double[] out = new double[rows.length];
    block.logRatios(BOUND, rows, 0, rows.length, THETA, out, gradient);
    return out;
  }

  @Test
  void slackAddsToTheGap() {
    double[] out = ratios(block(0.2), ROWS, null);
    for (int i = 0; i < ROWS.length; i++) {
      double gap = BOUND.gap(block(0).data(), ROWS[i], THETA, block(0).anchors());
      assertEquals(Math.log(Math.expm1(gap + 0.2 * 0.3)), out[i], 1e-12, "row " + ROWS[i]);
    }
    assertEquals(Double.NEGATIVE_INFINITY, ratios(block(0), ROWS, null)[2]);
  }

  /** With λ = 0.3·h, a row that is no candidate once in e^40 iterations is dark once in e^12. */
  @Test
  void slackByHazardKeepsCertainCandidatesBright() {
    BoundBlock some = certain(0.3);
    BoundBlock all = certain(1);
    double gap = BOUND.gap(some.data(), 0, THETA, some.anchors());
    double hazard = -Math.log(0.7);
    assertEquals(Math.log(Math.expm1(gap + 0.3 * hazard)), ratios(some, ROWS, null)[0], 1e-12);
    assertEquals(gap + 12, ratios(all, ROWS, null)[0], 1e-5);
    assertEquals(12, ratios(all, ROWS, null)[2], 1e-5, "where the bound is tight");
    assertArrayEquals(ratios(all, ROWS, null), ratios(all.select(ROWS), new int[] {0, 1, 2}, null));
  }

  private static BoundBlock certain(double rate) {
    BoundBlock block = block(0);
    return new BoundBlock(
        block.data(), block.anchors(), new BlockRates.Uniform(rate, 4), 0.3, true);
  }

  /** By central differences, also where the bound is tight. */
  @Test
  void theGradientIsThatOfTheValues() {
    for (double slack : new double[] {0.2, 1e-6, 0}) {
      int[] rows = slack == 0 ? new int[] {0, 2} : ROWS;
      double[] gradient = new double[2];
      double[] values = ratios(block(slack), rows, gradient);
      assertArrayEquals(values, ratios(block(slack), rows, null));
      for (int j = 0; j < 2; j++) {
        double difference = 0;
        for (int side = -1; side <= 1; side += 2) {
          double[] theta = THETA.clone();
          theta[j] += side * 1e-6;
          double[] out = new double[rows.length];
          block(slack).logRatios(BOUND, rows, 0, rows.length, theta, out, null);
          for (double value : out) {
            difference += side * value / 2e-6;
          }
        }
        assertEquals(difference, gradient[j], 2e-6 * (1 + Math.abs(difference)), "slack " + slack);
      }
    }
  }

  @Test
  void selectedAndJoinedRowsKeepTheirSlack() {
    BoundBlock all = block(0.2);
    BoundBlock some = all.select(new int[] {2, 0}).append(all.select(new int[] {3}));
    double[] expected = ratios(all, ROWS, null);
    double[] found = ratios(some, new int[] {0, 1, 2}, null);
    assertArrayEquals(new double[] {expected[1], expected[0], expected[2]}, found);
  }

  @Test
  void slackNeedsRates() {
    BoundBlock block = block(0);
    assertThrows(
        IllegalArgumentException.class,
        () -> new BoundBlock(block.data(), block.anchors(), null, 0.1));
    assertThrows(IllegalArgumentException.class, () -> block(-0.1));
  }
}
