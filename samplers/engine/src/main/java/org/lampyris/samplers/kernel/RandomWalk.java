package org.lampyris.samplers.kernel;

import org.lampyris.samplers.random.Noise;

/**
 * Random-walk Metropolis: θ' = θ + ε·Lz, z ~ N(0, I), accepted with probability min(1, π(θ')/π(θ)).
 * A proposal that is {@linkplain Preconditioner#move reflected} at the edges of the support is as
 * symmetric.
 *
 * <p>Target acceptance 0.234. Source: Roberts, Gelman and Gilks (1997); Maclaurin and Adams (2014),
 * Algorithm 1, lines 7 to 13.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 */
public record RandomWalk(Preconditioner preconditioner, double stepSize) implements ProposalKernel {

  /** Checks the step size. */
  public RandomWalk {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
  }

  /** Returns the step size that is optimal on a normal target of covariance LLᵀ: 2.38/√d. */
  public static double optimalStepSize(int dimension) {
    return 2.38 / Math.sqrt(dimension);
  }

  @Override
  public double[] propose(double[] theta, Noise noise) {
    double[] proposal = theta.clone();
    preconditioner.move(noise.normals(proposal.length), stepSize, proposal);
    return proposal;
  }

  @Override
  public double correction(double[] theta, double[] proposal) {
    return 0;
  }

  @Override
  public RandomWalk withStepSize(double size) {
    return new RandomWalk(preconditioner, Math.min(size, preconditioner.largestStepSize()));
  }

  /** Asymptotically optimal mean acceptance probability in many dimensions. */
  @Override
  public double targetAcceptance() {
    return 0.234;
  }

  /** {@code sampler.kernel: random-walk}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("random-walk", false);
    }

    @Override
    public boolean isProposal() {
      return true;
    }

    @Override
    public ThetaKernel create(Setting setting) {
      return new RandomWalk(
          setting.shape(), setting.stepSize(optimalStepSize(setting.dimension())));
    }
  }
}
