package org.lampyris.samplers.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.testdata.MemoryRun;

class ExpectedCostTest {
  private static ChainSettings run(int chains, int warmup, int draws, int thin) {
    return MemoryRun.settings(
            Map.of("chains", chains, "warmup", warmup, "draws", draws, "thin", thin))
        .run();
  }

  /** All that a chain costs, over its effective draws. */
  @Test
  void setupWarmupAndOverheadAreOfTheDraws() {
    ExpectedCost cost = new ExpectedCost(8_000, 100, 5, 20, 2);
    // A chain's share of the set-up is 2,000; 150 iterations of 200 each; 50 effective draws.
    assertEquals((2_000 + 150 * 200) / 50.0, cost.ofDraw(run(4, 50, 100, 1)), 1e-9);
    // Thinned draws cost the iterations between them, whose effective draws they have.
    assertEquals((2_000 + 250 * 200) / 100.0, cost.ofDraw(run(4, 50, 100, 2)), 1e-9);
    assertEquals(400, cost.ofDraw(20.0), 1e-9);
  }

  @Test
  void whatAnIterationMayEvaluateCostsThatMuch() {
    ExpectedCost cost = new ExpectedCost(8_000, 100, 5, 20, 2);
    assertEquals(1_000, cost.ofDraw(cost.evaluationsFor(1_000)), 1e-9);
  }

  /** With few draws nothing that must be set up is worth it. */
  @Test
  void fewDrawsDoNotPayForASetup() {
    ExpectedCost prepared = new ExpectedCost(1e6, 0, 1, 10, 1);
    ExpectedCost plain = new ExpectedCost(0, 0, 1, 1_000, 1);
    assertTrue(prepared.ofDraw(run(4, 100, 100, 1)) > plain.ofDraw(run(4, 100, 100, 1)));
    assertTrue(prepared.ofDraw(run(4, 100, 10_000, 1)) < plain.ofDraw(run(4, 100, 10_000, 1)));
  }
}
