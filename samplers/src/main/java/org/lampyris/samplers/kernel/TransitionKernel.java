package org.lampyris.samplers.kernel;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * A Markov kernel with the posterior as its invariant distribution, θ-update and all else that an
 * iteration of an algorithm does.
 */
public interface TransitionKernel {

  /**
   * Where a step led to.
   *
   * @param point where the chain is now; its log-density is known
   * @param info what the step did
   */
  record Transition(Point point, StepInfo info) {}

  /**
   * Begins the chain at a starting point.
   *
   * @param theta the starting point. Not modified.
   * @return the starting point, and what it cost to begin there
   */
  Transition init(double[] theta);

  /**
   * Makes one iteration.
   *
   * @param point where the chain is
   * @param iteration the iteration, from 1, which keys random streams
   * @param kernel the θ-kernel, with its present step size
   * @param rng the stream of this iteration's θ-update
   */
  Transition step(Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng);
}
