package org.lampyris.bounds.bound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.RandomBlocks;

class CollapsedQuadraticTest {

  // A = [2 −1 4; −1 3 5; 4 5 −7], b = (1, −2, 3), c = 10 about (1, 2, 3)
  private static final double[] PACKED = {2, -1, 3, 4, 5, -7, 1, -2, 3, 10};
  private static final double[] ORIGIN = {1, 2, 3};

  @Test
  void valueAndGradientByHand() {
    CollapsedQuadratic q = new CollapsedQuadratic(ORIGIN, PACKED.clone());
    double[] theta = {2, 4, 2}; // δ = (1, 2, −1)
    // δᵀAδ = 2 + 12 − 7 + 2(−2 − 4 − 10) = −25, bᵀδ = 1 − 4 − 3 = −6
    assertEquals(-25 - 6 + 10, q.value(theta));
    double[] gradient = {100, 100, 100};
    QuadraticForm form = q.form();
    assertEquals(-21, form.value(theta));
    assertEquals(-21, form.addGradient(theta, gradient));
    // 2Aδ + b = 2·(2 − 2 − 4, −1 + 6 − 5, 4 + 10 + 7) + b
    assertArrayEquals(new double[] {100 - 8 + 1, 100 + 0 - 2, 100 + 42 + 3}, gradient);
  }

  /** At several dimensions: rows are summed four at a time, and the rest one by one. */
  @Test
  void theFormIsTheSum() {
    for (int d = 1; d <= 11; d++) {
      RandomGenerator random = RandomBlocks.random(d);
      CollapsedQuadratic q =
          new CollapsedQuadratic(
              RandomBlocks.normal(random, d, 1),
              RandomBlocks.normal(random, CollapsedQuadratic.packedLength(d), 1));
      double[] theta = RandomBlocks.normal(random, d, 1);
      double[] gradient = new double[d];
      QuadraticForm form = q.form();
      assertEquals(q.value(theta), form.addGradient(theta, gradient), 1e-13 * (10 + d * d));
      for (int i = 0; i < d; i++) {
        double[] up = theta.clone();
        double[] down = theta.clone();
        up[i] += 0.5;
        down[i] -= 0.5;
        // Exact for a quadratic, but for rounding.
        assertEquals(q.value(up) - q.value(down), gradient[i], 1e-12 * (10 + d * d), d + ", " + i);
      }
    }
  }

  /** A form is of the sum as it was. */
  @Test
  void theFormDoesNotChangeWithTheSum() {
    CollapsedQuadratic q = new CollapsedQuadratic(ORIGIN, PACKED.clone());
    QuadraticForm form = q.form();
    q.packed()[0] = 7;
    assertEquals(-21, form.value(new double[] {2, 4, 2}));
  }

  @Test
  void theOriginGivesTheConstant() {
    assertEquals(10, new CollapsedQuadratic(ORIGIN, PACKED.clone()).value(ORIGIN));
  }

  @Test
  void packedIsSharedAndTheOriginIsNot() {
    double[] origin = {1, 2, 3};
    CollapsedQuadratic q = new CollapsedQuadratic(origin);
    origin[0] = 99;
    assertArrayEquals(ORIGIN, q.origin());
    q.packed()[9] = 4;
    assertEquals(4, q.value(ORIGIN));
    assertEquals(3, q.dimension());
    assertEquals(10, CollapsedQuadratic.packedLength(3));
  }

  @Test
  void aPackedSumOfTheWrongLengthIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new CollapsedQuadratic(ORIGIN, new double[9]));
  }
}
