package org.lampyris.samplers.kernel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Steps of Hamilton's equations for H(u, p) = −log π(θ) + |p|²/2, θ = m + Lu, in three exactly
 * solved parts: half a kick, a motion, half a kick.
 *
 * <p>With the mode m of a normal approximation N(m, LLᵀ), the motion is the approximation's own, u
 * and p turned by the angle ε, and a kick uses the remaining force: with V(u) = −log π(m + Lu) −
 * |u|²/2, p ← p − ε/2·∇V(u). On a normal target of covariance LLᵀ every step is exact, however
 * long. Source: Shahbaba, Lan, Johnson and Neal (2014), section 3.1.
 *
 * <p>Without one they are leapfrog steps: p ← p + ε/2·Lᵀ∇log π(θ), θ ← θ + ε·Lp, p ← p + ε/2·Lᵀ∇log
 * π(θ). Source: Neal (2011), section 5.2.3.3.
 *
 * <p>The same as momenta of covariance (LLᵀ)⁻¹ in the coordinates θ. A step preserves volume and is
 * undone by a step from its end with the momentum turned, also where the edges of the support
 * {@linkplain Preconditioner#move reflect} it (Neal, section 5.5.1.5).
 *
 * @param preconditioner L
 * @param mode m, not copied; null for leapfrog steps
 * @param stepSize ε; at most π with a mode
 */
record Leapfrog(
    LogDensity target, Preconditioner preconditioner, double @Nullable [] mode, double stepSize) {

  /**
   * A point of a trajectory.
   *
   * @param point θ, with its log-density and gradient
   * @param position u where there is a mode, else nothing; not copied
   * @param momentum p; not copied
   * @param force what kicks, which one step ends with and the next begins with; not copied
   */
  record State(Point point, double[] position, double[] momentum, double[] force) {

    /** Returns H: +∞ if the density is 0. */
    double energy() {
      double squares = 0;
      for (double p : momentum) {
        squares += p * p;
      }
      return 0.5 * squares - point.logDensity();
    }

    /** Returns whether the density is 0 here, though θ and its momentum are finite. */
    boolean isBeyondTheSupport() {
      return point.logDensity() == Double.NEGATIVE_INFINITY
          && Arrays.stream(point.theta()).allMatch(Double::isFinite)
          && Arrays.stream(momentum).allMatch(Double::isFinite);
    }
  }

  /** Returns the beginning of a trajectory, at a point with its gradient; p is not copied. */
  State begin(Point point, double[] momentum) {
    double[] position = mode == null ? new double[0] : preconditioner.position(mode, point.theta());
    return at(point, position, momentum);
  }

  private State at(Point point, double[] position, double[] momentum) {
    double[] force = preconditioner.transposed(point.knownGradient());
    for (int i = 0; i < position.length; i++) {
      force[i] += position[i];
    }
    return new State(point, position, momentum, force);
  }

  /** Makes one step, at the cost of one gradient. */
  State step(State from) {
    double[] momentum = from.momentum().clone();
    kick(from.force(), momentum);
    double[] theta = from.point().theta().clone();
    double[] position = from.position().clone();
    if (mode == null) {
      preconditioner.move(momentum, stepSize, theta);
    } else {
      preconditioner.turn(mode, position, momentum, stepSize, theta);
    }
    State to = at(Point.evaluate(target, theta), position, momentum);
    kick(to.force(), momentum);
    return to;
  }

  private void kick(double[] force, double[] momentum) {
    for (int i = 0; i < momentum.length; i++) {
      momentum[i] += 0.5 * stepSize * force[i];
    }
  }
}
