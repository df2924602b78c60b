package org.lampyris.samplers.fulldata;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.prior.Prior;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.chain.TransitionKernel;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.density.Point;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.pass.LikelihoodRows;

/**
 * Metropolis–Hastings on the full data: the θ-kernel works on log p(θ) + Σ_n log L_n(θ), each
 * evaluation of which is a pass over all rows.
 */
public final class FullDataKernel implements TransitionKernel<Point> {
  private final int chain;
  private final Prior prior;
  private final LikelihoodRows rows;
  private final Posterior target = new Posterior();

  /** Makes the kernel of one chain. */
  public FullDataKernel(int chain, Prior prior, LikelihoodRows rows) {
    this.chain = chain;
    this.prior = prior;
    this.rows = rows;
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
    StepInfo info =
        new StepInfo(
            step.acceptanceProbability(),
            target.takeEvaluations(),
            step.divergent(),
            step.tuning(),
            List.of());
    return new Transition<>(step.point(), info);
  }

  /** The posterior, which counts its evaluations. */
  private final class Posterior implements LogDensity {
    private long evaluations;

    @Override
    public int dimension() {
      return prior.dimension();
    }

    @Override
    public void values(double[][] thetas, double[] out) {
      double[] answer = rows.ask(chain, thetas, false);
      evaluations += rows.rows() * thetas.length;
      for (int k = 0; k < thetas.length; k++) {
        out[k] = prior.logDensity(thetas[k]) + answer[k];
      }
    }

    @Override
    public double valueAndGradient(double[] theta, double[] gradient) {
      double[] answer = rows.ask(chain, new double[][] {theta}, true);
      evaluations += rows.rows();
      System.arraycopy(answer, 1, gradient, 0, gradient.length);
      return answer[0] + prior.addGradient(theta, gradient);
    }

    long takeEvaluations() {
      long taken = evaluations;
      evaluations = 0;
      return taken;
    }
  }
}
