package org.lampyris.executors.testdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.samplers.chain.ChainTrace;

/** What chains leave behind, and what it means that two have left the same. */
public final class Traces {
  private Traces() {}

  /** Begins the traces of chains that are numbered from 1. */
  public static List<ChainTrace> begin(int chains) {
    return IntStream.rangeClosed(1, chains).mapToObj(ChainTrace::new).toList();
  }

  /** Every draw, every count and every step size is the same, to the bit. */
  public static void assertSame(List<ChainTrace> expected, List<ChainTrace> actual, String what) {
    assertEquals(expected.size(), actual.size(), what);
    for (int c = 0; c < expected.size(); c++) {
      ChainTrace one = expected.get(c);
      ChainTrace other = actual.get(c);
      assertEquals(one.chain(), other.chain(), what);
      assertEquals(one.logDensities(), other.logDensities(), what);
      assertEquals(one.stepSize(), other.stepSize(), what);
      assertEquals(one.initialEvaluations(), other.initialEvaluations(), what);
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.draws().get(i), other.draws().get(i), what);
      }
      assertSameSteps(one.warmup(), other.warmup(), what);
      assertSameSteps(one.sampling(), other.sampling(), what);
    }
  }

  private static void assertSameSteps(
      List<ChainTrace.Iteration> expected, List<ChainTrace.Iteration> actual, String what) {
    assertEquals(
        expected.stream().map(ChainTrace.Iteration::info).toList(),
        actual.stream().map(ChainTrace.Iteration::info).toList(),
        what);
  }
}
