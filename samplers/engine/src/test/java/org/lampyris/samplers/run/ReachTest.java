package org.lampyris.samplers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.laplace.Ball;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Decision;
import org.lampyris.samplers.chain.StepInfo;

class ReachTest {
  /** About (1, 0), with standard deviations 2 and 1. */
  private static final Ball BALL =
      new LaplaceApproximation(new double[] {1, 0}, new double[] {4, 0, 0, 1}).ball(6);

  private static ChainTrace chain(int number, double[]... draws) {
    ChainTrace chain = new ChainTrace(number);
    chain.begin(0, 1);
    for (double[] draw : draws) {
      chain.add(draw, 0, new ChainTrace.Iteration(new StepInfo(1, 1, false), 0));
    }
    return chain;
  }

  private static RegionKernel.Reach reach(double[] farthest) {
    return RegionKernel.Reach.of(
        BALL, List.of(chain(1, new double[] {1, 1}), chain(2, farthest, new double[2])));
  }

  @Test
  void theFarthestDrawOfAnyChainCounts() {
    RegionKernel.Reach reach = reach(new double[] {1 + 2 * 3, 4});
    assertEquals(5, reach.distance(), 1e-12);
    assertEquals(0, reach.outside());
    assertTrue(reach.line().contains("within 6.00; 0 of 3 draws"), reach.line());
    assertTrue(reach.line().startsWith("draws reach 5.0"), reach.line());
  }

  @Test
  void drawsOutsideAreCountedAndWhatIsCheaperIsSaid() {
    RegionKernel.Reach reach = reach(new double[] {1, -6.1});
    assertEquals(1, reach.outside());
    assertTrue(reach.line().contains("1 of 3 draws lie outside"), reach.line());
    assertTrue(reach.line().contains("may be cheaper on this table"), reach.line());
  }

  /** A chain along the first axis, at some distances from the mode. */
  private static RegionKernel.Reach along(double... distances) {
    double[][] draws = new double[distances.length][];
    for (int i = 0; i < draws.length; i++) {
      draws[i] = new double[] {1 + 2 * distances[i], 0};
    }
    return RegionKernel.Reach.of(BALL, List.of(chain(1, draws), chain(2, draws)));
  }

  @Test
  void anEdgeThatIsRarelyCrossedIsAFinding() {
    assertEquals(Optional.empty(), along(1, 5.4, 2).rarelyCrossed(), "far from the edge");
    assertTrue(found(along(1, 5.9, 2)).contains("no chain left it"));
    RegionKernel.Reach three = along(7, 8, 1, 9, 9, 5, 6.5);
    assertEquals(6, three.excursions());
    assertEquals(10, three.outside());
    assertTrue(found(three).contains("left it only 6 times"), found(three));
    assertTrue(found(three).contains("sampler.draws"), found(three));
    RegionKernel.Reach five = along(7, 1, 7, 1, 7, 1, 7, 1, 7);
    assertEquals(10, five.excursions());
    assertEquals(Optional.empty(), five.rarelyCrossed(), "often enough");
  }

  /** Normal posteriors come near the edge by chance, and are not doubted. */
  @Test
  void normalDrawsAreNoFinding() {
    int found = 0;
    for (int d : new int[] {1, 3, 8, 30}) {
      double[] covariance = new double[d * d];
      for (int i = 0; i < d; i++) {
        covariance[i * (d + 1)] = 1;
      }
      Ball near = new LaplaceApproximation(new double[d], covariance).ball(Math.sqrt(d) + 2.5);
      for (int seed = 0; seed < 50; seed++) {
        Random random = new Random(1000L * d + seed);
        double[][] draws = new double[500][];
        for (int i = 0; i < draws.length; i++) {
          draws[i] = new double[d];
          Arrays.setAll(draws[i], k -> random.nextGaussian());
        }
        RegionKernel.Reach reach = RegionKernel.Reach.of(near, List.of(chain(1, draws)));
        assertTrue(reach.excursions() < 10, "rare");
        found += reach.rarelyCrossed().isPresent() ? 1 : 0;
      }
    }
    assertEquals(0, found);
  }

  private static String found(RegionKernel.Reach reach) {
    Decision of = reach.rarelyCrossed().orElseThrow();
    assertEquals(Decision.FOUND, of.topic());
    return of.text();
  }
}
