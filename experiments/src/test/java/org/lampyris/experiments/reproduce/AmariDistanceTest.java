package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AmariDistanceTest {
  private static final double[] IDENTITY = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  @Test
  void orderSignsAndScalesDoNotMatter() {
    assertEquals(0, AmariDistance.of(IDENTITY, IDENTITY, 3));
    assertEquals(0, AmariDistance.of(new double[] {0, -2, 0, 0, 0, 7, 0.1, 0, 0}, IDENTITY, 3));
    // The inverse of a mixture.
    assertEquals(0, AmariDistance.of(new double[] {1, -2, 0, 1}, new double[] {1, 2, 0, 1}, 2));
  }

  /** All sources in equal parts everywhere: as far as can be. */
  @Test
  void itIsOneAtMost() {
    double[] ones = {1, 1, 1, 1, -1, 1, 1, 1, -1};
    assertEquals(1, AmariDistance.of(ones, IDENTITY, 3), 1e-15);
    Random random = new Random(4);
    for (int i = 0; i < 200; i++) {
      double[] w = random.doubles(9, -1, 1).toArray();
      double distance = AmariDistance.of(w, IDENTITY, 3);
      assertTrue(distance > 0 && distance < 1, "" + distance);
      double[] turned = w.clone();
      for (int k = 0; k < 3; k++) {
        turned[k] = -w[3 + k];
        turned[3 + k] = w[k];
      }
      assertEquals(distance, AmariDistance.of(turned, IDENTITY, 3), 1e-15);
    }
  }

  /** A rotation by an angle below ¼π: tan φ, four times over 2·2·1. */
  @Test
  void ofARotationItIsItsTangent() {
    for (double angle : new double[] {0.01, 0.3, -0.7}) {
      double[] w = {Math.cos(angle), -Math.sin(angle), Math.sin(angle), Math.cos(angle)};
      double expected = Math.abs(Math.tan(angle));
      assertEquals(expected, AmariDistance.of(w, new double[] {1, 0, 0, 1}, 2), 1e-15);
    }
    double[] p = {1, 0.5, 0, 0, 2, 0, 0.1, 0, 4};
    // Rows: 0.5 + 0 + 0.025; columns: 0.1 + 0.25 + 0; over 12.
    assertEquals(0.875 / 12, AmariDistance.of(p, IDENTITY, 3), 1e-15, Arrays.toString(p));
  }
}
