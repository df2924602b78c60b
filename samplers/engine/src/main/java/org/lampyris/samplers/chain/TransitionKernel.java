package org.lampyris.samplers.chain;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;

/**
 * A Markov kernel with the posterior as its invariant distribution, θ-update and all else that an
 * iteration of an algorithm does. It keeps nothing between two steps: stepping twice from one state
 * gives the same result.
 *
 * @param <S> the state: all that the next step needs, what the rows carry included
 */
public interface TransitionKernel<S extends SamplerState> {
  /**
   * Result of a step: the state, with the log-density of its point, and the step's figures.
   *
   * <p>An algorithm that does not evaluate the posterior gives its points another number, such as
   * the prior's log-density: see {@code SamplingAlgorithm.knowsLogPosterior}.
   */
  record Transition<S>(S state, StepInfo info) {}

  /**
   * Returns whether θ-kernels move under the density that the chain samples, so that its draws show
   * a suitable shape.
   */
  default boolean showsShape() {
    return false;
  }

  /**
   * Starts the chain at a starting point, which is not modified, and returns its cost.
   *
   * <p>No random numbers are at hand: what else the state draws is fixed here, or drawn by the
   * first step.
   */
  Transition<S> init(double[] theta);

  /**
   * Returns the state of which a checkpoint holds {@link SamplerState#stored}: this itself, if a
   * state is stored as it is.
   */
  @SuppressWarnings("unchecked") // as it was stored
  default S restored(SamplerState stored) {
    return (S) stored;
  }

  /**
   * Makes one iteration.
   *
   * @param state where the chain is. Not modified.
   * @param iteration the iteration, from 1, which keys random streams
   * @param kernel the θ-kernel, with its present step size
   * @param rng the stream of this iteration's θ-update
   * @throws org.lampyris.samplers.rows.PoolExhaustedException if rows are needed that were not
   *     carried to the chain; the iteration can be made again where they are
   */
  Transition<S> step(S state, long iteration, ThetaKernel kernel, UniformRandomProvider rng);
}
