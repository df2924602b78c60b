package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Streams;

/** Hamiltonian trajectories about the mode of a normal approximation. */
class HmcAboutModeTest extends ThetaKernelContract {
  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Hmc(preconditioner, centre, 0.35, 3);
  }

  @Override
  int questionsAtAKnownPoint() {
    return 4;
  }

  /**
   * On a normal target, of which no turning step is off: one of a quarter of a turn, or ⌈1.9/ε⌉,
   * and in one of eight trajectories ⌈1.9/ε⌉ leapfrog steps, ε ≤ 1.4. Of 2,000, 250 ± 75 (5 sds).
   */
  @Test
  void aTrajectoryTakesItsTime() {
    double[] sizes = {Math.PI / 2, 1.5, 0.4, 0.15};
    int[] steps = {1, 2, 5, 13};
    int[] straight = {2, 2, 5, 13};
    for (int i = 0; i < sizes.length; i++) {
      TreeMap<Integer, Integer> counts = new TreeMap<>();
      NormalTarget target = new NormalTarget(new double[1], Preconditioner.identity(1));
      Hmc hmc = new Hmc(Preconditioner.identity(1), new double[1], sizes[i], Hmc.BY_TIME);
      int whole = 0;
      for (int k = 0; k < 2000; k++) {
        Point start = Point.evaluate(target, new double[] {1});
        long before = target.questions();
        double accepted =
            hmc.step(target, start, new Streams(4).stream(Streams.Purpose.THETA, 1, k, 0))
                .acceptanceProbability();
        counts.merge((int) (target.questions() - before), 1, Integer::sum);
        whole += accepted > 1 - 1e-12 ? 1 : 0;
      }
      assertEquals(new TreeSet<>(List.of(steps[i], straight[i])), counts.keySet());
      assertTrue(counts.getOrDefault(steps[i], 0) >= 1675, counts.toString());
      // Leapfrog steps are accepted too where they happen to gain energy.
      assertTrue(whole >= 1675 && whole < 2000, whole + " of 2000, seed 4");
    }
    assertEquals(
        0.25, new Hmc(Preconditioner.identity(1), 0.25, 1).about(new double[1]).stepSize());
  }
}
