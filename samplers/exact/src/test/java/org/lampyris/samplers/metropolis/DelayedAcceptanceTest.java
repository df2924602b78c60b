package org.lampyris.samplers.metropolis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lampyris.samplers.minibatch.Population;

/** A factor for what no row is needed for, and one a batch, each with a uniform number. */
class DelayedAcceptanceTest {
  private static final double REST = -0.2;
  private static final double[] VALUES = {-0.3, 0.1, 0.9, -0.4, -0.05};

  /** Of all without rows, then of the rows 1, 2 and 3, 4 and 5. */
  private static final double[] LOG_FACTORS = {REST, -0.3, 0.1 + 0.9, -0.4 - 0.05};

  /** Three batches of 5 rows: 1, 2 and 2 of them. */
  @Test
  void acceptsWhereEveryFactorIsAboveItsNumber() {
    double[] u = new double[4];
    for (int pass = 0; pass < 16; pass++) {
      for (int i = 0; i < 4; i++) {
        double limit = Math.min(1, Math.exp(LOG_FACTORS[i]));
        u[i] = (pass >> i & 1) == 1 ? limit * (1 - 1e-9) : limit * (1 + 1e-9);
      }
      // The third factor is above 1: it lets every number below 1 pass.
      u[2] = Math.min(u[2], 0.999999);
      boolean expected = (pass | 4) == 15;
      assertEquals(
          expected,
          new DelayedAcceptance(3).accepts(Population.trial(REST, VALUES), Population.uniforms(u)),
          "pass " + pass);
    }
  }

  @Test
  void aProposalThatTheFirstFactorRejectsCostsNoRow() {
    assertFalse(
        new DelayedAcceptance(3).accepts(Population.trial(-5, VALUES), Population.uniforms(0.5)));
    assertTrue(
        new DelayedAcceptance(1)
            .accepts(Population.trial(5, VALUES), Population.uniforms(0.5, 0.5)));
  }
}
