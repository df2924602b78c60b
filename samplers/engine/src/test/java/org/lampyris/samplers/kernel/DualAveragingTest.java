package org.lampyris.samplers.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.samplers.random.Streams;

class DualAveragingTest {

  /** A response of which the answer is known: α(ε) = 1/(1 + ε), which is δ at ε = 1/δ − 1. */
  @ParameterizedTest
  @CsvSource({"0.234, 1", "0.234, 0.01", "0.8, 30", "0.5, 1"})
  void findsTheStepSizeOfAKnownResponse(double target, double start) {
    DualAveraging state = DualAveraging.start(start, target, Double.POSITIVE_INFINITY);
    for (int t = 0; t < 3000; t++) {
      state = state.update(1 / (1 + state.stepSize()));
    }
    assertEquals(Math.log(1 / target - 1), Math.log(state.adaptedStepSize()), 0.02);
  }

  /** With the frozen step size the random walk accepts at the target's rate. */
  @ParameterizedTest
  @CsvSource({"0.234, 0.01", "0.234, 50", "0.44, 1"})
  void aRandomWalkReachesItsTarget(double target, double start) {
    LogDensity density = new SkewedDensity(2, 1, 5);
    UniformRandomProvider rng = new Streams(6).stream(Streams.Purpose.THETA, 1, 0, 0);
    ThetaKernel kernel = new RandomWalk(Preconditioner.identity(3), start);
    DualAveraging state = DualAveraging.start(start, target, Double.POSITIVE_INFINITY);
    Point point = Point.at(new double[3]);
    for (int t = 0; t < 4000; t++) {
      ThetaKernel.Step step = kernel.step(density, point, rng);
      point = step.point();
      state = state.update(step.acceptanceProbability());
      kernel = kernel.withStepSize(state.stepSize());
    }
    kernel = kernel.withStepSize(state.adaptedStepSize());
    double sum = 0;
    int steps = 20_000;
    for (int t = 0; t < steps; t++) {
      ThetaKernel.Step step = kernel.step(density, point, rng);
      point = step.point();
      sum += step.acceptanceProbability();
    }
    // The average over 20,000 steps has a standard error near 0.005; adaptation as much again.
    assertEquals(target, sum / steps, 0.04);
  }

  @Test
  void theFirstUpdateByHand() {
    DualAveraging state = DualAveraging.start(2, 0.234, Double.POSITIVE_INFINITY).update(0.5);
    double error = (0.234 - 0.5) / 11;
    double log = Math.log(2) - error / 0.05;
    assertEquals(log, state.logStepSize(), 1e-15);
    assertEquals(log, state.logAverage(), 1e-15);
    assertThrows(
        IllegalArgumentException.class,
        () -> DualAveraging.start(0, 0.2, Double.POSITIVE_INFINITY));
    assertThrows(
        IllegalArgumentException.class, () -> DualAveraging.start(1, 1, Double.POSITIVE_INFINITY));
  }
}
