package org.lampyris.samplers.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the questions of several chains, each on a thread of its own, and has them answered by
 * one job: a job starts when every chain that is still running waits for an answer.
 *
 * <p>The thread that asks last runs the job. An error of a job, or a chain that {@linkplain #fail
 * gives up}, reaches every chain, so that none waits for ever.
 */
public final class QuestionBatcher<Q, A> {
  private final Function<List<Q>, List<A>> job;
  private final Map<Integer, Q> waiting = new TreeMap<>();
  private final Map<Integer, A> answers = new TreeMap<>();
  private int running;
  private long jobs;
  private @Nullable RuntimeException failure;

  /**
   * Begins with all chains running. A job answers several questions, given in ascending order of
   * their chains, one answer each.
   */
  public QuestionBatcher(int chains, Function<List<Q>, List<A>> job) {
    this.running = chains;
    this.job = job;
  }

  /**
   * Asks, and waits for the answer; a chain asks one question at a time.
   *
   * @throws IllegalStateException if a job or another chain has failed, or at an interrupt
   */
  public synchronized A ask(int chain, Q question) {
    checkFailure();
    waiting.put(chain, question);
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
    return answers.remove(chain);
  }

  /** Tells that a chain has come to its end and asks no more. */
  public synchronized void leave() {
    running--;
    if (running > 0 && waiting.size() == running) {
      runJob();
    }
  }

  /** Tells that a chain cannot go on, which ends all. */
  public synchronized void fail(RuntimeException cause) {
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
    List<Integer> chains = new ArrayList<>(waiting.keySet());
    List<Q> questions = new ArrayList<>(waiting.values());
    waiting.clear();
    try {
      List<A> all = job.apply(questions);
      jobs++;
      for (int i = 0; i < chains.size(); i++) {
        answers.put(chains.get(i), all.get(i));
      }
    } catch (Exception e) { // A cluster's own failures may be checked, and not declared.
      failure = e instanceof RuntimeException error ? error : new IllegalStateException(e);
    }
    notifyAll();
  }

  private void checkFailure() {
    if (failure != null) {
      throw new IllegalStateException("a job or another chain has failed", failure);
    }
  }
}
