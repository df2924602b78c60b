package org.lampyris.samplers.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.lampyris.samplers.kernel.SamplerState;

/** Runs the chains, each on a thread that mostly waits for the job that answers all. */
public final class ChainTeam {
  private ChainTeam() {}

  /** What one chain does. */
  @FunctionalInterface
  public interface Work<S extends SamplerState, T> {
    T of(int chain, TransitionKernel<S> transition);
  }

  /**
   * Has all chains do their work, side by side.
   *
   * @return what the work of each led to, in the order of their numbers, from 1
   * @throws RuntimeException the first thing that went wrong, in a job or in a chain
   */
  public static <T> List<T> run(int chains, QuestionBatcher<?, ?> batcher, IntFunction<T> chain) {
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
      List<Future<T>> running = new ArrayList<>();
      for (int c = 1; c <= chains; c++) {
        int chainNumber = c;
        running.add(threads.submit(() -> runOne(chainNumber, batcher, chain)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw batcher.failure().orElseGet(() -> new IllegalStateException(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sampling", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T runOne(int number, QuestionBatcher<?, ?> batcher, IntFunction<T> chain) {
    try {
      T result = chain.apply(number);
      batcher.leave();
      return result;
    } catch (RuntimeException e) {
      batcher.fail(e);
      throw e;
    } catch (Error e) {
      batcher.fail(new IllegalStateException(e));
      throw e;
    }
  }
}
