package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.StepInfo;

class ReachTest {
  /** About (1, 0), with standard deviations 2 and 1. */
  private static final Ball BALL =
      new LaplaceApproximation(new double[] {1, 0}, new double[] {4, 0, 0, 1}).ball(6);

  private static final Confinement CONFINEMENT = new Confinement(BALL, "enlarge it");

  private static ChainTrace chain(int number, double[]... draws) {
    ChainTrace chain = new ChainTrace(number);
    chain.begin(0, 1);
    for (double[] draw : draws) {
      chain.add(draw, 0, new ChainTrace.Iteration(new StepInfo(1, 1, false), 0));
    }
    return chain;
  }

  private static Reach reach(double[] farthest) {
    return Reach.of(
        CONFINEMENT, List.of(chain(1, new double[] {1, 1}), chain(2, farthest, new double[2])));
  }

  @Test
  void theFarthestDrawOfAnyChainCounts() {
    Reach reach = reach(new double[] {1 + 2 * 3, 4});
    assertEquals(5, reach.distance(), 1e-12);
    assertTrue(reach.warning().isEmpty());
    assertTrue(reach.line().contains("ball of 6.0 posterior"), reach.line());
    assertTrue(reach.line().endsWith("the draws reach 5.0"), reach.line());
  }

  @Test
  void drawsAtTheEdgeAreWarnedAbout() {
    String warning = reach(new double[] {1, -5.6}).warning().orElseThrow();
    assertTrue(warning.contains("reach 5.6"), warning);
    assertTrue(warning.endsWith("enlarge it."), warning);
  }

  @Test
  void chainsBeginInTheBall() {
    double[] near = {1, 5};
    assertArrayEquals(near, Reach.start(Optional.of(CONFINEMENT), near));
    double[] far = {1, 100};
    assertArrayEquals(new double[] {1, 5.4}, Reach.start(Optional.of(CONFINEMENT), far), 1e-12);
    assertArrayEquals(far, Reach.start(Optional.empty(), far));
  }
}
