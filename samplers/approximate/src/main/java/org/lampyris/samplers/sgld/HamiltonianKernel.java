package org.lampyris.samplers.sgld;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.random.Noise;

/**
 * Stochastic gradient Hamiltonian Monte Carlo with the friction α: with a minibatch of m rows,
 *
 * <pre>θ ← θ + Lv, v ← (1 − α)v + ε/2·Lᵀg(θ) + √(αε)·z, z ~ N(0, I).</pre>
 *
 * <p>No proposal is rejected. The gradient's noise is not subtracted from the friction's (β̂ = 0),
 * so draws have a bias that grows with the step, and with the gradient's noise over α. On a normal
 * target with covariance LLᵀ and noise of variance V in its units, each variance is
 *
 * <pre>(1 + εV/(4α)) / (1 − ε/(4(2 − α))).</pre>
 *
 * <p>α = 1 is {@link LangevinKernel}, with moves made one iteration later. Moves are reflected at
 * the edges of the support.
 *
 * <p>Source: Chen, Fox and Guestrin (2014), equation 15, with η = ε/2 and their α; the variance is
 * derived here, from the covariance of (θ, v) that a step does not change.
 */
record HamiltonianKernel(
    BatchGradient gradient, BatchRows rows, LangevinAlgorithm.Settings settings)
    implements TransitionKernel<HamiltonianKernel.State> {
  /**
   * State of a chain.
   *
   * @param velocity v, in the coordinates of the preconditioner; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record State(Point point, double[] velocity) implements SamplerState {}

  @Override
  public Transition<State> init(double[] theta) {
    Point point = new Point(theta, gradient.prior().logDensity(theta));
    return new Transition<>(new State(point, new double[theta.length]), new StepInfo(1, 0, false));
  }

  @Override
  public Transition<State> step(
      State state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    Preconditioner shape = LangevinKernel.step(kernel, settings, iteration).preconditioner();
    double epsilon = settings.stepAt(iteration);
    double friction = settings.friction();
    double[] theta = state.point().theta().clone();
    double[] velocity = state.velocity.clone();
    shape.move(velocity, 1, theta);
    double[] slope = shape.transposed(gradient.at(theta, iteration, rows));
    Noise noise = Noise.of(rng);
    for (int j = 0; j < velocity.length; j++) {
      velocity[j] =
          (1 - friction) * velocity[j]
              + 0.5 * epsilon * slope[j]
              + Math.sqrt(friction * epsilon) * noise.normal();
    }
    Point point = new Point(theta, gradient.prior().logDensity(theta));
    return new Transition<>(
        new State(point, velocity), new StepInfo(1, gradient.evaluations(rows), false));
  }
}
