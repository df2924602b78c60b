package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.random.Noise;
import org.lampyris.samplers.random.Streams;

class HmcTest extends ThetaKernelContract {
  /** A wall that no kernel knows of, as a ball about the mode has. */
  private static final double WALL = 0.4;

  private static LogDensity density(DoubleUnaryOperator logDensity, double slope) {
    return new LogDensity() {
      @Override
      public int dimension() {
        return 1;
      }

      @Override
      public void values(double[][] thetas, double[] out) {
        Arrays.setAll(out, k -> logDensity.applyAsDouble(thetas[k][0]));
      }

      @Override
      public double valueAndGradient(double[] theta, double[] gradient) {
        gradient[0] = slope;
        return value(theta);
      }
    };
  }

  private static ThetaKernel.Step step(LogDensity target, double stepSize, long iteration) {
    return new Hmc(Preconditioner.identity(1), stepSize, 4)
        .step(
            target,
            Point.at(new double[] {0}),
            new Streams(2).stream(Streams.Purpose.THETA, 1, iteration, 0));
  }

  /** How many steps of which length the trajectories of the time of a kernel have. */
  private static Map<Integer, DoubleSummaryStatistics> steps(Hmc hmc) {
    Map<Integer, DoubleSummaryStatistics> steps = new TreeMap<>();
    for (int i = 0; i < 200; i++) {
      List<Double> asked = new ArrayList<>();
      // Where the density is flat, the momentum stays, and θ goes by equal steps.
      hmc.step(
          density(
              x -> {
                asked.add(x);
                return 0;
              },
              0),
          new Point(new double[1], 0, new double[1]),
          new Given(1, Noise.of(new Streams(3).stream(Streams.Purpose.THETA, 1, i, 0))));
      steps.computeIfAbsent(asked.size(), n -> new DoubleSummaryStatistics()).accept(asked.get(0));
    }
    return steps;
  }

  /** A given momentum, and else the noise of a stream. */
  private record Given(double normal, Noise noise) implements Noise {
    @Override
    public double exponential() {
      return noise.exponential();
    }

    @Override
    public double uniform(double low, double high) {
      return noise.uniform(low, high);
    }

    @Override
    public int index(int count) {
      return noise.index(count);
    }

    @Override
    public boolean flip(double probability) {
      return noise.flip(probability);
    }
  }

  /** The time 1.75, rounded to steps, whose size is a tenth more or less. */
  @Test
  void shorterStepsAreMore() {
    double[] sizes = {2, 1.2, 0.9, 0.4, 0.01};
    int[] counts = {1, 1, 2, 4, 32};
    for (int i = 0; i < sizes.length; i++) {
      Hmc hmc = new Hmc(Preconditioner.identity(1), sizes[i], Hmc.BY_TIME);
      Map<Integer, DoubleSummaryStatistics> steps = steps(hmc);
      assertEquals(Set.of(counts[i]), steps.keySet());
      DoubleSummaryStatistics length = Objects.requireNonNull(steps.get(counts[i]));
      assertEquals(0.9 * sizes[i], length.getMin(), 0.01 * sizes[i]);
      assertEquals(1.1 * sizes[i], length.getMax(), 0.01 * sizes[i]);
    }
  }

  /** As many steps as are given in the mean, {2, …, 6}. */
  @Test
  void theNumberOfStepsIsDrawnAroundTheOneGiven() {
    Map<Integer, DoubleSummaryStatistics> steps =
        steps(new Hmc(Preconditioner.identity(1), 0.4, 4));
    assertEquals(Set.of(2, 3, 4, 5, 6), steps.keySet());
    steps.values().forEach(length -> assertEquals(0, length.getMax() - length.getMin()));
  }

  @Test
  void leavingTheSupportIsNotDivergent() {
    LogDensity target = density(x -> x <= WALL ? 0 : Double.NEGATIVE_INFINITY, 0);
    int refused = 0;
    for (int i = 0; i < 200; i++) {
      ThetaKernel.Step step = step(target, 0.5, i);
      assertFalse(step.divergent());
      refused += step.acceptanceProbability() == 0 ? 1 : 0;
    }
    // A velocity to the right, as every other one, meets the wall unless it is slow.
    assertTrue(refused > 60 && refused < 100, refused + " of 200, seed 2");
  }

  @Test
  void anEnergyThatRangesTooFarAndAnOverflowAreDivergent() {
    assertTrue(step(density(x -> -1e6 * x * x, 0), 1, 1).divergent());
    assertTrue(step(density(x -> Math.abs(x) < 1e300 ? 0 : Double.NaN, 1e305), 1e3, 1).divergent());
    assertFalse(step(density(x -> -0.5 * x * x, 0), 1e-3, 1).divergent());
  }

  /**
   * From 0 over a ditch of 600 to a hill of 600 no energy is further than 600 from the first one,
   * but on the way back one is 1200 from it: if the distance decided, and not the range, the way
   * there would be open and the way back closed.
   */
  @Test
  void aTrajectoryIsAbandonedByTheRangeOfItsEnergiesThereAndBack() {
    double[] levels = {0, -600, 600};
    LogDensity stairs = density(x -> levels[(int) Math.rint(x)], 0);
    Hmc hmc = new Hmc(Preconditioner.identity(1), 1, 2);
    for (int from : new int[] {0, 2}) {
      Point start = new Point(new double[] {from}, levels[from], new double[1]);
      ThetaKernel.Step step = hmc.step(stairs, start, new TwoSteps(1 - from));
      assertEquals(0, step.acceptanceProbability(), "from " + from);
      assertTrue(step.divergent(), "from " + from);
    }
  }

  /** Two leapfrog steps with a given velocity, and yes to what is possible. */
  private record TwoSteps(double normal) implements Noise {
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
      return 1;
    }

    @Override
    public boolean flip(double probability) {
      return probability > 0;
    }
  }

  @Override
  ThetaKernel kernel(double[] centre, Preconditioner preconditioner) {
    return new Hmc(preconditioner, 0.35, 4);
  }

  @Override
  int questionsAtAKnownPoint() {
    return 6;
  }
}
