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
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without the team's care these would hang, which the time limit turns into a failure. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ChainTeamTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS), "a chain waits for ever");
  }

  private static final Function<List<Integer>, List<Integer>> SQUARES = ChainTeamTest::squares;

  private static List<Integer> squares(List<Integer> questions) {
    return questions.stream().map(q -> q * q).toList();
  }

  @Test
  void oneJobAnswersAllChainsInTheirOrder() throws Exception {
    List<List<Integer>> jobs = new ArrayList<>();
    ChainTeam team = new ChainTeam(3);
    Function<List<Integer>, List<Integer>> job =
        questions -> {
          jobs.add(List.copyOf(questions));
          return squares(questions);
        };
    runThree(
        team,
        chain -> {
          for (int t = 0; t < 200; t++) {
            int question = 1000 * chain + t;
            assertEquals(question * question, team.ask(chain, job, question));
          }
        });
    assertEquals(200, team.jobs());
    for (int t = 0; t < 200; t++) {
      assertEquals(List.of(1000 + t, 2000 + t, 3000 + t), jobs.get(t));
    }
    assertTrue(team.failure().isEmpty());
  }

  @Test
  void chainsThatHaveEndedAreNotWaitedFor() throws Exception {
    ChainTeam team = new ChainTeam(3);
    runThree(
        team,
        chain -> {
          for (int t = 0; t < 10 * chain; t++) {
            assertEquals(t * t, team.ask(chain, SQUARES, t));
          }
        });
    assertEquals(30, team.jobs());
  }

  @Test
  void aJobsErrorReachesEveryChain() {
    IllegalArgumentException fault = new IllegalArgumentException("no such row");
    ChainTeam team = new ChainTeam(2);
    Function<List<Integer>, List<Integer>> job =
        questions -> {
          throw fault;
        };
    for (Future<Integer> chain : asking(team, job, 2)) {
      ExecutionException thrown = assertThrows(ExecutionException.class, chain::get);
      assertSame(fault, java.util.Objects.requireNonNull(thrown.getCause()).getCause());
    }
    assertSame(fault, team.failure().orElseThrow());
    assertEquals(0, team.jobs());
  }

  @Test
  void aChainThatGivesUpEndsAll() {
    ChainTeam team = new ChainTeam(3);
    List<Future<Integer>> waiting = asking(team, SQUARES, 2);
    RuntimeException fault = new IllegalStateException("out of the support");
    team.fail(fault);
    team.fail(new IllegalStateException("a later one"));
    for (Future<Integer> chain : waiting) {
      assertThrows(ExecutionException.class, chain::get);
    }
    assertSame(fault, team.failure().orElseThrow());
  }

  @Test
  void anInterruptedChainSaysSo() {
    ChainTeam team = new ChainTeam(2);
    Thread.currentThread().interrupt();
    assertThrows(IllegalStateException.class, () -> team.ask(1, SQUARES, 5));
    assertTrue(Thread.interrupted());
  }

  /**
   * Those that wait together for different things are answered by a job each, which count as one.
   */
  @Test
  void questionsOfTwoKindsAreAnsweredTogether() throws Exception {
    ChainTeam team = new ChainTeam(3);
    Function<List<String>, List<String>> twice =
        questions -> questions.stream().map(q -> q + q + questions.size()).toList();
    runThree(
        team,
        chain -> {
          if (chain == 2) {
            assertEquals(49, team.ask(chain, SQUARES, 7));
          } else {
            assertEquals("a" + chain + "a" + chain + 2, team.ask(chain, twice, "a" + chain));
          }
        });
    assertEquals(1, team.jobs());
  }

  /** Runs chains 1 to 3 to their ends. */
  private void runThree(ChainTeam team, IntConsumer work) throws Exception {
    List<Future<?>> chains = new ArrayList<>();
    for (int c = 1; c <= 3; c++) {
      int chain = c;
      chains.add(
          threads.submit(
              () -> {
                work.accept(chain);
                team.leave();
              }));
    }
    for (Future<?> chain : chains) {
      chain.get();
    }
  }

  private List<Future<Integer>> asking(
      ChainTeam team, Function<List<Integer>, List<Integer>> job, int chains) {
    List<Future<Integer>> asking = new ArrayList<>();
    for (int c = 1; c <= chains; c++) {
      int chain = c;
      asking.add(threads.submit(() -> team.ask(chain, job, chain)));
    }
    return asking;
  }
}
