package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.statistics.distribution.HypergeometricDistribution;
import org.junit.jupiter.api.Test;

/** The bound's coverage, exactly, for values of which some are 1 and the rest 0. */
class ConcentrationBoundTest {
  private static final int ROWS = 400;

  @Test
  void theMeanLeavesTheBoundNoMoreOftenThanItSays() {
    for (int ones : new int[] {4, 40, 200}) {
      for (int t : new int[] {20, 100, 250, 390}) {
        for (double delta : new double[] {0.5, 0.1, 0.01}) {
          HypergeometricDistribution hits = HypergeometricDistribution.of(ROWS, ones, t);
          double above = 0;
          double below = 0;
          for (int k = 0; k <= Math.min(t, ones); k++) {
            double mean = (double) k / t;
            double sd = Math.sqrt(mean * (1 - mean));
            double c = BernsteinDecision.Concentration.of(t, ROWS, sd, 1, delta);
            double off = mean - (double) ones / ROWS;
            above += off > c ? hits.probability(k) : 0;
            below += -off > c ? hits.probability(k) : 0;
          }
          assertTrue(above <= delta && below <= delta, ones + ", " + t + ": " + above);
        }
      }
    }
  }

  /** κ and ρ_t by hand, before and after half of the rows. */
  @Test
  void isTheFormula() {
    double log = Math.log(5 / 0.1);
    double kappa = 7.0 / 3 + 3 / Math.sqrt(2);
    assertEquals(
        0.7 * Math.sqrt(2 * (1 - 99.0 / 400) * log / 100) + kappa * 3 * log / 100,
        BernsteinDecision.Concentration.of(100, 400, 0.7, 3, 0.1),
        1e-14);
    assertEquals(
        0.7 * Math.sqrt(2 * (1 - 300.0 / 400) * (1 + 1.0 / 300) * log / 300)
            + kappa * 3 * log / 300,
        BernsteinDecision.Concentration.of(300, 400, 0.7, 3, 0.1),
        1e-14);
  }
}
