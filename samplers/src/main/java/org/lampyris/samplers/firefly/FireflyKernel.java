package org.lampyris.samplers.firefly;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.lowerbound.CollapsedQuadratic;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.firefly.FireflyQuestion.BrightnessUpdate;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.StepInfo;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.TransitionKernel;

/**
 * Firefly Monte Carlo: an iteration resamples the brightness z given θ, then updates θ given z,
 * once or several times. The marginal distribution of θ is the exact posterior.
 *
 * <p>The chain's brightness lives with the rows ({@link FireflyRows}), so a kernel belongs to one
 * chain and its steps are made in order. A chain begins with a full Gibbs draw of z at its starting
 * point, which evaluates every row once.
 *
 * <p>Source: Maclaurin and Adams (2014), Algorithms 1 and 2.
 */
public final class FireflyKernel implements TransitionKernel {
  private final FireflyConditional target;
  private final ZStep zStep;
  private final int thetaSteps;

  /**
   * How brightness is resampled.
   *
   * @param kernel the update
   * @param selected how many rows an explicit update selects in an iteration
   */
  public record ZStep(BrightnessKernel kernel, SelectionSize selected) implements Serializable {}

  /**
   * Makes the kernel of one chain.
   *
   * @param chain the chain's number
   * @param prior p(θ)
   * @param collapsed Σ_n log B_n
   * @param rows the rows as this chain sees them
   * @param zStep how brightness is resampled
   * @param thetaSteps how many updates of θ follow each update of z, at least 1
   */
  public FireflyKernel(
      int chain,
      Prior prior,
      CollapsedQuadratic collapsed,
      FireflyRows rows,
      ZStep zStep,
      int thetaSteps) {
    if (thetaSteps < 1) {
      throw new IllegalArgumentException(thetaSteps + " theta steps");
    }
    this.target = new FireflyConditional(chain, prior, collapsed, rows);
    this.zStep = zStep;
    this.thetaSteps = thetaSteps;
  }

  @Override
  public Transition init(double[] theta) {
    BrightnessKernel all = new ExplicitBrightness(new RowSelection.All());
    double[] start = theta.clone();
    target.schedule(new BrightnessUpdate(all, start, 0, 0));
    Point point = new Point(start, target.value(start));
    return new Transition(point, new StepInfo(1, target.takeEvaluations(), target.bright(), false));
  }

  @Override
  public Transition step(
      Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    // Before anything else is drawn: pools of candidates rely on it, see SelectionSize.of.
    long selected = zStep.selected().draw(rng);
    target.schedule(new BrightnessUpdate(zStep.kernel(), point.theta(), iteration, selected));
    Point now = point.forgetDensity();
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
    long evaluations = target.takeEvaluations();
    return new Transition(
        now, new StepInfo(acceptance, evaluations, target.bright(), divergent, tuning));
  }
}
