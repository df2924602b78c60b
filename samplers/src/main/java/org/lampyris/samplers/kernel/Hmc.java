package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.List;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.density.Point;

/**
 * Hamiltonian Monte Carlo: a standard normal momentum, a trajectory of leapfrog steps in the
 * coordinates u = L⁻¹θ, and its end accepted with probability min(1, exp(H − H')).
 *
 * <p>The number of steps is drawn for each trajectory uniformly from {⌈L/2⌉, …, ⌊3L/2⌋}, so that
 * none is periodic. A trajectory whose energies come to differ by more than {@value
 * #LARGEST_ENERGY_RANGE}, or that overflows, is abandoned, and its end rejected: divergent. That
 * goes by the range of the energies and not by their distance from the first one, because the way
 * back has the same range, which keeps the kernel exact. A trajectory that meets a point of density
 * 0 is abandoned too, for the way back meets it as well; but it has left the support (a ball, say),
 * which says nothing of the step size, and is not called divergent.
 *
 * <p>As many gradients as steps, one after the other, and one before them where the current point's
 * is not known. Source: Duane, Kennedy, Pendleton and Roweth (1987); Neal (2011), sections 5.3.2
 * and 5.4.2.2 for the random number of steps.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 * @param leapfrogSteps the mean number of leapfrog steps, at least 1
 */
public record Hmc(Preconditioner preconditioner, double stepSize, int leapfrogSteps)
    implements ThetaKernel {

  /** Effective draws of an iteration: a rule of thumb. */
  public static final double EFFECTIVE_DRAWS = 0.8;

  /** How far the energies of a trajectory may be apart, as in Stan. */
  static final double LARGEST_ENERGY_RANGE = 1000;

  /** Checks the step size and the number of steps. */
  public Hmc {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
    if (leapfrogSteps < 1) {
      throw new IllegalArgumentException(leapfrogSteps + " leapfrog steps");
    }
  }

  /** Returns a step size to begin with on a normal target of covariance LLᵀ: 1.4/d^¼. */
  public static double optimalStepSize(int dimension) {
    return 1.4 / Math.pow(dimension, 0.25);
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    Point current = point.withGradient(target);
    Leapfrog leapfrog = new Leapfrog(target, preconditioner, stepSize);
    int least = (leapfrogSteps + 1) / 2;
    int steps = least + noise.index(leapfrogSteps + leapfrogSteps / 2 - least + 1);
    Leapfrog.State state = leapfrog.begin(current, noise.normals(current.theta().length));
    double begin = state.energy();
    double low = begin;
    double high = begin;
    for (int i = 0; i < steps; i++) {
      state = leapfrog.step(state);
      double energy = state.energy();
      low = Math.min(low, energy);
      high = Math.max(high, energy);
      // From a start of density 0, H = +∞, any trajectory may go on; NaN is caught, too.
      if (begin < Double.POSITIVE_INFINITY && !(high - low <= LARGEST_ENERGY_RANGE)) {
        return new Step(current, 0, !state.isBeyondTheSupport());
      }
    }
    double probability = Metropolis.acceptanceProbability(-begin, -state.energy());
    return new Step(noise.flip(probability) ? state.point() : current, probability, false);
  }

  @Override
  public Hmc withStepSize(double size) {
    return new Hmc(preconditioner, Math.min(size, preconditioner.largestStepSize()), leapfrogSteps);
  }

  /** The mean acceptance probability that adaptation aims for. */
  @Override
  public double targetAcceptance() {
    return 0.8;
  }

  /** The section {@code sampler.hmc}: the mean number of leapfrog steps of a trajectory. */
  public record Settings(int leapfrogSteps) implements Serializable {}

  /** {@code sampler.kernel: hmc}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("hmc", true);
    }

    @Override
    public List<OwnSection<?>> sections() {
      return List.of(
          new OwnSection<>(
              "hmc",
              Settings.class,
              (section, defaults) ->
                  new Settings(section.whole("leapfrog_steps", 8, 1, 1_000_000))));
    }

    @Override
    public ThetaKernel create(Setting setting) {
      double size = setting.stepSize(optimalStepSize(setting.dimension()));
      return new Hmc(setting.shape(), size, setting.own().of(Settings.class).leapfrogSteps());
    }
  }
}
