package org.lampyris.samplers.chain;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.adaptation.DualAveraging;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.StepInfo;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.TransitionKernel;
import org.lampyris.samplers.random.Streams;

/**
 * Runs one chain: a warm-up in which the step size adapts, then the draws with the step size
 * frozen. The same for every algorithm and wherever the rows are.
 *
 * @param length how long the chain is
 * @param streams the random streams of the run
 * @param observer told of every iteration
 */
public record ChainRunner(Length length, Streams streams, Observer observer) {

  /**
   * How long a chain is.
   *
   * @param warmup iterations before the first kept draw, in which the step size adapts
   * @param draws how many draws are kept
   * @param thin how many iterations are made for each kept draw
   * @param targetAcceptance the mean acceptance probability that the warm-up adapts the step size
   *     to, in (0, 1); for a kernel without rejection, of what it is tuned by
   */
  public record Length(int warmup, int draws, int thin, double targetAcceptance)
      implements Serializable {

    /** Checks the numbers. */
    public Length {
      if (warmup < 0 || draws < 1 || thin < 1) {
        throw new IllegalArgumentException(warmup + " + " + draws + " × " + thin);
      }
    }

    /** Returns how many iterations there are in all. */
    public long iterations() {
      return warmup + (long) draws * thin;
    }
  }

  /** Told of every iteration, from the thread of the chain. */
  @FunctionalInterface
  public interface Observer {
    /**
     * An iteration is over.
     *
     * @param chain the chain's number
     * @param iteration the iteration, from 1
     * @param info what it did
     */
    void iteration(int chain, long iteration, StepInfo info);
  }

  /**
   * Runs a chain to its end.
   *
   * @param chain the chain's number, from 1
   * @param transition the algorithm, for this chain
   * @param thetaKernel the θ-kernel with the step size to begin with
   * @param start the starting point. Not modified.
   * @throws IllegalStateException if the thread is interrupted between two iterations
   */
  public ChainTrace run(
      int chain, TransitionKernel transition, ThetaKernel thetaKernel, double[] start) {
    ChainTrace trace = new ChainTrace(chain);
    ChainState begun = begin(trace, transition, thetaKernel, start);
    advance(begun, length.iterations(), transition, trace);
    return trace;
  }

  /**
   * Begins a chain, without an iteration.
   *
   * @param trace the chain's, to which what the start cost is added. Modified.
   * @param transition the algorithm, for this chain
   * @param thetaKernel the θ-kernel with the step size to begin with
   * @param start the starting point. Not modified.
   */
  public ChainState begin(
      ChainTrace trace, TransitionKernel transition, ThetaKernel thetaKernel, double[] start) {
    TransitionKernel.Transition begun = transition.init(start);
    trace.begin(begun.info().likelihoodEvaluations());
    trace.freeze(thetaKernel.stepSize());
    DualAveraging adaptation =
        DualAveraging.start(
            thetaKernel.stepSize(), length.targetAcceptance(), thetaKernel.largestStepSize());
    return new ChainState(trace.chain(), 0, begun.point(), thetaKernel, adaptation);
  }

  /**
   * Makes further iterations.
   *
   * @param from where the chain is
   * @param to the last iteration to make, at most {@code length().iterations()}
   * @param transition the algorithm, for this chain
   * @param trace what the iterations leave behind is added to it. Modified.
   * @return where the chain is afterwards
   * @throws IllegalStateException if the thread is interrupted between two iterations
   */
  public ChainState advance(
      ChainState from, long to, TransitionKernel transition, ChainTrace trace) {
    int chain = from.chain();
    Point point = from.point();
    ThetaKernel kernel = from.kernel();
    DualAveraging adaptation = from.adaptation();
    for (long i = from.iteration() + 1; i <= to; i++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("chain " + chain + " was interrupted");
      }
      long begin = System.nanoTime();
      UniformRandomProvider rng = streams.iteration(chain, i);
      TransitionKernel.Transition next = transition.step(point, i, kernel, rng);
      point = next.point();
      ChainTrace.Iteration done =
          new ChainTrace.Iteration(next.info(), 1e-9 * (System.nanoTime() - begin));
      if (i <= length.warmup()) {
        trace.addWarmup(done);
        adaptation = adaptation.update(next.info().tuning());
        boolean last = i == length.warmup();
        kernel = kernel.withStepSize(last ? adaptation.adaptedStepSize() : adaptation.stepSize());
      } else if ((i - length.warmup()) % length.thin() == 0) {
        trace.add(point.theta(), point.logDensity(), done);
      } else {
        trace.addBetween(done);
      }
      observer.iteration(chain, i, next.info());
    }
    trace.freeze(kernel.stepSize());
    return new ChainState(chain, Math.max(to, from.iteration()), point, kernel, adaptation);
  }
}
