package org.lampyris.samplers.kernel;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.OwnSection;
import org.lampyris.samplers.random.Noise;

/**
 * Hamiltonian Monte Carlo: a standard normal momentum, a trajectory of {@link Leapfrog} steps in
 * the coordinates u = L⁻¹θ, and its end accepted with probability min(1, exp(H − H')).
 *
 * <p>So that none is periodic, trajectories are not of one length. If the number of steps L is
 * given, each trajectory's number is drawn uniformly from {⌈L/2⌉, …, ⌊3L/2⌋}. Otherwise they take
 * the time {@value #TIME}, in L = T/ε steps, rounded, at least 1 and at most {@value #MOST_STEPS},
 * with a spread of {@value #JITTER} of it, by the step size. In the time π/2 a trajectory of a
 * standard normal target forgets its start, in u and u² alike; in π it reaches the opposite point,
 * equally far out. With random numbers of steps, 36 tables of 12 to 53,940 rows ({@code
 * docs/kernels.md}) had 0.83 times the effective draws a gradient, by the smaller of bulk and tail.
 * For 28 of them, trajectories of 8 steps had a quarter.
 *
 * <p>{@linkplain #about About the mode} of a normal approximation a step gets wrong only what the
 * target differs from that by: on a normal target of covariance LLᵀ, nothing. Unless L is given,
 * trajectories then take a quarter of a turn in one step, where steps are as long as that,
 * otherwise {@value #LONGER_TIME} in ⌈T/ε⌉ steps. The longer time is for targets that correlate
 * successive trajectories, as Firefly's brightness does: it ends opposite its start rather than
 * beside it. One trajectory in eight uses leapfrog steps regardless. Far out, if a target falls off
 * more slowly than its normal approximation, a turning step's energy is off by about ε²|u|²/24, and
 * only straight steps lead back.
 *
 * <p>Firefly's target changes with the brightness from one iteration to the next, and where bounds
 * are loose it is the narrower the fewer rows are bright: steps that suit most of its targets may
 * be far too long for some, where the chain would stand still. So, about a mode, if the end of a
 * trajectory has a probability below {@value #HOPELESS} and is rejected, a second one begins with
 * the same momentum, in steps of ε divided by 2, 4, 8 or 16, drawn evenly, for the same time or
 * {@value #MOST_STEPS} steps. Delayed rejection keeps that exact: see {@link #retried}. Source:
 * Modi, Barnett and Carpenter (2024), section 3; Tierney and Mira (1999).
 *
 * <p>A trajectory whose energies come to differ by more than {@value #LARGEST_ENERGY_RANGE}, or
 * that overflows, is abandoned, and its end rejected: divergent. The criterion is the range of the
 * energies, not their distance from the first one, because the reverse trajectory has the same
 * range, which keeps the kernel exact. A trajectory that meets a point of density 0 is also
 * abandoned, because its reverse meets it as well. It has left the support (a ball, say), which
 * does not depend on the step size, so it is not called divergent.
 *
 * <p>As many gradients as steps, one after the other, and one before them where the current point's
 * is not known. Source: Duane, Kennedy, Pendleton and Roweth (1987); Neal (2011), sections 5.3.2
 * and 5.4.2.2 for what is drawn of a trajectory's length; Shahbaba, Lan, Johnson and Neal (2014)
 * for the mode.
 *
 * @param preconditioner L
 * @param mode the mode of a normal approximation of covariance LLᵀ, copied; null for none
 * @param stepSize ε, above 0; with a mode at most π/2
 * @param leapfrogSteps L, the mean number of leapfrog steps; {@value #BY_TIME} for as many as take
 *     the time
 */
public record Hmc(
    Preconditioner preconditioner, double @Nullable [] mode, double stepSize, int leapfrogSteps)
    implements ThetaKernel {

  /** Instead of a number of leapfrog steps: as many as take the time. */
  public static final int BY_TIME = 0;

  /** T. */
  private static final double TIME = 1.75;

  /** Time T about a mode if steps are shorter than {@link #QUARTER}. */
  private static final double LONGER_TIME = 1.9;

  /** A quarter of a turn: about a mode no step is longer. */
  private static final double QUARTER = Math.PI / 2;

  /** Largest relative change of a trajectory's time. */
  private static final double JITTER = 0.1;

  /** Share of leapfrog trajectories when a mode is known. */
  private static final double STRAIGHT = 0.125;

  /**
   * Largest number of steps, which shortens trajectories if steps are short, as at the start of a
   * distant warm-up.
   */
  private static final int MOST_STEPS = 32;

  /** L for steps in unscaled coordinates, whose time is unknown. */
  private static final int UNSHAPED_STEPS = 8;

  /** Effective draws of an iteration: a rule of thumb. */
  public static final double EFFECTIVE_DRAWS = 0.5;

  /** Rounding allowance for a step size. */
  private static final double ROUNDING = 1e-9;

  /** A trajectory whose end is accepted with a smaller probability is tried with shorter steps. */
  private static final double HOPELESS = 0.01;

  /** How many shorter step sizes there are: ε/2, ε/4, … */
  private static final int SHORTER_SIZES = 4;

  /** Largest energy range of a trajectory, as in Stan. */
  static final double LARGEST_ENERGY_RANGE = 1000;

  /** Checks the step size and the number of steps. */
  public Hmc(
      Preconditioner preconditioner, double @Nullable [] mode, double stepSize, int leapfrogSteps) {
    ThetaKernel.requireStepSize(stepSize, mode == null ? Double.POSITIVE_INFINITY : QUARTER);
    if (leapfrogSteps < 1 && leapfrogSteps != BY_TIME) {
      throw new IllegalArgumentException(leapfrogSteps + " leapfrog steps");
    }
    this.preconditioner = preconditioner;
    this.mode = mode == null ? null : mode.clone();
    this.stepSize = stepSize;
    this.leapfrogSteps = leapfrogSteps;
  }

  /** A kernel that knows no mode. */
  public Hmc(Preconditioner preconditioner, double stepSize, int leapfrogSteps) {
    this(preconditioner, null, stepSize, leapfrogSteps);
  }

  /** Returns the initial step size for a normal target of covariance LLᵀ: 1.4/d^¼. */
  public static double optimalStepSize(int dimension) {
    return 1.4 / Math.pow(dimension, 0.25);
  }

  /**
   * {@inheritDoc} Trajectories turn about it, unless L is the identity, in steps of at most a
   * quarter of a turn.
   */
  @Override
  public Hmc about(double[] near) {
    return preconditioner.isIdentity()
        ? this
        : new Hmc(preconditioner, near, Math.min(stepSize, QUARTER), leapfrogSteps);
  }

  /** {@inheritDoc} Empty about a mode: trajectories turn with its approximation. */
  @Override
  public Optional<Preconditioner> shape() {
    return mode == null && preconditioner.canBeStretched()
        ? Optional.of(preconditioner)
        : Optional.empty();
  }

  @Override
  public Hmc withShape(Preconditioner shape) {
    return new Hmc(shape, mode, stepSize, leapfrogSteps);
  }

  private static int stepsInTime(double stepSize) {
    return (int) Math.max(1, Math.min(MOST_STEPS, Math.round(TIME / stepSize)));
  }

  private static int longerSteps(double stepSize) {
    return stepSize > QUARTER * (1 - ROUNDING)
        ? 1
        : (int) Math.min(MOST_STEPS, Math.ceil(LONGER_TIME / stepSize * (1 - ROUNDING)));
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    return trajectory(target, point, noise, mode != null && !noise.flip(STRAIGHT), mode != null);
  }

  /**
   * Makes a step.
   *
   * @param turns whether its trajectory turns about the mode
   * @param again whether a trajectory that fails is followed by a second one
   */
  Step trajectory(LogDensity target, Point point, Noise noise, boolean turns, boolean again) {
    Point current = point.withGradient(target);
    double size =
        mode == null || turns
            ? stepSize
            : Math.min(stepSize, optimalStepSize(current.theta().length));
    int steps;
    if (leapfrogSteps == BY_TIME) {
      steps = mode == null ? stepsInTime(size) : longerSteps(size);
      double most = mode == null ? size : LONGER_TIME / steps;
      size = Math.min(size, most) * noise.uniform(1 - JITTER, 1 + JITTER);
    } else {
      int least = (leapfrogSteps + 1) / 2;
      steps = least + noise.index(leapfrogSteps + leapfrogSteps / 2 - least + 1);
    }
    double[] about = turns ? mode : null;
    Leapfrog leapfrog = new Leapfrog(target, preconditioner, about, size);
    Leapfrog.State begin = leapfrog.begin(current, noise.normals(current.theta().length));
    Path first = Path.of(leapfrog, begin, steps);
    if (!first.abandoned() && noise.flip(first.probability())) {
      return new Step(first.end().point(), first.probability(), false);
    }
    if (!again || !first.isHopeless()) {
      return new Step(current, first.probability(), first.divergent());
    }
    int divisor = 2 << noise.index(SHORTER_SIZES);
    Path second =
        Path.of(
            new Leapfrog(target, preconditioner, about, size / divisor),
            begin,
            Math.min(MOST_STEPS, steps * divisor));
    double probability = second.abandoned() ? 0 : retried(leapfrog, steps, begin, first, second);
    boolean moves = probability > 0 && noise.flip(probability);
    return new Step(
        moves ? second.end().point() : current,
        first.probability() + (1 - first.probability()) * probability,
        first.divergent() && second.divergent(),
        first.probability());
  }

  /**
   * Returns the probability of accepting the end of a second trajectory: 0 if from there, with the
   * momentum turned, a first one would not have failed, otherwise min(1, exp(H − H'')·(1 − α')/(1 −
   * α)) with the probabilities α and α' of accepting the ends of the first ones.
   */
  private static double retried(
      Leapfrog leapfrog, int steps, Leapfrog.State begin, Path first, Path second) {
    Leapfrog.State end = second.end();
    double[] turned = end.momentum().clone();
    for (int i = 0; i < turned.length; i++) {
      turned[i] = -turned[i];
    }
    Path back = Path.of(leapfrog, leapfrog.begin(end.point(), turned), steps);
    return back.isHopeless()
        ? Metropolis.acceptanceProbability(
            -begin.energy(),
            -end.energy(),
            Math.log1p(-back.probability()) - Math.log1p(-first.probability()))
        : 0;
  }

  /**
   * A trajectory.
   *
   * @param end where it ended, or was abandoned
   * @param probability min(1, exp(H − H')); 0 if it was abandoned
   * @param divergent whether it was abandoned within the support
   */
  private record Path(
      Leapfrog.State end, double probability, boolean abandoned, boolean divergent) {

    static Path of(Leapfrog leapfrog, Leapfrog.State begin, int steps) {
      double from = begin.energy();
      double low = from;
      double high = from;
      Leapfrog.State state = begin;
      for (int i = 0; i < steps; i++) {
        state = leapfrog.step(state);
        double energy = state.energy();
        low = Math.min(low, energy);
        high = Math.max(high, energy);
        // From a start of density 0, H = +∞, any trajectory may go on; NaN is caught, too.
        if (from < Double.POSITIVE_INFINITY && !(high - low <= LARGEST_ENERGY_RANGE)) {
          return new Path(state, 0, true, !state.isBeyondTheSupport());
        }
      }
      double probability = Metropolis.acceptanceProbability(-from, -state.energy());
      return new Path(state, probability, false, false);
    }

    /** Returns whether steps were too long, and a trajectory of shorter ones is worth its cost. */
    boolean isHopeless() {
      return probability < HOPELESS && (divergent || !abandoned);
    }
  }

  @Override
  public Hmc withStepSize(double size) {
    ThetaKernel.requireStepSize(size, Double.POSITIVE_INFINITY);
    return new Hmc(preconditioner, mode, Math.min(size, largestStepSize()), leapfrogSteps);
  }

  @Override
  public double largestStepSize() {
    double largest = preconditioner.largestStepSize();
    return mode == null ? largest : Math.min(largest, QUARTER);
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
   *     take the time
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
    public String adapts() {
      return super.adapts()
          + "; on all rows, also the scales of moves, if draws spread wider than the Laplace"
          + " approximation";
    }

    @Override
    public ThetaKernel create(Setting setting) {
      double size = setting.stepSize(optimalStepSize(setting.dimension()));
      int steps = setting.own().of(Settings.class).steps(setting.shaped());
      return new Hmc(setting.shape(), size, steps);
    }
  }
}
