package org.lampyris.samplers.multilevel;

import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.kernel.ThetaKernelType;
import org.lampyris.samplers.random.Noise;

/**
 * The Crank–Nicolson Langevin algorithm: θ' = θ + τ·LLᵀ∇log π(θ) + √(τ(2 − τ))·Lz, z ~ N(0, I),
 * accepted with probability min(1, π(θ')q(θ | θ') / (π(θ)q(θ' | θ))). For a normal target of
 * covariance LLᵀ with any mean, no proposal is rejected, and at τ = 1 draws are independent. It
 * suits a density with a known shape whose location changes with its conditions.
 *
 * <p>With g = Lᵀ∇log π(θ), g' the same at θ', and m = τg + √(τ(2 − τ))·z, the reverse noise is z' =
 * −(m + τg')/√(τ(2 − τ)), and log q(θ | θ') − log q(θ' | θ) = (|z|² − |z'|²)/2. One gradient a
 * step.
 *
 * <p>Source: Cotter, Roberts, Stuart and White (2013), equation 4.9, with the covariance of the
 * target in the place of the prior's.
 *
 * @param preconditioner L
 * @param stepSize τ, in (0, 1]
 */
public record CrankNicolsonLangevin(Preconditioner preconditioner, double stepSize)
    implements ThetaKernel {
  /** Refuses a step size that is not in (0, 1]. */
  public CrankNicolsonLangevin {
    ThetaKernel.requireStepSize(stepSize, 1);
  }

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    Point current = point.withGradient(target);
    int d = current.theta().length;
    double spread = Math.sqrt(stepSize * (2 - stepSize));
    double[] z = noise.normals(d);
    double[] slope = preconditioner.transposed(current.knownGradient());
    double[] move = new double[d];
    for (int i = 0; i < d; i++) {
      move[i] = stepSize * slope[i] + spread * z[i];
    }
    double[] there = current.theta().clone();
    preconditioner.addTo(move, 1, there);
    Point proposed = Point.evaluate(target, there);
    double[] slopeThere = preconditioner.transposed(proposed.knownGradient());
    double correction = 0;
    for (int i = 0; i < d; i++) {
      double back = (move[i] + stepSize * slopeThere[i]) / spread;
      correction += 0.5 * (z[i] - back) * (z[i] + back);
    }
    double ratio = proposed.logDensity() - current.logDensity() + correction;
    double probability =
        proposed.logDensity() == Double.NEGATIVE_INFINITY || Double.isNaN(ratio)
            ? 0
            : Math.min(1, Math.exp(ratio));
    return new Step(noise.flip(probability) ? proposed : current, probability, false);
  }

  @Override
  public double largestStepSize() {
    return 1;
  }

  @Override
  public CrankNicolsonLangevin withStepSize(double size) {
    return new CrankNicolsonLangevin(preconditioner, size);
  }

  /** Above the usual value for its dimension: a nearly normal density rejects almost nothing. */
  @Override
  public double targetAcceptance() {
    return 0.8;
  }

  /** {@code sampler.kernel: pcnl}, as {@code META-INF/services} names it. */
  public static final class Type extends ThetaKernelType {
    /** Declares it. */
    public Type() {
      super("pcnl", true);
    }

    @Override
    public ThetaKernel create(Setting setting) {
      return new CrankNicolsonLangevin(setting.shape(), Math.min(1, setting.stepSize(0.9)));
    }
  }
}
