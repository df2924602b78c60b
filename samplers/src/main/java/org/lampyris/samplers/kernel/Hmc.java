package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.density.Point;

/**
 * Hamiltonian Monte Carlo: a standard normal momentum, a trajectory of leapfrog steps in the
 * coordinates u = L⁻¹θ, and its end accepted with probability min(1, exp(H − H')).
 *
 * <p>The number of steps is drawn for each trajectory uniformly from {⌈L/2⌉, …, ⌊3L/2⌋}, so that
 * none is periodic. L is given, or the one whose trajectories take the time {@value #TIME}, L = T/ε
 * rounded, at least 1 and at most {@value #MOST_STEPS}. In the time π/2 a trajectory of a standard
 * normal target forgets where it began, and in π it is at the opposite point. Of 28 tables of 16 to
 * 900 rows ({@code docs/kernels.md}) those of 2 steps of about 0.9 had 4.4 times the effective
 * draws a gradient of those of 8, by the smaller one of bulk and tail; where steps are shorter, the
 * same time is best.
 *
 * <p>A trajectory whose energies come to differ by more than {@value #LARGEST_ENERGY_RANGE}, or
 * that overflows, is abandoned, and its end rejected: divergent. That goes by the range of the
 * energies and not by their distance from the first one, because the way back has the same range,
 * which keeps the kernel exact. A trajectory that meets a point of density 0 is abandoned too, for
 * the way back meets it as well; but it has left the support (a ball, say), which says nothing of
 * the step size, and is not called divergent.
 *
 * <p>As many gradients as steps, one after the other, and one before them where the current point's
 * is not known. Source: Duane, Kennedy, Pendleton and Roweth (1987); Neal (2011), sections 5.3.2
 * and 5.4.2.2 for the random number of steps.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 * @param leapfrogSteps L, the mean number of leapfrog steps; {@value #BY_TIME} for T/ε
 */
public record Hmc(Preconditioner preconditioner, double stepSize, int leapfrogSteps)
    implements ThetaKernel {

  /** Instead of a number of leapfrog steps: as many as take the time {@value #TIME}. */
  public static final int BY_TIME = 0;

  /** T. */
  private static final double TIME = 1.75;

  /** Where steps are short, as they are when warm-up begins far off, trajectories are shorter. */
  private static final int MOST_STEPS = 32;

  /** L for steps in coordinates that nothing has made alike, whose time nobody knows. */
  private static final int UNSHAPED_STEPS = 8;

  /** Effective draws of an iteration: a rule of thumb. */
  public static final double EFFECTIVE_DRAWS = 0.5;

  /** How far the energies of a trajectory may be apart, as in Stan. */
  static final double LARGEST_ENERGY_RANGE = 1000;

  /** Checks the step size and the number of steps. */
  public Hmc {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
    if (leapfrogSteps < 1 && leapfrogSteps != BY_TIME) {
      throw new IllegalArgumentException(leapfrogSteps + " leapfrog steps");
    }
  }

  /** Returns a step size to begin with on a normal target of covariance LLᵀ: 1.4/d^¼. */
  public static double optimalStepSize(int dimension) {
    return 1.4 / Math.pow(dimension, 0.25);
  }

  /** Returns L. */
  public int meanSteps() {
    return leapfrogSteps == BY_TIME ? stepsInTime(stepSize) : leapfrogSteps;
  }

  private static int stepsInTime(double stepSize) {
    return (int) Math.max(1, Math.min(MOST_STEPS, Math.round(TIME / stepSize)));
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    Point current = point.withGradient(target);
    Leapfrog leapfrog = new Leapfrog(target, preconditioner, stepSize);
    int mean = meanSteps();
    int least = (mean + 1) / 2;
    int steps = least + noise.index(mean + mean / 2 - least + 1);
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

  /**
   * The section {@code sampler.hmc}.
   *
   * @param leapfrogSteps the mean number of leapfrog steps of a trajectory; null for as many as
   *     take their time
   */
  public record Settings(@Nullable Integer leapfrogSteps) implements Serializable {
    /** Returns about how many gradients an iteration has, of a target that L makes normal. */
    public int usualGradients(int dimension) {
      return leapfrogSteps == null ? stepsInTime(optimalStepSize(dimension)) : leapfrogSteps;
    }

    private int steps(boolean shaped) {
      return leapfrogSteps != null ? leapfrogSteps : shaped ? BY_TIME : UNSHAPED_STEPS;
    }
  }

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
                  new Settings(steps(section.whole("leapfrog_steps", 1, 1_000_000)))));
    }

    private static @Nullable Integer steps(@Nullable Long given) {
      return given == null ? null : given.intValue();
    }

    @Override
    public ThetaKernel create(Setting setting) {
      double size = setting.stepSize(optimalStepSize(setting.dimension()));
      int steps = setting.own().of(Settings.class).steps(setting.shaped());
      return new Hmc(setting.shape(), size, steps);
    }
  }
}
