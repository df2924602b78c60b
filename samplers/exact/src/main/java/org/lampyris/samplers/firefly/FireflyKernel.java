package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.run.Inside;

/**
 * Firefly Monte Carlo: an iteration resamples the brightness z given θ, then updates θ given z,
 * once or several times. The marginal distribution of θ is the exact posterior.
 *
 * <p>A chain begins in the dark, which costs nothing: its first updates of z light what is bright.
 *
 * <p>Source: Maclaurin and Adams (2014), Algorithms 1 and 2.
 *
 * @param <R> the brightness
 */
public final class FireflyKernel<R extends Serializable> implements Inside<FireflyKernel.State<R>> {
  /** Column with the number of bright rows when θ was updated. */
  public static final String BRIGHT_ROWS = "bright_rows";

  private final int chain;
  private final Prior prior;
  private final QuadraticForm collapsed;
  private final FireflyRows<R> rows;
  private final ZStep zStep;
  private final int thetaSteps;

  /**
   * Resampling of brightness.
   *
   * @param kernel the update
   * @param selected how many rows an explicit update selects in an iteration
   */
  public record ZStep(BrightnessKernel kernel, RowSelection.Size selected)
      implements Serializable {}

  /**
   * Creates the kernel of one chain, with a number of updates of θ, at least 1, after each update
   * of z.
   */
  public FireflyKernel(
      int chain,
      Prior prior,
      CollapsedQuadratic collapsed,
      FireflyRows<R> rows,
      ZStep zStep,
      int thetaSteps) {
    if (thetaSteps < 1) {
      throw new IllegalArgumentException(thetaSteps + " theta steps");
    }
    this.chain = chain;
    this.prior = prior;
    this.collapsed = collapsed.form();
    this.rows = rows;
    this.zStep = zStep;
    this.thetaSteps = thetaSteps;
  }

  /** Returns the density of θ given some brightness. */
  LogDensity given(R brightness) {
    return new Conditional(brightness, null);
  }

  @Override
  public Transition<State<R>> init(double[] theta) {
    double[] start = theta.clone();
    Point point = new Point(start, prior.logDensity(start) + collapsed.value(start));
    return new Transition<>(
        new State<>(point, rows.dark()), new StepInfo(1, 0, false, 1, columnsOutside()));
  }

  /** {@inheritDoc} A full Gibbs draw of z, which evaluates every row once. */
  @Override
  public Transition<State<R>> enter(State<R> before, double[] theta, long iteration) {
    double[] start = theta.clone();
    Conditional target =
        new Conditional(
            before.rows(), BrightnessKernel.Update.ofAllRows(prior.known(start), iteration));
    Point point = new Point(start, target.value(start));
    return transition(target, point, 1, false, 1);
  }

  /** {@inheritDoc} The last brightness is kept, and resampled when the chain returns. */
  @Override
  public State<R> outside(@Nullable State<R> before, Point point) {
    return new State<>(point, before == null ? rows.dark() : before.rows());
  }

  /** {@inheritDoc} No row is bright. */
  @Override
  public List<Double> columnsOutside() {
    return List.of(0.0);
  }

  @Override
  public Transition<State<R>> step(
      State<R> state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    // Before anything else is drawn: pools of candidates rely on it, see RowSelection.Size.of.
    long selected = zStep.selected().draw(rng);
    double[] theta = prior.known(state.point().theta());
    Conditional target =
        new Conditional(
            state.rows(), new BrightnessKernel.Update(zStep.kernel(), theta, iteration, selected));
    Point now = Point.at(state.point().theta());
    double acceptance = 0;
    double tuning = 0;
    boolean divergent = false;
    for (int i = 0; i < thetaSteps; i++) {
      ThetaKernel.Step step = kernel.step(target, now, rng);
      now = step.point();
      acceptance += step.acceptanceProbability() / thetaSteps;
      tuning += step.tuning() / thetaSteps;
      divergent |= step.divergent();
    }
    return transition(target, now, acceptance, divergent, tuning);
  }

  private Transition<State<R>> transition(
      Conditional target, Point point, double acceptance, boolean divergent, double tuning) {
    List<Double> columns = List.of((double) target.bright);
    return new Transition<>(
        new State<>(point, target.brightness),
        new StepInfo(acceptance, target.evaluations, divergent, tuning, columns));
  }

  /**
   * State of a Firefly chain: θ and the brightness of all rows.
   *
   * @param <R> the brightness: in memory, carried with its rows, or the name of what executors keep
   * @param point θ, and log p(θ | z, data) as it was when θ was drawn
   * @param rows the brightness
   */
  public record State<R extends Serializable>(Point point, R rows) implements SamplerState {
    /** {@inheritDoc} The data of bright rows are read again from where all rows are. */
    @Override
    public State<?> stored() {
      return rows instanceof Brightness.Carried carried
          ? new State<>(point, carried.brightness())
          : this;
    }
  }

  @Override
  public State<R> restored(SamplerState stored) {
    State<?> kept = (State<?>) stored;
    return new State<>(kept.point, rows.restored(kept.rows));
  }

  /**
   * Density of θ given the brightness of all rows, for one iteration: log p(θ | z, data) = log p(θ)
   * + Σ_n log B_n(θ) + Σ_{bright} log L̃_n(θ) + constant.
   *
   * <p>The iteration's z-step is made together with the first evaluation, in one question to the
   * rows. The density is zero on the hyperplanes where the bound of a bright row is tight.
   *
   * <p>Source: Maclaurin and Adams (2014), equation 2. Not safe for use by several threads.
   */
  private final class Conditional implements LogDensity {
    private R brightness;
    private BrightnessKernel.@Nullable Update update;
    private long evaluations;
    private long bright;

    /** Begins an iteration, with the brightness before its z-step; null for none. */
    Conditional(R before, BrightnessKernel.@Nullable Update update) {
      this.brightness = before;
      this.update = update;
    }

    @Override
    public int dimension() {
      return prior.dimension();
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      FireflyRows.Answer answer = ask(thetas, false);
      for (int k = 0; k < thetas.length; k++) {
        out[k] = prior.logDensity(thetas[k]) + collapsed.value(thetas[k]) + answer.sum(k);
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      FireflyRows.Answer answer = ask(new double[][] {theta}, true);
      Arrays.fill(gradient, 0);
      answer.addGradient(0, gradient);
      return prior.addGradient(theta, gradient)
          + collapsed.addGradient(theta, gradient)
          + answer.sum(0);
    }

    private FireflyRows.Answer ask(double[][] thetas, boolean gradient) {
      double[][] known = Arrays.stream(thetas).map(prior::known).toArray(double[][]::new);
      FireflyRows.Answered<R> answered =
          rows.ask(brightness, new FireflyRows.Question(chain, update, known, gradient));
      update = null;
      brightness = answered.rows();
      evaluations += answered.answer().evaluations();
      bright = answered.answer().bright();
      return answered.answer();
    }
  }
}
