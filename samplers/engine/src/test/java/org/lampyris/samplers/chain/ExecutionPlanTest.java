package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.lampyris.bounds.config.UserException;

class ExecutionPlanTest {
  private static final double LATENCY = 2.5e-3;

  /** A million rows of 20 coefficients, MAP-tuned. */
  private static final SegmentSize FEW = new SegmentSize(1_000_000, 176, 4.5, 2, 1024);

  /** Three million rows, untuned: a tenth of them candidates, a sixth of them bright. */
  private static final SegmentSize MANY = new SegmentSize(3_000_000, 100, 300_000, 500_000, 1);

  /** Rows of 20 coefficients, a tenth of which is selected anew in each iteration. */
  private static SegmentSize tenth(long rows) {
    return new SegmentSize(rows, 176, 0.1 * rows, 30, 1);
  }

  private static PlanSettings plan(PlanSettings.Plan plan, int poolMib) {
    return new PlanSettings(plan, poolMib, 100, 0);
  }

  private static ExecutionPlan choose(int chains, SegmentSize size) {
    return choose(plan(PlanSettings.Plan.AUTO, 64), chains, size);
  }

  private static ExecutionPlan choose(PlanSettings settings, int chains, SegmentSize size) {
    return ExecutionPlan.choose(settings, chains, Optional.of(size), () -> LATENCY);
  }

  @Test
  void fewCandidatesGoInSegmentsOfWholeWindowsThatFitTheBudget() {
    ExecutionPlan plan = choose(4, FEW);
    assertEquals(0, plan.segment() % 1024);
    double bytes = plan.segment() * 4.5 * (176 + 40);
    assertTrue(bytes <= 64 << 20 && bytes > 0.9 * (64 << 20), plan.line());
    assertTrue(plan.line().contains("4.5 candidates an iteration, 2 bright rows"), plan.line());
    ExecutionPlan small = choose(plan(PlanSettings.Plan.AUTO, 1), 4, FEW);
    assertTrue(small.segment() > 0 && small.segment() <= plan.segment() / 60, small.line());
  }

  @Test
  void aRowThatIsACandidateOftenIsCountedOnce() {
    // 122 candidates an iteration of 12,214 rows: beyond 100 iterations, all rows are there.
    ExecutionPlan plan = choose(4, new SegmentSize(12_214, 424, 122.8, 50, 512));
    assertTrue(plan.segment() * 122.8 * 40 > 0.8 * ((64 << 20) - 12_214 * 424), plan.line());
  }

  /** Pools that hardly ever suffice go step by step, however few candidates they have. */
  @Test
  void iterationsThatPoolsDoNotSufficeForAreCounted() {
    assertTrue(choose(4, exhausting(1e-4)).segment() > 0);
    for (double share : new double[] {0.2, 1}) {
      ExecutionPlan plan =
          ExecutionPlan.choose(
              plan(PlanSettings.Plan.AUTO, 64), 4, Optional.of(exhausting(share)), () -> 0.5);
      assertEquals(0, plan.segment(), plan.line());
    }
  }

  private static SegmentSize exhausting(double share) {
    return new SegmentSize(100_000, 100, 10, 0, 1024, share);
  }

  @Test
  void tooManyCandidatesOrBrightRowsGoStepByStep() {
    assertEquals(0, choose(2, MANY).segment());
    SegmentSize bright = new SegmentSize(3_000_000, 176, 4.5, 1_000_000, 1024);
    assertEquals(0, choose(2, bright).segment());
  }

  /** Explicit updates: a small table goes to the chains once a segment, a large one stays. */
  @Test
  void selectedRowsGoInSegmentsWhereTheTableIsSmall() {
    // MNIST 7 against 9.
    ExecutionPlan mnist = choose(4, new SegmentSize(12_214, 424, 1_222, 50, 1));
    assertTrue(mnist.segment() > 1000, mnist.line());
    double bytes = mnist.segment() * 1_222.0 * 40 + 12_214 * 424;
    assertTrue(bytes <= 64 << 20 && bytes > 0.99 * (64 << 20), mnist.line());
    for (long rows : new long[] {1_000_000, 100_000_000, 10_000_000_000L}) {
      ExecutionPlan large = choose(4, tenth(rows));
      assertEquals(0, large.segment(), large.line());
    }
    // However much memory is granted, as many candidates as an array has elements.
    ExecutionPlan most = choose(plan(PlanSettings.Plan.SEGMENT, 1_000_000), 4, tenth(100_000_000));
    assertTrue(most.segment() * 10_000_000L < 1 << 30, most.line());
    // Beyond the budget even for one iteration, but asked for.
    assertEquals(1, choose(plan(PlanSettings.Plan.SEGMENT, 64), 4, tenth(100_000_000)).segment());
  }

  @Test
  void theUserHasTheLastWord() {
    assertEquals(0, choose(plan(PlanSettings.Plan.STEPWISE, 64), 4, FEW).segment());
    assertTrue(choose(plan(PlanSettings.Plan.SEGMENT, 64), 4, MANY).segment() >= 1);
    UserException e =
        assertThrows(
            UserException.class,
            () ->
                ExecutionPlan.choose(
                    plan(PlanSettings.Plan.SEGMENT, 64), 4, Optional.empty(), () -> LATENCY));
    assertTrue(String.valueOf(e.getMessage()).contains("sampler.plan"), e.getMessage());
  }

  @Test
  void anAlgorithmWithoutSegmentsAsksForNoLatency() {
    ExecutionPlan plan =
        ExecutionPlan.choose(
            plan(PlanSettings.Plan.AUTO, 64),
            4,
            Optional.empty(),
            () -> {
              throw new AssertionError("measured for nothing");
            });
    assertEquals(0, plan.segment());
  }
}
