package org.lampyris.samplers.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lampyris.samplers.kernel.SamplerState;

/**
 * Chains that go on in segments. If a chain's pools are too small for an iteration, its segment
 * ends there, jobs make that iteration, and the chain continues from the next one.
 */
public final class SegmentedChains<S extends SamplerState> implements AutoCloseable {
  private final Segments<S> segments;
  private final ChainRunner.Observer observer;
  private final ChainRunner runner;
  private final List<ChainState<S>> states;
  private final IntFunction<TransitionKernel<S>> allRows;
  private final Predicate<? super S> needsAllRows;
  private long iterationsByJobs;

  /**
   * Takes the chains.
   *
   * @param segments runs segments; closed with this
   * @param allRows the kernel of a chain that asks all rows by jobs, for the iterations that pools
   *     do not suffice for
   * @param needsAllRows whether a chain that has come there needs all rows for its next iteration
   */
  public SegmentedChains(
      Segments<S> segments,
      ChainRunner runner,
      List<ChainState<S>> states,
      IntFunction<TransitionKernel<S>> allRows,
      Predicate<? super S> needsAllRows) {
    this.segments = segments;
    this.observer = runner.observer();
    this.runner = runner.silent();
    this.states = new ArrayList<>(states);
    this.allRows = allRows;
    this.needsAllRows = needsAllRows;
  }

  /**
   * Runs iterations of every chain, and returns their traces; {@code following} ones will be asked
   * for next, 0 if none.
   */
  public List<ChainTrace> run(int iterations, int following) {
    long begun = states.get(0).iteration();
    long end = begun + iterations;
    int chains = states.size();
    List<ChainTrace> traces = new ArrayList<>();
    for (ChainState<S> state : states) {
      traces.add(new ChainTrace(state.chain()));
    }
    Segments.Request next =
        following == 0 ? null : Segments.Request.together(chains, end + 1, following);
    Segments.@Nullable Request request = Segments.Request.together(chains, begun + 1, iterations);
    while (request != null) {
      List<Segments.Segment<S>> after = segments.run(states, request, next);
      for (int c = 0; c < chains; c++) {
        states.set(c, after.get(c).state());
        traces.get(c).append(after.get(c).trace());
        boolean needed = states.get(c).iteration() < end;
        while (needed) {
          oneIterationByJobs(c, traces.get(c));
          ChainState<S> now = states.get(c);
          needed = now.iteration() < end && needsAllRows.test(now.state());
        }
      }
      request = Segments.Request.upTo(states, end);
    }
    return traces;
  }

  private void oneIterationByJobs(int c, ChainTrace trace) {
    ChainState<S> state = states.get(c);
    TransitionKernel<S> kernel = allRows.apply(state.chain());
    states.set(c, runner.advance(state, state.iteration() + 1, kernel, trace));
    iterationsByJobs++;
    observer.within(trace);
  }

  /** Returns the states of the chains, all at the same iteration, in order. */
  public List<ChainState<?>> states() {
    return List.copyOf(states);
  }

  /** Returns how many jobs were run. */
  public long jobs() {
    return segments.jobs() + iterationsByJobs;
  }

  @Override
  public void close() {
    segments.close();
  }
}
