package org.lampyris.samplers.chain;

import java.io.Serializable;
import org.lampyris.samplers.kernel.DualAveraging;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.Shaping;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Streams;
import org.lampyris.samplers.rows.PoolExhaustedException;

/**
 * Runs one chain: a warm-up in which the step size adapts, then the draws with the step size
 * frozen. The same for every algorithm and wherever the rows are.
 */
public record ChainRunner(Length length, Streams streams, Observer observer) {
  /**
   * Length of a chain.
   *
   * @param warmup iterations before the first kept draw, in which the step size adapts
   * @param draws how many draws are kept
   * @param thin how many iterations are made for each kept draw
   * @param targetAcceptance the mean acceptance probability that the warm-up adapts the step size
   *     to, in (0, 1); for a kernel without rejection, of what it is tuned by
   */
  public record Length(int warmup, int draws, int thin, double targetAcceptance)
      implements Serializable {

    public Length {
      if (warmup < 0 || draws < 1 || thin < 1) {
        throw new IllegalArgumentException(warmup + " + " + draws + " × " + thin);
      }
    }

    /** Returns the total number of iterations. */
    public long iterations() {
      return warmup + (long) draws * thin;
    }
  }

  /** Returns a copy without an observer. */
  public ChainRunner silent() {
    return new ChainRunner(length, streams, (chain, iteration, info) -> {});
  }

  /** Observer of every iteration, called from the thread of the chain. */
  @FunctionalInterface
  public interface Observer {
    /** An iteration of a chain is over, both numbered from 1. */
    void iteration(int chain, long iteration, StepInfo info);

    /**
     * Reports that a chain made an iteration of a segment by a job: its trace since the segment
     * began, which the observer receives when the segment ends.
     */
    default void within(ChainTrace segment) {}
  }

  /** Runs a chain, numbered from 1, to its end: {@link #begin}, then {@link #advance}. */
  public <S extends SamplerState> ChainTrace run(
      int chain, TransitionKernel<S> transition, ThetaKernel thetaKernel, double[] start) {
    ChainTrace trace = new ChainTrace(chain);
    ChainState<S> begun = begin(trace, transition, thetaKernel, start);
    advance(begun, length.iterations(), transition, trace);
    return trace;
  }

  /**
   * Begins a chain, without an iteration.
   *
   * @param trace the chain's, to which what the start cost is added. Modified.
   * @param thetaKernel the θ-kernel with the step size to begin with
   * @param start the starting point. Not modified.
   */
  public <S extends SamplerState> ChainState<S> begin(
      ChainTrace trace, TransitionKernel<S> transition, ThetaKernel thetaKernel, double[] start) {
    TransitionKernel.Transition<S> begun = transition.init(thetaKernel.start(start));
    trace.begin(begun.info().likelihoodEvaluations(), thetaKernel.stepSize());
    DualAveraging adaptation =
        DualAveraging.start(
            thetaKernel.stepSize(), length.targetAcceptance(), thetaKernel.largestStepSize());
    Shaping shaping =
        transition.showsShape() ? Shaping.of(thetaKernel, length.warmup()).orElse(null) : null;
    return new ChainState<>(trace.chain(), 0, begun.state(), thetaKernel, adaptation, shaping);
  }

  /**
   * Makes further iterations.
   *
   * @param to the last iteration to make, at most {@code length().iterations()}
   * @param trace what the iterations leave behind is added to it. Modified.
   * @return where the chain is afterwards: at {@code to}, or before an iteration that needs rows
   *     which were not carried to the chain
   * @throws IllegalStateException if the thread is interrupted between two iterations
   */
  public <S extends SamplerState> ChainState<S> advance(
      ChainState<S> from, long to, TransitionKernel<S> transition, ChainTrace trace) {
    ChainState<S> now = from;
    try {
      while (now.iteration() < to) {
        now = step(now, transition, trace);
      }
    } catch (PoolExhaustedException e) {
      // The iteration has left nothing behind; it is made again, by whoever has all rows at hand.
    }
    trace.freeze(now.kernel().stepSize());
    return now;
  }

  private <S extends SamplerState> ChainState<S> step(
      ChainState<S> from, TransitionKernel<S> transition, ChainTrace trace) {
    int chain = from.chain();
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("chain " + chain + " was interrupted");
    }
    long i = from.iteration() + 1;
    ThetaKernel kernel = from.kernel();
    DualAveraging adaptation = from.adaptation();
    Shaping shaping = from.shaping();
    long begin = System.nanoTime();
    TransitionKernel.Transition<S> next =
        transition.step(from.state(), i, kernel, streams.iteration(chain, i));
    ChainTrace.Iteration done =
        new ChainTrace.Iteration(next.info(), 1e-9 * (System.nanoTime() - begin));
    if (i <= length.warmup()) {
      trace.addWarmup(done);
      double tuning = next.info().tuning();
      adaptation = Double.isNaN(tuning) ? adaptation : adaptation.update(tuning);
      if (shaping != null) {
        double[] before = shaping.stretch();
        shaping = shaping.after(i, next.state().point().theta());
        if (shaping.stretch() != before) {
          kernel = kernel.withShape(shaping.shape());
          adaptation = adaptation.again();
        }
      }
      boolean last = i == length.warmup();
      kernel = kernel.withStepSize(last ? adaptation.adaptedStepSize() : adaptation.stepSize());
    } else if ((i - length.warmup()) % length.thin() == 0) {
      Point point = next.state().point();
      trace.add(point.theta(), point.logDensity(), done);
    } else {
      trace.addBetween(done);
    }
    observer.iteration(chain, i, next.info());
    return new ChainState<>(chain, i, next.state(), kernel, adaptation, shaping);
  }
}
