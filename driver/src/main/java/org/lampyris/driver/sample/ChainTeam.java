package org.lampyris.driver.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.lampyris.executors.batch.QuestionBatcher;
import org.lampyris.samplers.chain.ChainTrace;

/**
 * Runs the chains, each on a thread of its own that mostly waits for the job that answers all of
 * them.
 */
final class ChainTeam {

  private ChainTeam() {}

  /**
   * Runs all chains to their end.
   *
   * @param chains how many
   * @param batcher gathers their questions
   * @param chain runs the chain of a number, from 1
   * @return their traces, in the order of their numbers
   * @throws RuntimeException the first thing that went wrong, in a job or in a chain
   */
  static List<ChainTrace> run(
      int chains, QuestionBatcher<?, ?> batcher, IntFunction<ChainTrace> chain) {
    AtomicInteger number = new AtomicInteger();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            chains,
            work -> {
              Thread thread = new Thread(work, "chain-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<ChainTrace>> running = new ArrayList<>();
      for (int c = 1; c <= chains; c++) {
        int chainNumber = c;
        running.add(threads.submit(() -> runOne(chainNumber, batcher, chain)));
      }
      List<ChainTrace> traces = new ArrayList<>();
      for (Future<ChainTrace> future : running) {
        traces.add(future.get());
      }
      return traces;
    } catch (ExecutionException e) {
      throw batcher.failure().orElseGet(() -> new IllegalStateException(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sampling", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static ChainTrace runOne(
      int number, QuestionBatcher<?, ?> batcher, IntFunction<ChainTrace> chain) {
    try {
      ChainTrace trace = chain.apply(number);
      batcher.leave();
      return trace;
    } catch (RuntimeException e) {
      batcher.fail(e);
      throw e;
    } catch (Error e) {
      batcher.fail(new IllegalStateException(e));
      throw e;
    }
  }
}
