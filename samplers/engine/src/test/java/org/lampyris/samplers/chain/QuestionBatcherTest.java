package org.lampyris.samplers.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without the batcher's care these would hang, which the time limit turns into a failure. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class QuestionBatcherTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS), "a chain waits for ever");
  }

  private static List<Integer> squares(List<Integer> questions) {
    return questions.stream().map(q -> q * q).toList();
  }

  @Test
  void oneJobAnswersAllChainsInTheirOrder() throws Exception {
    List<List<Integer>> jobs = new ArrayList<>();
    QuestionBatcher<Integer, Integer> batcher =
        new QuestionBatcher<>(
            3,
            questions -> {
              jobs.add(List.copyOf(questions));
              return squares(questions);
            });
    runThree(
        batcher,
        chain -> {
          for (int t = 0; t < 200; t++) {
            int question = 1000 * chain + t;
            assertEquals(question * question, batcher.ask(chain, question));
          }
        });
    assertEquals(200, batcher.jobs());
    for (int t = 0; t < 200; t++) {
      assertEquals(List.of(1000 + t, 2000 + t, 3000 + t), jobs.get(t));
    }
    assertTrue(batcher.failure().isEmpty());
  }

  @Test
  void chainsThatHaveEndedAreNotWaitedFor() throws Exception {
    QuestionBatcher<Integer, Integer> batcher = new QuestionBatcher<>(3, q -> squares(q));
    runThree(
        batcher,
        chain -> {
          for (int t = 0; t < 10 * chain; t++) {
            assertEquals(t * t, batcher.ask(chain, t));
          }
        });
    assertEquals(30, batcher.jobs());
  }

  @Test
  void aJobsErrorReachesEveryChain() {
    IllegalArgumentException fault = new IllegalArgumentException("no such row");
    QuestionBatcher<Integer, Integer> batcher =
        new QuestionBatcher<>(
            2,
            questions -> {
              throw fault;
            });
    for (Future<Integer> chain : asking(batcher, 2)) {
      ExecutionException thrown = assertThrows(ExecutionException.class, chain::get);
      assertSame(fault, java.util.Objects.requireNonNull(thrown.getCause()).getCause());
    }
    assertSame(fault, batcher.failure().orElseThrow());
    assertEquals(0, batcher.jobs());
  }

  @Test
  void aChainThatGivesUpEndsAll() {
    QuestionBatcher<Integer, Integer> batcher = new QuestionBatcher<>(3, q -> squares(q));
    List<Future<Integer>> waiting = asking(batcher, 2);
    RuntimeException fault = new IllegalStateException("out of the support");
    batcher.fail(fault);
    batcher.fail(new IllegalStateException("a later one"));
    for (Future<Integer> chain : waiting) {
      assertThrows(ExecutionException.class, chain::get);
    }
    assertSame(fault, batcher.failure().orElseThrow());
  }

  @Test
  void anInterruptedChainSaysSo() {
    QuestionBatcher<Integer, Integer> batcher = new QuestionBatcher<>(2, q -> squares(q));
    Thread.currentThread().interrupt();
    assertThrows(IllegalStateException.class, () -> batcher.ask(1, 5));
    assertTrue(Thread.interrupted());
  }

  /** Runs chains 1 to 3 to their ends. */
  private void runThree(QuestionBatcher<Integer, Integer> batcher, IntConsumer work)
      throws Exception {
    List<Future<?>> chains = new ArrayList<>();
    for (int c = 1; c <= 3; c++) {
      int chain = c;
      chains.add(
          threads.submit(
              () -> {
                work.accept(chain);
                batcher.leave();
              }));
    }
    for (Future<?> chain : chains) {
      chain.get();
    }
  }

  private List<Future<Integer>> asking(QuestionBatcher<Integer, Integer> batcher, int chains) {
    List<Future<Integer>> asking = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      int chain = c;
      asking.add(threads.submit(() -> batcher.ask(chain, chain)));
    }
    return asking;
  }
}
