package org.lampyris.samplers.multilevel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Carried effects have a way back at every covariance, also where H + P has no Cholesky factor:
 * here H is −2 in one direction, so that P = 1 has none and P = 3 has one.
 */
class LevelCarrierTest {
  private static final double[] B = {0.7, -0.4};
  private static final double[][] PRECISIONS = {
    {0.5, 0.1, 0.1, 1}, {1, 0, 0, 2}, {3, 0.2, 0.2, 1}, {5, -0.3, -0.3, 0.5}
  };

  private static LevelEffects effects() {
    // The lower triangle of H, the gradient at B, and the ridge's sums of one coefficient.
    double[] sums = {-2, 0.1, 0.5, 0.3, -0.6, 0.4, 0.2};
    LevelEffects at = LevelEffects.zero(1, 2, 1).with(B.clone());
    return at.shaped(sums, at, PRECISIONS[3]);
  }

  private static LevelEffects.Displacement move(double[] from, double[] to) {
    return new LevelEffects.Displacement(
        new double[] {0.3}, new double[] {-0.5}, from, to, new double[2], null);
  }

  private static LevelEffects.Displacement back(LevelEffects.Displacement there) {
    return new LevelEffects.Displacement(
        there.to(), there.from(), there.precisionTo(), there.precisionFrom(), new double[2], null);
  }

  @Test
  void aDisplacementIsRefusedOrHasAWayBack() {
    int refused = 0;
    for (double[] from : PRECISIONS) {
      for (double[] to : PRECISIONS) {
        LevelEffects.Displacement there = move(from, to);
        LevelEffects moved = effects().displaced(there);
        if (Double.isNaN(moved.values()[0])) {
          refused++;
          double[] again = effects().displaced(back(there)).values();
          assertTrue(Double.isNaN(again[0]), "refused there, and not back");
          continue;
        }
        double[] again = moved.displaced(back(there)).values();
        assertEquals(B[0], again[0], 1e-12);
        assertEquals(B[1], again[1], 1e-12);
      }
    }
    assertEquals(8, refused);
  }

  /** The proposal density of a covariance is the same wherever the chain is. */
  @Test
  void theMarginalDoesNotDependOnWhereTheChainIs() {
    for (double[] at : PRECISIONS) {
      double expected = effects().logMarginal(move(PRECISIONS[3], PRECISIONS[3]), at);
      for (double[] here : PRECISIONS) {
        assertEquals(expected, effects().logMarginal(move(here, here), at), 1e-12);
      }
    }
  }
}
