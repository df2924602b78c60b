package org.lampyris.experiments.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What phases are expected to take, by hand. */
class PhaseCostsTest {
  private static final PhaseCosts.Size SIZE = new PhaseCosts.Size(160, 2_000);

  private static PhaseCosts.Cluster free(int workers, int cores) {
    return new PhaseCosts.Cluster(workers, cores, 0, 1);
  }

  @Test
  void twoSizesGiveALine() {
    PhaseCosts cost =
        PhaseCosts.of(
            "load",
            new PhaseCosts.Point(1_000_000, 3, 2),
            new PhaseCosts.Point(5_000_000, 11, 2),
            4);
    assertEquals(1, cost.fixed(), 1e-12);
    assertEquals(8e-6, cost.perRow(), 1e-18, "2 µs a row on four cores");
    PhaseCosts.Size nothing = new PhaseCosts.Size(160, 0);
    assertEquals(21, cost.seconds(10_000_000, free(1, 4), nothing), 1e-9);
    assertEquals(1 + 20 / 16.0, cost.seconds(10_000_000, free(8, 8), nothing), 1e-9);
  }

  @Test
  void aPhaseThatTookNoLongerIsAllByRow() {
    PhaseCosts cost =
        PhaseCosts.of(
            "sample", new PhaseCosts.Point(1_000, 2, 1), new PhaseCosts.Point(10_000, 1, 1), 2);
    assertEquals(0, cost.fixed());
    assertEquals(2e-4, cost.perRow(), 1e-18);
  }

  /** 10¹¹ rows of 160 bytes are 14,901.2 GiB: ten rounds of 1,600 cores. */
  @Test
  void tasksCostTheDriver() {
    PhaseCosts cost = new PhaseCosts("precompute", 1, 1e-6, 3);
    PhaseCosts.Cluster cluster = new PhaseCosts.Cluster(100, 16, 1e-3, 1e9);
    double rows = 1 + 1e5 / 1_600;
    assertEquals(rows + 3 * 16_000 * (1e-3 + 2e-6), cost.seconds(1e11, cluster, SIZE), 1e-9);
    double few = cost.seconds(1_000, cluster, SIZE);
    assertEquals(1 + 1e-3 / 1_600 + 3 * 1_600 * (1e-3 + 2e-6), few, 1e-9, "a task a core");
  }
}
