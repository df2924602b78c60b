package org.lampyris.samplers.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chains of a run, each on its own thread, with one job that answers their questions: it starts
 * when every running chain waits for an answer. Questions of several kinds that wait together are
 * answered by a job each, and count as one.
 *
 * <p>The thread that asks last runs the job. An error of a job or of a chain reaches every chain,
 * so that none waits for ever.
 */
public final class ChainTeam {
  private final int chains;
  private final Map<Integer, Asked<?, ?>> waiting = new TreeMap<>();
  private final Map<Integer, Object> answers = new TreeMap<>();
  private int running;
  private long jobs;
  private @Nullable RuntimeException failure;

  /** A question, and the job that answers its kind. */
  private record Asked<Q, A>(Function<List<Q>, List<A>> job, Q question) {}

  /** Starts with all chains running; a team runs once. */
  public ChainTeam(int chains) {
    this.chains = chains;
    this.running = chains;
  }

  /**
   * Runs all chains' work in parallel.
   *
   * @return what the work of each led to, in the order of their numbers, from 1
   * @throws RuntimeException the first thing that went wrong, in a job or in a chain
   */
  public <T> List<T> run(IntFunction<T> work) {
    AtomicInteger number = new AtomicInteger();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            chains,
            task -> {
              Thread thread = new Thread(task, "chain-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int c = 1; c <= chains; c++) {
        int chain = c;
        futures.add(threads.submit(() -> runOne(chain, work)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw failure().orElseGet(() -> new IllegalStateException(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sampling", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private <T> T runOne(int chain, IntFunction<T> work) {
    try {
      T result = work.apply(chain);
      leave();
      return result;
    } catch (RuntimeException e) {
      fail(e);
      throw e;
    } catch (Error e) {
      fail(new IllegalStateException(e));
      throw e;
    }
  }

  /**
   * Asks a question, and waits for the answer; a chain asks one question at a time.
   *
   * @param job answers questions of one kind, given in ascending order of their chains, one answer
   *     each. Jobs that are equal answer the same kind.
   * @throws IllegalStateException if a job or another chain has failed, or at an interrupt
   */
  @SuppressWarnings("unchecked") // the job's own answer to this question
  public synchronized <Q, A> A ask(int chain, Function<List<Q>, List<A>> job, Q question) {
    checkFailure();
    waiting.put(chain, new Asked<>(job, question));
    if (waiting.size() == running) {
      runJob();
    }
    while (!answers.containsKey(chain)) {
      checkFailure();
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("chain " + chain + " was interrupted", e);
      }
    }
    return (A) answers.remove(chain);
  }

  /** Reports that a chain has ended and asks no more. */
  synchronized void leave() {
    running--;
    if (running > 0 && waiting.size() == running) {
      runJob();
    }
  }

  /** Reports that a chain has failed, which ends all. */
  synchronized void fail(RuntimeException cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  /** Returns the first error of a job or a chain, if there has been any. */
  public synchronized Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns how many jobs have been run. */
  public synchronized long jobs() {
    return jobs;
  }

  private void runJob() {
    Map<Integer, Asked<?, ?>> asked = new TreeMap<>(waiting);
    waiting.clear();
    try {
      List<Function<?, ?>> done = new ArrayList<>();
      for (Asked<?, ?> one : asked.values()) {
        if (!done.contains(one.job())) { // by equals alone: hash codes may take long
          runJob(one.job(), asked);
          done.add(one.job());
        }
      }
      jobs++;
    } catch (Exception e) { // A cluster's own failures may be checked, and not declared.
      answers.clear();
      failure = e instanceof RuntimeException error ? error : new IllegalStateException(e);
    }
    notifyAll();
  }

  @SuppressWarnings("unchecked") // questions of one job are of its kind
  private <Q, A> void runJob(Function<List<Q>, List<A>> job, Map<Integer, Asked<?, ?>> asked) {
    List<Integer> own = new ArrayList<>();
    List<Q> questions = new ArrayList<>();
    asked.forEach(
        (chain, one) -> {
          if (one.job().equals(job)) {
            own.add(chain);
            questions.add((Q) one.question());
          }
        });
    List<A> all = job.apply(questions);
    for (int i = 0; i < own.size(); i++) {
      answers.put(own.get(i), all.get(i));
    }
  }

  private void checkFailure() {
    if (failure != null) {
      throw new IllegalStateException("a job or another chain has failed", failure);
    }
  }
}
