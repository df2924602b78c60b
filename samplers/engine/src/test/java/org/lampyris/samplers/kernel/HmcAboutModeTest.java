package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.testdata.Factors;
import org.lampyris.samplers.testdata.GradientDensity;

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

  /** Steps of a turn in four, which the skewed target refuses, of 1 to 3 a trajectory. */
  private static final double LONG = 1.5;

  private static final double[] NEAR = {0.5, 1, 0};
  private static final Preconditioner WIDE =
      Factors.choleskyOf(new double[] {20, 12, -10, 12, 7.8, -6, -10, -6, 8}, 3);

  /** False-alarm rate 10⁻⁵: see {@link Invariance}. */
  @Test
  void secondTrajectoriesLeaveASkewedTargetInvariant() {
    Hmc hmc = new Hmc(WIDE, NEAR, LONG, 2);
    int[] second = new int[1];
    double worst =
        Invariance.worstScore(
            (target, theta, rng) -> {
              ThetaKernel.Step step = hmc.step(target, Point.at(theta), rng);
              second[0] += step.acceptanceProbability() > step.tuning() + 0.01 ? 1 : 0;
              return step.point().theta();
            },
            7);
    assertTrue(worst < Invariance.LIMIT, "a change of " + worst + " standard errors, seed 7");
    assertTrue(second[0] > 4000, second[0] + " of 40,000 second trajectories");
  }

  /**
   * Detailed balance of second trajectories, pair by pair: exp(−H(x, p))·P(x, p → y, p'') =
   * exp(−H(y, p''))·P(y, −p'' → x, −p), with P the probability that the first trajectory is
   * rejected and the second accepted. In some pairs the first one would succeed from y, and both
   * sides are 0.
   */
  @Test
  void secondTrajectoriesAreInDetailedBalance() {
    Hmc hmc = new Hmc(WIDE, NEAR, LONG, 2);
    Quartic target = new Quartic();
    int accepted = 0;
    int oneWay = 0;
    for (int i = 0; i < 3000; i++) {
      Noise noise = Noise.of(new Streams(9).stream(Streams.Purpose.THETA, 1, i, 0));
      Point from = Point.evaluate(target, noise.normals(3));
      double[] momentum = noise.normals(3);
      boolean turns = i % 4 > 0;
      int steps = 1 + i % 3;
      int shorter = i % 5 % 4;
      double size = turns ? LONG : Math.min(LONG, Hmc.optimalStepSize(3));
      Leapfrog leapfrog = new Leapfrog(target, WIDE, turns ? NEAR : null, size / (2 << shorter));
      Leapfrog.State begin = leapfrog.begin(from, momentum);
      Leapfrog.State end = begin;
      for (int k = 0; k < Math.min(32, steps * (2 << shorter)); k++) {
        end = leapfrog.step(end);
      }
      double here = Math.exp(-begin.energy());
      double forth = here * second(hmc, target, from, momentum, turns, steps, shorter);
      double[] turned = Arrays.stream(end.momentum()).map(p -> -p).toArray();
      double there = Math.exp(-end.energy());
      double back = there * second(hmc, target, end.point(), turned, turns, steps, shorter);
      // The probabilities of unstable trajectories keep fewer digits, and P is a difference.
      double rounding = 1e-5 * forth + 1e-15 * (here + there);
      assertEquals(forth, back, rounding, "trajectory " + i);
      accepted += forth > 0 ? 1 : 0;
      ThetaKernel.Step first =
          hmc.trajectory(target, from, new Given(momentum, steps, shorter), turns, true);
      oneWay += first.tuning() < 0.01 && forth == 0 ? 1 : 0;
    }
    assertTrue(accepted > 300 && oneWay > 30, accepted + " accepted, " + oneWay + " one way");
  }

  /** log π(x) = −|x|⁴/4 − x₀x₁/2, without an edge. */
  private static final class Quartic extends GradientDensity {
    Quartic() {
      super(3);
    }

    @Override
    public double valueAndGradient(double[] x, double[] gradient) {
      double squares = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
      Arrays.setAll(gradient, i -> -squares * x[i] - (i < 2 ? 0.5 * x[1 - i] : 0));
      return -0.25 * squares * squares - 0.5 * x[0] * x[1];
    }
  }

  /** Returns the probability of a rejected first and an accepted second trajectory. */
  private static double second(
      Hmc hmc,
      LogDensity target,
      Point from,
      double[] momentum,
      boolean turns,
      int steps,
      int shorter) {
    ThetaKernel.Step step =
        hmc.trajectory(target, from, new Given(momentum, steps, shorter), turns, true);
    return step.acceptanceProbability() - step.tuning();
  }

  /** A momentum, a number of steps, one of the shorter step sizes, and no to what is asked. */
  private static final class Given implements Noise {
    private final double[] momentum;
    private final int[] indices;
    private int normals;
    private int asked;

    Given(double[] momentum, int steps, int shorter) {
      this.momentum = momentum;
      this.indices = new int[] {steps - 1, shorter};
    }

    @Override
    public double normal() {
      return momentum[normals++];
    }

    @Override
    public double exponential() {
      throw new UnsupportedOperationException();
    }

    @Override
    public double uniform(double low, double high) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int index(int count) {
      return indices[asked++];
    }

    @Override
    public boolean flip(double probability) {
      return false;
    }
  }

  /**
   * A narrow target of a wide kernel: an iteration in a hundred moved before there were second
   * trajectories.
   */
  @Test
  void aChainMovesWhereItsStepsAreTooLong() {
    NormalTarget target =
        new NormalTarget(new double[1], Factors.choleskyOf(new double[] {1e-2}, 1));
    Hmc hmc = new Hmc(Preconditioner.identity(1), new double[1], 1, Hmc.BY_TIME);
    Point point = Point.evaluate(target, new double[] {0.1});
    int moves = 0;
    for (int i = 0; i < 1000; i++) {
      ThetaKernel.Step step =
          hmc.step(target, point, new Streams(4).stream(Streams.Purpose.THETA, 1, i, 0));
      moves += Arrays.equals(step.point().theta(), point.theta()) ? 0 : 1;
      assertFalse(step.divergent() && step.acceptanceProbability() > 0);
      point = step.point();
    }
    assertTrue(moves > 250, moves + " of 1000 iterations");
  }
}
