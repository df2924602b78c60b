package org.lampyris.samplers.kernel;

import org.lampyris.samplers.random.Noise;

/**
 * The Metropolis-adjusted Langevin algorithm: θ' = θ + ε²/2·LLᵀ∇log π(θ) + ε·Lz, z ~ N(0, I),
 * accepted with probability min(1, π(θ')q(θ | θ') / (π(θ)q(θ' | θ))).
 *
 * <p>With g = Lᵀ∇log π(θ) and g' the same at θ', the proposal's noise is z and the reverse one is
 * z' = −(z + ε/2·(g + g')), so log q(θ | θ') − log q(θ' | θ) = (|z|² − |z'|²)/2, without L⁻¹. A
 * proposal that is {@linkplain Preconditioner#move reflected} at the edges of the support has z' =
 * −(m' + ε/2·g'), with m' the arriving move z + ε/2·g: it is one step of Hamiltonian Monte Carlo.
 *
 * <p>For a target that {@linkplain #about changes about a mode}, as Firefly's does, a step that is
 * accepted with a probability below 1 % is followed by a second trajectory of shorter steps, as
 * {@link Hmc} has them.
 *
 * <p>One gradient a step, and one before where that is not known. Target acceptance 0.574. Source:
 * Roberts and Tweedie (1996), section 1.4.1; Roberts and Rosenthal (1998) for the target.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 * @param again whether a step that fails is followed by a second trajectory
 */
public record Mala(Preconditioner preconditioner, double stepSize, boolean again)
    implements ThetaKernel {
  public Mala {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
  }

  /** A kernel for a target that stays as it is. */
  public Mala(Preconditioner preconditioner, double stepSize) {
    this(preconditioner, stepSize, false);
  }

  /** Returns the step size that is near optimal on a normal target of covariance LLᵀ: 1.65/d^⅙. */
  public static double optimalStepSize(int dimension) {
    return 1.65 / Math.pow(dimension, 1.0 / 6);
  }

  /**
   * A proposal.
   *
   * @param noise z
   * @param theta θ'
   * @param arrival m', the move z + ε/2·g as it arrives: turned where it has met edges
   */
  public record Proposal(double[] noise, double[] theta, double[] arrival) {}

  /** Draws a proposal from θ, by a gradient there. Neither is modified. */
  public Proposal propose(double[] theta, double[] gradient, Noise noise) {
    double[] z = noise.normals(theta.length);
    double[] slope = preconditioner.transposed(gradient);
    double[] move = new double[z.length];
    for (int i = 0; i < z.length; i++) {
      move[i] = z[i] + 0.5 * stepSize * slope[i];
    }
    double[] there = theta.clone();
    preconditioner.move(move, stepSize, there);
    return new Proposal(z, there, move);
  }

  /** Returns log q(θ | θ') − log q(θ' | θ), by the gradient at θ', which is not modified. */
  public double correction(Proposal proposal, double[] gradientThere) {
    double[] slopeThere = preconditioner.transposed(gradientThere);
    double correction = 0;
    for (int i = 0; i < slopeThere.length; i++) {
      double z = proposal.noise[i];
      double back = proposal.arrival[i] + 0.5 * stepSize * slopeThere[i];
      correction += 0.5 * (z - back) * (z + back);
    }
    return correction;
  }

  @Override
  public Mala about(double[] near) {
    return new Mala(preconditioner, stepSize, true);
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    Step step = new Hmc(preconditioner, stepSize, 1).trajectory(target, point, noise, false, again);
    return new Step(step.point(), step.acceptanceProbability(), false, step.tuning());
  }

  @Override
  public Mala withStepSize(double size) {
    return new Mala(preconditioner, Math.min(size, preconditioner.largestStepSize()), again);
  }

  /** Asymptotically optimal mean acceptance probability in many dimensions. */
  @Override
  public double targetAcceptance() {
    return 0.574;
  }

  /** {@code sampler.kernel: mala}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("mala", true);
    }

    @Override
    public ThetaKernel create(Setting setting) {
      return new Mala(setting.shape(), setting.stepSize(optimalStepSize(setting.dimension())));
    }
  }
}
