package org.lampyris.samplers.kernel;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.density.LogDensity;

/**
 * A Markov kernel on θ that leaves a given log-density invariant. Immutable: adaptation makes new
 * kernels.
 */
public interface ThetaKernel {

  /**
   * What a step led to.
   *
   * @param point where the chain is now; its log-density is known
   * @param acceptanceProbability with which the proposal was accepted, in [0, 1]
   * @param divergent true if a trajectory was abandoned because its energy error was too large
   */
  record Step(Point point, double acceptanceProbability, boolean divergent) {}

  /**
   * Makes one step.
   *
   * @param target the log-density
   * @param point where the chain is; evaluated first if its log-density is not known
   * @param rng the stream of this step
   */
  Step step(LogDensity target, Point point, UniformRandomProvider rng);

  /** Returns the step size ε. */
  double stepSize();

  /** Returns this kernel with another step size. */
  ThetaKernel withStepSize(double stepSize);

  /** Returns the mean acceptance probability that adaptation should aim for. */
  double targetAcceptance();
}
