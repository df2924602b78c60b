package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lampyris.samplers.testdata.Factors;

class MalaTest extends ThetaKernelContract {
  private static final Preconditioner WIDE =
      Factors.choleskyOf(new double[] {20, 12, -10, 12, 7.8, -6, -10, -6, 8}, 3);

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Mala(preconditioner, 0.8);
  }

  /** False-alarm rate 10⁻⁵: see {@link Invariance}. */
  @Test
  void secondTrajectoriesLeaveASkewedTargetInvariant() {
    Mala mala = new Mala(WIDE, 1.5).about(new double[3]);
    int[] second = new int[1];
    double worst =
        Invariance.worstScore(
            (target, theta, rng) -> {
              ThetaKernel.Step step = mala.step(target, Point.at(theta), rng);
              second[0] += step.acceptanceProbability() > step.tuning() + 0.01 ? 1 : 0;
              return step.point().theta();
            },
            7);
    assertTrue(worst < Invariance.LIMIT, "a change of " + worst + " standard errors, seed 7");
    assertTrue(second[0] > 4000, second[0] + " of 40,000 second trajectories");
  }
}
