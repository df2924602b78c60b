package org.lampyris.samplers.kernel;

import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.samplers.random.Noise;

/**
 * Barker's proposal: in the coordinates u = L⁻¹θ each coordinate makes a step of εz_i, z_i ~ N(0,
 * 1), whose sign is kept with probability σ(εz_i·g_i) and reversed otherwise, with g = Lᵀ∇log π(θ).
 *
 * <p>With w the steps as made and g' the slope at θ', log q(θ | θ') − log q(θ' | θ) = Σ_i log
 * σ(−w_i g'_i) − log σ(w_i g_i). If the edges of the support {@linkplain Preconditioner#move
 * reflect} w, the arriving w is combined with g': its length in u, and so the normal density of the
 * steps, is the same. A gradient that is far too large only settles the direction of a step, not
 * its length, so the proposal is steadier than MALA's where gradients are steep.
 *
 * <p>One gradient a step, and one before it where the current point's is not known. Target
 * acceptance 0.4. Source: Livingstone and Zanella (2022), Algorithm 2 and section 6.
 *
 * @param preconditioner L
 * @param stepSize ε, above 0
 */
public record Barker(Preconditioner preconditioner, double stepSize) implements ThetaKernel {
  public Barker {
    ThetaKernel.requireStepSize(stepSize, Double.POSITIVE_INFINITY);
  }

  /** Returns the initial step size for a normal target of covariance LLᵀ: 2/d^⅙. */
  public static double optimalStepSize(int dimension) {
    return 2 / Math.pow(dimension, 1.0 / 6);
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    Point current = point.withGradient(target);
    double[] slope = preconditioner.transposed(current.knownGradient());
    double[] move = noise.normals(slope.length);
    for (int i = 0; i < move.length; i++) {
      move[i] *= stepSize;
      if (!noise.flip(StableMath.sigmoid(move[i] * slope[i]))) {
        move[i] = -move[i];
      }
    }
    double[] theta = current.theta().clone();
    double[] arriving = move.clone();
    preconditioner.move(arriving, 1, theta);
    Point proposed = Point.evaluate(target, theta);
    double[] slopeThere = preconditioner.transposed(proposed.knownGradient());
    double correction = 0;
    for (int i = 0; i < move.length; i++) {
      correction +=
          StableMath.logSigmoid(-arriving[i] * slopeThere[i])
              - StableMath.logSigmoid(move[i] * slope[i]);
    }
    return Metropolis.step(current, proposed, correction, noise);
  }

  @Override
  public Barker withStepSize(double size) {
    return new Barker(preconditioner, Math.min(size, preconditioner.largestStepSize()));
  }

  /** The mean acceptance probability that the source adapts to. */
  @Override
  public double targetAcceptance() {
    return 0.4;
  }

  /** {@code sampler.kernel: barker}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    public Type() {
      super("barker", true);
    }

    @Override
    public ThetaKernel create(Setting setting) {
      return new Barker(setting.shape(), setting.stepSize(optimalStepSize(setting.dimension())));
    }
  }
}
