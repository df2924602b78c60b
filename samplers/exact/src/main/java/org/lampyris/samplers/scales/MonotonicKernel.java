package org.lampyris.samplers.scales;

import java.util.Arrays;
import org.lampyris.samplers.kernel.LogDensity;
import org.lampyris.samplers.kernel.Point;
import org.lampyris.samplers.kernel.ProposalKernel;
import org.lampyris.samplers.kernel.ThetaKernel;
import org.lampyris.samplers.random.Noise;

/**
 * A θ-kernel of a model with monotonic effects: some steps of another kernel in the {@linkplain
 * MonotonicCoordinates coordinates} ψ, for the density π(θ(ψ))·|dθ/dψ|. Rows, bounds and states see
 * θ alone.
 *
 * @param inner the other kernel, shaped by a normal density of ψ
 */
record MonotonicKernel(ThetaKernel inner, MonotonicCoordinates coordinates)
    implements KernelAround {
  /** Steps of the other kernel in one of this: a ζ_k near 0 moves slowly. */
  private static final int STEPS = 4;

  @Override
  public Step step(LogDensity target, Point point, Noise noise) {
    Point now = point;
    double acceptance = 0;
    double tuning = 0;
    boolean divergent = false;
    for (int i = 0; i < STEPS; i++) {
      Step one = once(target, now, noise);
      now = one.point();
      acceptance += one.acceptanceProbability() / STEPS;
      tuning += one.tuning() / STEPS;
      divergent |= one.divergent();
    }
    return new Step(now, acceptance, divergent, tuning);
  }

  private Step once(LogDensity target, Point point, Noise noise) {
    double[] theta = point.theta();
    double[] psi = coordinates.psi(theta);
    double[] gradient = point.gradient() == null ? null : point.gradient().clone();
    if (gradient != null) {
      coordinates.toPsi(theta, gradient);
    }
    double volume = coordinates.logVolume(theta);
    Step made =
        inner.step(
            new OfPsi(target, coordinates),
            new Point(psi, point.logDensity() + volume, gradient),
            noise);
    Point to = made.point();
    if (Arrays.equals(to.theta(), psi)) {
      return moved(made, point.isEvaluated() ? point : new Point(theta, to.logDensity() - volume));
    }
    double[] end = coordinates.theta(to.theta());
    double[] slope = to.gradient() == null ? null : to.gradient().clone();
    if (slope != null) {
      coordinates.toTheta(end, slope);
    }
    return moved(made, new Point(end, to.logDensity() - coordinates.logVolume(end), slope));
  }

  private static Step moved(Step made, Point to) {
    return new Step(to, made.acceptanceProbability(), made.divergent(), made.tuning());
  }

  /** The density of ψ that a density of θ is. */
  private record OfPsi(LogDensity target, MonotonicCoordinates coordinates) implements LogDensity {
    @Override
    public int dimension() {
      return target.dimension();
    }

    @Override
    public void values(double[][] psis, double[] out) {
      double[][] thetas = Arrays.stream(psis).map(coordinates::theta).toArray(double[][]::new);
      target.values(thetas, out);
      for (int k = 0; k < thetas.length; k++) {
        double volume = coordinates.logVolume(thetas[k]);
        out[k] = volume > Double.NEGATIVE_INFINITY ? out[k] + volume : volume;
      }
    }

    @Override
    public double valueAndGradient(double[] psi, double[] gradient) {
      double[] theta = coordinates.theta(psi);
      double volume = coordinates.logVolume(theta);
      if (!(volume > Double.NEGATIVE_INFINITY)) {
        return Double.NEGATIVE_INFINITY;
      }
      double value = target.valueAndGradient(theta, gradient);
      coordinates.toPsi(theta, gradient);
      return value + volume;
    }
  }

  @Override
  public double[] start(double[] theta) {
    return coordinates.start(theta);
  }

  @Override
  public MonotonicKernel about(double[] near) {
    return new MonotonicKernel(inner.about(coordinates.psi(coordinates.start(near))), coordinates);
  }

  @Override
  public MonotonicKernel withStepSize(double size) {
    return new MonotonicKernel(inner.withStepSize(size), coordinates);
  }

  /**
   * The same of a proposal in ψ, whose density in θ is q(θ' | θ) = q(ψ' | ψ)/|dθ'/dψ'|. So log q(θ
   * | θ') − log q(θ' | θ) is the correction in ψ and log|dθ'/dψ'| − log|dθ/dψ|.
   *
   * <p>It is exact for every proposal. pcn, which is reversible for a normal density of ψ, stays
   * where it is in the exponential tails of φ, so that {@code sampler.kernel} refuses it.
   *
   * @param inner proposes ψ
   */
  record Proposal(ProposalKernel inner, MonotonicCoordinates coordinates)
      implements ProposalKernel, KernelAround {
    @Override
    public double[] propose(double[] theta, Noise noise) {
      return coordinates.theta(inner.propose(coordinates.psi(theta), noise));
    }

    @Override
    public double correction(double[] theta, double[] proposal) {
      double there = coordinates.logVolume(proposal);
      return there > Double.NEGATIVE_INFINITY
          ? inner.correction(coordinates.psi(theta), coordinates.psi(proposal))
              + there
              - coordinates.logVolume(theta)
          : there;
    }

    @Override
    public double[] start(double[] theta) {
      return coordinates.start(theta);
    }

    @Override
    public Proposal about(double[] near) {
      double[] psi = coordinates.psi(coordinates.start(near));
      return new Proposal((ProposalKernel) inner.about(psi), coordinates);
    }

    @Override
    public Proposal withStepSize(double size) {
      return new Proposal((ProposalKernel) inner.withStepSize(size), coordinates);
    }
  }
}
