package org.lampyris.samplers.langevin;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.kernel.Mala;
import org.lampyris.samplers.kernel.Noise;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.minibatch.BatchGradient;
import org.lampyris.samplers.minibatch.BatchRows;

/**
 * Stochastic gradient Langevin dynamics: with a minibatch of m rows drawn without replacement,
 *
 * <pre>θ ← θ + ε/2·LLᵀ g(θ) + √ε·Lz, z ~ N(0, I),
 * g(θ) = ∇ log p(θ) + N/m Σ ∇ℓ_n(θ),</pre>
 *
 * <p>or, with the gradients at the mode for control variates, g(θ) = ∇ log p(θ) + Σ_n ∇ℓ_n(θ̂) +
 * N/m Σ [∇ℓ_n(θ) − ∇ℓ_n(θ̂)], whose noise vanishes at the mode. No proposal is ever rejected: the
 * draws are those of another distribution, the further away the longer the step and the noisier the
 * gradient. Moves are reflected at the edges of the support.
 *
 * <p>Source: Welling and Teh (2011), equation 4; Baker, Fearnhead, Fox and Nemeth (2019), section
 * 3, for control variates.
 *
 * @param prior p(θ)
 * @param rows the rows as this chain sees them
 * @param settings m and ε_k
 * @param mode θ̂ and Σ_n ∇ℓ_n(θ̂)
 */
record LangevinKernel(
    Model model, Prior prior, BatchRows rows, LangevinSettings settings, Mode mode)
    implements TransitionKernel<Point> {
  /** Where the control variates are: θ̂, and the gradient of the log-likelihood there. */
  record Mode(double[] theta, double[] gradient) implements Serializable {}

  @Override
  public Transition<Point> init(double[] theta) {
    return new Transition<>(point(theta), new StepInfo(1, 0, false));
  }

  private Point point(double[] theta) {
    return new Point(theta, prior.logDensity(theta));
  }

  @Override
  public Transition<Point> step(
      Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    if (!(kernel instanceof Mala mala)) {
      throw UserException.usage(
          "sampler.algorithm: sgld makes the steps of MALA, without its test; leave"
              + " sampler.kernel out.");
    }
    double[] theta = point.theta();
    double[] gradient = gradient(theta, iteration);
    Mala step = mala.withStepSize(Math.sqrt(settings.stepAt(iteration)));
    double[] next = step.propose(theta, gradient, Noise.of(rng)).theta();
    long looked = Math.min(settings.batch(), rows.rows());
    long evaluations = settings.controlVariates() ? 2 * looked : looked;
    return new Transition<>(point(next), new StepInfo(1, evaluations, false));
  }

  private double[] gradient(double[] theta, long iteration) {
    long m = Math.min(settings.batch(), rows.rows());
    BatchGradient term =
        settings.controlVariates()
            ? new BatchGradient(model, theta, mode.theta)
            : new BatchGradient(model, theta);
    double[] sum = rows.sum(iteration, 0, m, term);
    double scale = (double) rows.rows() / m;
    Arrays.setAll(sum, j -> scale * sum[j] + mode.gradient[j]);
    prior.addGradient(theta, sum);
    return sum;
  }
}
