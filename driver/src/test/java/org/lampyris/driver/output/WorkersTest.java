package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.commons.rng.core.source64.SplitMix64;
import org.junit.jupiter.api.Test;
import org.lampyris.samplers.diagnostics.NormalScores;
import org.lampyris.samplers.diagnostics.VariableSummary;

class WorkersTest {

  @Test
  void everyPieceIsDoneAndTold() throws IOException {
    for (int threads : new int[] {0, 1, 3, 64}) {
      int[] done = new int[20];
      List<Workers.Piece> pieces = new ArrayList<>();
      for (int i = 0; i < done.length; i++) {
        int piece = i;
        pieces.add(() -> done[piece] += piece);
      }
      List<Long> told = new ArrayList<>();
      Workers.run(pieces, threads, told::add);
      assertEquals(LongStream.rangeClosed(1, 20).boxed().toList(), told);
      assertArrayEquals(LongStream.range(0, 20).mapToInt(i -> (int) i).toArray(), done);
    }
    Workers.run(List.of(), 2, done -> {});
  }

  @Test
  void aFailureEndsItAndIsThrownAsItWas() {
    for (Throwable thrown :
        List.of(new IOException("disk"), new IllegalStateException(), new OutOfMemoryError())) {
      AtomicInteger after = new AtomicInteger();
      List<Workers.Piece> pieces = new ArrayList<>();
      pieces.add(() -> fail(thrown));
      for (int i = 0; i < 10_000; i++) {
        pieces.add(after::incrementAndGet);
      }
      assertSame(thrown, assertThrows(Throwable.class, () -> Workers.run(pieces, 1, done -> {})));
    }
  }

  private static void fail(Throwable thrown) throws IOException {
    if (thrown instanceof IOException e) {
      throw e;
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    throw (Error) thrown;
  }

  @Test
  void anInterruptionIsTold() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> Workers.run(List.of(() -> {}), 1, done -> {}));
    assertTrue(Thread.interrupted());
  }

  @Test
  void memoryLimitsHowManyAreUnderWay() {
    assertEquals(1, Workers.threads(1e18));
    assertEquals(Runtime.getRuntime().availableProcessors(), Workers.threads(1));
  }

  @Test
  void summariesAreThoseOfOneVariableAtATime() throws IOException {
    SplitMix64 rng = new SplitMix64(5);
    List<String> names = new ArrayList<>();
    double[][][] values = new double[30][3][101];
    for (int j = 0; j < values.length; j++) {
      names.add("x" + j);
      for (double[] chain : values[j]) {
        for (int i = 0; i < chain.length; i++) {
          chain[i] = rng.nextDouble() + (i > 0 ? 0.7 * chain[i - 1] : 0);
        }
      }
    }
    List<VariableSummary> expected = new ArrayList<>();
    for (int j = 0; j < values.length; j++) {
      expected.add(VariableSummary.of(names.get(j), values[j]));
    }
    NormalScores scores = NormalScores.table(3, 101);
    List<Long> told = new ArrayList<>();
    assertEquals(
        expected,
        new Draws(names, values)
            .summary((name, draws) -> VariableSummary.of(name, draws, scores), told::add));
    assertEquals(30, told.size());
    assertFalse(expected.contains(null));
  }
}
