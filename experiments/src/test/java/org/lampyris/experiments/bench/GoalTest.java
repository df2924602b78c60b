package org.lampyris.experiments.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GoalTest {
  /** 1,000 draws a chain in 2 s, with 50 effective draws of the worst coefficient. */
  private static final Measurement RUN = MadeUp.measured(10, 2, 50, 80);

  private static int next(Goal.Measure measure, double amount) {
    return new Goal(measure, amount).next(RUN, 600, 1e6);
  }

  @Test
  void aRunThatMeetsTheGoalIsTheLast() {
    assertEquals(0, next(Goal.Measure.DRAWS, 1000));
    assertEquals(0, next(Goal.Measure.SECONDS, 2));
    assertEquals(0, next(Goal.Measure.ESS, 50));
  }

  @Test
  void drawsGrowByWhatIsMissingAndAMargin() {
    assertEquals(1300, next(Goal.Measure.DRAWS, 1300));
    assertEquals(5750, next(Goal.Measure.SECONDS, 10));
    assertEquals(2300, next(Goal.Measure.ESS, 100));
    assertEquals(20_000, next(Goal.Measure.ESS, 5000), "no more than twenty times");
  }

  @Test
  void timeAndMemoryEndIt() {
    Goal goal = new Goal(Goal.Measure.ESS, 1000);
    assertEquals(2500, goal.next(RUN, 5, 1e6));
    assertEquals(1700, goal.next(RUN, 600, 1700));
    assertEquals(0, goal.next(RUN, 2, 1e6));
    assertEquals(0, goal.next(RUN, 600, 1001));
    Measurement stuck = MadeUp.measured(10, 2, 0);
    assertEquals(20_000, goal.next(stuck, 600, 1e6), "a coefficient that never moved has no draws");
  }
}
