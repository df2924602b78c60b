package org.lampyris.executors.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {
  private static final long GIB = 1L << 30;

  @Test
  void nothingIsSaidOfRowsInMemory() {
    assertEquals(Optional.empty(), ResidentMemory.line(5 * GIB, 0, 4, 0.6));
  }

  @Test
  void whatWouldDoIsSaid() {
    // Each of four keeps 3 GiB in half of 0.6 of what exceeds 300 MiB: 10 GiB and those.
    assertEquals(
        Optional.of(
            "9.00 GiB of the 12.00 GiB of rows do not fit in memory, so each pass reads them from"
                + " disk. To keep all in memory, set spark.executor.memory (for 4 executors) to"
                + " 10.3 GiB."),
        ResidentMemory.line(3 * GIB, 9 * GIB, 4, 0.6));
  }

  @Test
  void inLocalModeItIsTheDriver() {
    assertEquals(
        Optional.of(
            "1.00 GiB of the 3.00 GiB of rows do not fit in memory, so each pass reads them from"
                + " disk. To keep all in memory, set --driver-memory to 10.3 GiB."),
        ResidentMemory.line(2 * GIB, GIB, 0, 0.6));
  }
}
