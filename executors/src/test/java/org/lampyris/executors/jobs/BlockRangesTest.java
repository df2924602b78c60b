package org.lampyris.executors.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BlockRangesTest {

  @Test
  void everyBlockLiesInOnePartitionOfEvenLength() {
    for (int blocks = 1; blocks <= 40; blocks++) {
      for (int wanted = 1; wanted <= 45; wanted++) {
        BlockRanges ranges = new BlockRanges(blocks, wanted);
        assertEquals(Math.min(blocks, wanted), ranges.numPartitions());
        long next = 0;
        for (int p = 0; p < ranges.numPartitions(); p++) {
          assertEquals(next, ranges.from(p));
          long length = ranges.to(p) - ranges.from(p);
          assertTrue(length >= blocks / ranges.numPartitions());
          assertTrue(length <= blocks / ranges.numPartitions() + 1);
          for (long id = ranges.from(p); id < ranges.to(p); id++) {
            assertEquals(p, ranges.getPartition(id));
          }
          next = ranges.to(p);
        }
        assertEquals(blocks, next);
      }
    }
  }

  @Test
  void largeNumbersDoNotOverflow() {
    long blocks = 1L << 40;
    BlockRanges ranges = new BlockRanges(blocks, 10_000);
    assertEquals(blocks, ranges.to(9_999));
    assertEquals(9_999, ranges.getPartition(blocks - 1));
    assertEquals(0, ranges.getPartition(0L));
  }

  @Test
  void equalByWhatTheySpread() {
    assertEquals(new BlockRanges(7, 3), new BlockRanges(7, 3));
    assertEquals(new BlockRanges(7, 3).hashCode(), new BlockRanges(7, 3).hashCode());
    assertNotEquals(new BlockRanges(7, 3), new BlockRanges(7, 2));
    assertThrows(IllegalArgumentException.class, () -> new BlockRanges(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new BlockRanges(1, 0));
  }
}
