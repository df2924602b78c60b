package org.lampyris.driver.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PaceTest {
  private final Pace pace = new Pace();
  private double now = 1000;

  private void steps(long from, long to, double each) {
    for (long i = from; i <= to; i++) {
      now += each;
      pace.step(i, now);
    }
  }

  @Test
  void nothingIsKnownAtFirst() {
    pace.start(1000, now);
    assertTrue(Double.isNaN(pace.secondsLeft()));
    pace.start(0, now);
    steps(1, 100, 1);
    assertTrue(Double.isNaN(pace.secondsLeft()));
  }

  @Test
  void equalStepsAreCountedOn() {
    pace.start(1000, now);
    steps(1, 400, 0.3);
    assertEquals(600 * 0.3, pace.secondsLeft(), 1e-6);
  }

  @Test
  void whatIsLostOnceIsNotExtrapolated() {
    pace.start(10_000, now);
    steps(1, 20, 0.3);
    now += 600; // an executor is lost, and its rows are read again
    steps(21, 40, 0.3);
    // By the mean since the beginning it would be 152,988 s: 42 hours.
    assertEquals(9960 * 0.3, pace.secondsLeft(), 0.15 * 9960 * 0.3);
    steps(41, 200, 0.3);
    assertEquals(9800 * 0.3, pace.secondsLeft(), 1e-6);
  }

  @Test
  void itFollowsALastingChange() {
    pace.start(10_000, now);
    steps(1, 100, 0.3);
    steps(101, 200, 3); // one executor of ten is left
    assertEquals(9800 * 3, pace.secondsLeft(), 1e-6);
  }

  @Test
  void stepsOfASegmentArriveAtOnce() {
    pace.start(10_000, now);
    for (int segment = 0; segment < 3; segment++) {
      now += 20;
      steps(1000L * segment + 1, 1000L * (segment + 1), 1e-6);
    }
    now += 20;
    steps(3001, 3001, 0);
    assertEquals(7 * 20, pace.secondsLeft(), 0.1);
  }

  @Test
  void whatAnEarlierProcessHasDoneIsNotCounted() {
    pace.start(1000, now);
    now += 2;
    steps(1, 500, 1e-6);
    now += 10;
    steps(501, 600, 0.5);
    assertEquals(400 * 0.5, pace.secondsLeft(), 0.05 * 400 * 0.5);
  }
}
