package org.lampyris.samplers.sgld;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;
import org.lampyris.samplers.random.Noise;

/**
 * Stochastic gradient Langevin dynamics: with a minibatch of m rows drawn without replacement,
 *
 * <pre>θ ← θ + ε/2·LLᵀ g(θ) + √ε·Lz, z ~ N(0, I),</pre>
 *
 * <p>where {@link BatchGradient} is g. No proposal is ever rejected: the draws have a bias, which
 * grows with the step and with the gradient's noise. Moves are reflected at the edges of the
 * support.
 *
 * <p>Source: Welling and Teh (2011), equation 4.
 *
 * @param rows the rows as this chain sees them
 * @param settings ε_k
 */
record LangevinKernel(BatchGradient gradient, BatchRows rows, LangevinAlgorithm.Settings settings)
    implements TransitionKernel<Point> {
  /** Returns the step of an iteration. */
  static Mala step(ThetaKernel kernel, LangevinAlgorithm.Settings settings, long iteration) {
    if (kernel instanceof Mala mala) {
      return mala.withStepSize(Math.sqrt(settings.stepAt(iteration)));
    }
    throw withoutMala();
  }

  static UserException withoutMala() {
    return UserException.usage(
        "sampler.algorithm: sgld takes Langevin steps without a kernel. Remove sampler.kernel.");
  }

  @Override
  public Transition<Point> init(double[] theta) {
    return new Transition<>(point(theta), new StepInfo(1, 0, false));
  }

  private Point point(double[] theta) {
    return new Point(theta, gradient.prior().logDensity(theta));
  }

  @Override
  public Transition<Point> step(
      Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    double[] theta = point.theta();
    double[] slope = gradient.at(theta, iteration, rows);
    Mala step = step(kernel, settings, iteration);
    double[] next = step.propose(theta, slope, Noise.of(rng)).theta();
    return new Transition<>(point(next), new StepInfo(1, gradient.evaluations(rows), false));
  }
}
