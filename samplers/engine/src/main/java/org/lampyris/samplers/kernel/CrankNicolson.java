package org.lampyris.samplers.kernel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.random.Noise;

/**
 * Preconditioned Crank–Nicolson proposal about a normal approximation N(θ̂, LLᵀ) of the target: θ'
 * = θ̂ + √(1 − β²)·(θ − θ̂) + β·Lz, z ~ N(0, I). It is reversible for the approximation φ, so it is
 * accepted with probability min(1, (π(θ')/φ(θ')) / (π(θ)/φ(θ))). At edges of the support, the
 * proposal is {@linkplain Preconditioner#turned reflected}, and reversible for φ within.
 *
 * <p>At β = 1 it is the independence sampler. It takes large steps where the approximation is good,
 * in any dimension, and none where the target's tails are heavier than the approximation's.
 *
 * <p>Source: Cotter, Roberts, Stuart and White (2013), section 4.2, with the normal approximation
 * in the place of the prior, as in Pinski, Simpson, Stuart and Weber (2015).
 *
 * @param mode θ̂; copied
 * @param preconditioner L
 * @param stepSize β, in (0, 1]
 */
public record CrankNicolson(double[] mode, Preconditioner preconditioner, double stepSize)
    implements ProposalKernel {
  public CrankNicolson {
    ThetaKernel.requireStepSize(stepSize, 1);
    mode = mode.clone();
  }

  /** Returns the initial step size: 2.38/√d, as for a random walk, but at most 1. */
  public static double optimalStepSize(int dimension) {
    return Math.min(1, RandomWalk.optimalStepSize(dimension));
  }

  @Override
  public double[] propose(double[] theta, Noise noise) {
    return preconditioner.turned(mode, theta, noise.normals(theta.length), stepSize);
  }

  /** {@inheritDoc} Here log φ(θ) − log φ(θ'), because the proposal is reversible for φ. */
  @Override
  public double correction(double[] theta, double[] proposal) {
    return logApproximation(theta) - logApproximation(proposal);
  }

  /** Returns log φ(θ) = −½|L⁻¹(θ − θ̂)|² up to a constant. */
  private double logApproximation(double[] theta) {
    double[] deviation = theta.clone();
    for (int i = 0; i < deviation.length; i++) {
      deviation[i] -= mode[i];
    }
    return -0.5
        * Arrays.stream(preconditioner.inverse(deviation)).reduce(0, (sum, u) -> sum + u * u);
  }

  @Override
  public double largestStepSize() {
    return 1;
  }

  @Override
  public CrankNicolson withStepSize(double size) {
    return new CrankNicolson(mode, preconditioner, size);
  }

  /** As for a random walk: the limit of its theory if π/φ varies much. */
  @Override
  public double targetAcceptance() {
    return 0.234;
  }

  /** {@code sampler.kernel: pcn}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("pcn", false);
    }

    @Override
    public boolean isProposal() {
      return true;
    }

    /** {@inheritDoc} It is about the Laplace approximation, so it has to be shaped by it. */
    @Override
    public void require(boolean shaped, @Nullable Double givenStepSize) {
      if (!shaped) {
        throw UserException.usage(
            "sampler.kernel: pcn proposes from the Laplace approximation, so it does not allow"
                + " sampler.preconditioner: none. Remove the preconditioner.");
      }
      if (givenStepSize != null && givenStepSize > 1) {
        throw UserException.usage(
            "sampler.step_size is at most 1 for sampler.kernel: pcn, but is "
                + givenStepSize
                + ".");
      }
    }

    @Override
    public ThetaKernel create(Setting setting) {
      require(setting.shaped(), setting.givenStepSize());
      return new CrankNicolson(
          setting.laplace().mode(),
          setting.shape(),
          setting.stepSize(optimalStepSize(setting.dimension())));
    }
  }
}
