package org.lampyris.samplers.firefly;

import java.io.Serializable;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.bound.QuadraticForm;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.kernel.Point;
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
public final class FireflyKernel<R extends Serializable> implements Inside<FireflyState<R>> {
  /** The column of an iteration that tells how many rows were bright when θ was updated. */
  public static final String BRIGHT_ROWS = "bright_rows";

  private final int chain;
  private final Prior prior;
  private final QuadraticForm collapsed;
  private final FireflyRows<R> rows;
  private final ZStep zStep;
  private final int thetaSteps;

  /**
   * How brightness is resampled.
   *
   * @param kernel the update
   * @param selected how many rows an explicit update selects in an iteration
   */
  public record ZStep(BrightnessKernel kernel, SelectionSize selected) implements Serializable {}

  /** Makes the kernel of one chain: so many updates of θ, at least 1, follow each update of z. */
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

  private FireflyConditional<R> given(R before, BrightnessUpdate update) {
    return new FireflyConditional<>(chain, prior, collapsed, rows, before, update);
  }

  @Override
  public Transition<FireflyState<R>> init(double[] theta) {
    double[] start = theta.clone();
    Point point = new Point(start, prior.logDensity(start) + collapsed.value(start));
    return new Transition<>(
        new FireflyState<>(point, rows.dark()), new StepInfo(1, 0, false, 1, columnsOutside()));
  }

  /** {@inheritDoc} A full Gibbs draw of z, which evaluates every row once. */
  @Override
  public Transition<FireflyState<R>> enter(FireflyState<R> before, double[] theta, long iteration) {
    double[] start = theta.clone();
    FireflyConditional<R> target =
        given(before.rows(), BrightnessUpdate.ofAllRows(start, iteration));
    Point point = new Point(start, target.value(start));
    return transition(target, point, 1, false, 1);
  }

  /** {@inheritDoc} What was bright stays on record, and is drawn anew when the chain comes in. */
  @Override
  public FireflyState<R> outside(@Nullable FireflyState<R> before, Point point) {
    return new FireflyState<>(point, before == null ? rows.dark() : before.rows());
  }

  /** {@inheritDoc} No row is bright. */
  @Override
  public List<Double> columnsOutside() {
    return List.of(0.0);
  }

  @Override
  public Transition<FireflyState<R>> step(
      FireflyState<R> state, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    // Before anything else is drawn: pools of candidates rely on it, see SelectionSize.of.
    long selected = zStep.selected().draw(rng);
    double[] theta = state.point().theta();
    FireflyConditional<R> target =
        given(state.rows(), new BrightnessUpdate(zStep.kernel(), theta, iteration, selected));
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

  private static <R extends Serializable> Transition<FireflyState<R>> transition(
      FireflyConditional<R> target,
      Point point,
      double acceptance,
      boolean divergent,
      double tuning) {
    List<Double> columns = List.of((double) target.bright());
    return new Transition<>(
        new FireflyState<>(point, target.brightness()),
        new StepInfo(acceptance, target.evaluations(), divergent, tuning, columns));
  }
}
