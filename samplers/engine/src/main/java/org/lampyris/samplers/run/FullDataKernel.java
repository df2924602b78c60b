package org.lampyris.samplers.run;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ThetaKernel;

/**
 * Metropolis–Hastings on the full data: the θ-kernel works on log p(θ) + Σ_n log L_n(θ), and each
 * evaluation is a pass over all rows.
 */
public final class FullDataKernel implements TransitionKernel<Point> {
  private final PosteriorDensity target;

  /** Creates the kernel of one chain. */
  public FullDataKernel(Prior prior, LikelihoodRows rows) {
    this.target = new PosteriorDensity(prior, rows);
  }

  @Override
  public boolean showsShape() {
    return true;
  }

  @Override
  public Transition<Point> init(double[] theta) {
    Point point = new Point(theta, target.value(theta));
    return new Transition<>(point, new StepInfo(1, target.takeEvaluations(), false));
  }

  @Override
  public Transition<Point> step(
      Point point, long iteration, ThetaKernel kernel, UniformRandomProvider rng) {
    ThetaKernel.Step step = kernel.step(target, point, rng);
    return new Transition<>(step.point(), StepInfo.of(step, target.takeEvaluations(), List.of()));
  }
}
