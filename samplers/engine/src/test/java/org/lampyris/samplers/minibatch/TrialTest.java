package org.lampyris.samplers.minibatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TrialTest {
  private static final double[] VALUES = {1, 2, 4, 8, 16, 32};

  @Test
  void theRowsOfTheGradientAreTheLastOnes() {
    Trial trial = Population.trial(2, 0, VALUES);
    assertEquals(4 + 8 + 16, trial.lookAt(3).sum());
    assertEquals(4 + 8 + 16 + 32 + 1, trial.lookAt(5).sum());
    assertEquals(63, trial.lookAt(6).sum());
    assertEquals(6, trial.looked());
  }

  @Test
  void theMomentsAreThoseOfTheBatch() {
    BatchMoments seen = Population.trial(0, VALUES).lookAt(4);
    assertEquals(15.0 / 4, seen.mean());
    double centred = 85 - 4 * 3.75 * 3.75;
    assertEquals(centred / 3, seen.variance(true), 1e-12);
    assertEquals(centred / 4, seen.variance(false), 1e-12);
    assertEquals(Math.sqrt(centred / 3 / 4 * (1 - 3.0 / 5)), seen.standardError(6), 1e-12);
    assertEquals(0, Population.trial(0, VALUES).lookAt(6).standardError(6));
  }

  @Test
  void theThresholdIsThatOfTheMeanOverAllRows() {
    Trial trial = Population.trial(-0.5, VALUES);
    assertEquals((Math.log(0.3) + 0.5) / 6, trial.threshold(0.3), 1e-15);
    trial.lookAt(6);
    assertEquals(1, trial.estimatedProbability());
    assertEquals(Math.exp(-0.5), Population.trial(-0.5, VALUES).estimatedProbability());
  }
}
