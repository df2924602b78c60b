package org.lampyris.samplers.kernel;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.density.Point;

/**
 * Random-walk Metropolis: θ' = θ + ε·Lz, z ~ N(0, I), accepted with probability min(1, π(θ')/π(θ)).
 *
 * <p>One evaluation of the target a step, asked for together with the current point's where that is
 * not known. Target acceptance 0.234. Source: Roberts, Gelman and Gilks (1997); Maclaurin and Adams
 * (2014), Algorithm 1, lines 7 to 13.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 */
public record RandomWalk(Preconditioner preconditioner, double stepSize) implements ProposalKernel {

  /** Asymptotically optimal mean acceptance probability in many dimensions. */
  public static final double OPTIMAL_ACCEPTANCE = 0.234;

  /** Checks the step size. */
  public RandomWalk {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
  }

  /** Returns the step size that is optimal on a normal target of covariance LLᵀ: 2.38/√d. */
  public static double optimalStepSize(int dimension) {
    return 2.38 / Math.sqrt(dimension);
  }

  @Override
  public Step step(LogDensity target, Point point, UniformRandomProvider rng) {
    return step(target, point, Noise.of(rng));
  }

  Step step(LogDensity target, Point point, Noise noise) {
    double[] proposal = propose(point.theta(), noise);
    double[] logDensity = point.logDensities(target, proposal);
    double probability = Metropolis.acceptanceProbability(logDensity[0], logDensity[1]);
    Point next =
        noise.flip(probability)
            ? new Point(proposal, logDensity[1])
            : new Point(point.theta(), logDensity[0]);
    return new Step(next, probability, false);
  }

  private double[] propose(double[] theta, Noise noise) {
    double[] proposal = theta.clone();
    preconditioner.addTo(noise.normals(proposal.length), stepSize, proposal);
    return proposal;
  }

  @Override
  public double[] propose(double[] theta, UniformRandomProvider rng) {
    return propose(theta, Noise.of(rng));
  }

  @Override
  public double correction(double[] theta, double[] proposal) {
    return 0;
  }

  @Override
  public RandomWalk withStepSize(double size) {
    return new RandomWalk(preconditioner, size);
  }

  @Override
  public double targetAcceptance() {
    return OPTIMAL_ACCEPTANCE;
  }

  /** {@code sampler.kernel: random-walk}. */
  public static final class Type implements ThetaKernelType {
    @Override
    public String name() {
      return "random-walk";
    }

    @Override
    public boolean usesGradient() {
      return false;
    }

    @Override
    public boolean isProposal() {
      return true;
    }

    @Override
    public ThetaKernel create(Setting setting) {
      double size = setting.stepSize(optimalStepSize(setting.dimension()));
      return new RandomWalk(setting.shape(), size);
    }
  }
}
