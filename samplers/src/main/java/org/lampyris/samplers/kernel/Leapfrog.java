package org.lampyris.samplers.kernel;

import java.util.Arrays;
import org.lampyris.samplers.density.LogDensity;
import org.lampyris.samplers.density.Point;

/**
 * Leapfrog steps of Hamilton's equations for H(u, p) = −log π(Lu) + |p|²/2 in the coordinates u =
 * L⁻¹θ: p ← p + ε/2·Lᵀ∇log π(θ), θ ← θ + ε·Lp, p ← p + ε/2·Lᵀ∇log π(θ).
 *
 * <p>The same as momenta of covariance (LLᵀ)⁻¹ in the coordinates θ. A step preserves volume and is
 * undone by a step from its end with the momentum turned, also where the edges of the support
 * {@linkplain Preconditioner#move reflect} it. Source: Neal (2011), sections 5.2.3.3 and 5.5.1.5.
 *
 * @param preconditioner L
 * @param stepSize ε
 */
record Leapfrog(LogDensity target, Preconditioner preconditioner, double stepSize) {

  /**
   * A point of a trajectory.
   *
   * @param point θ, with its log-density and gradient
   * @param momentum p; not copied
   * @param slope Lᵀ∇log π(θ), which one step ends with and the next begins with; not copied
   */
  record State(Point point, double[] momentum, double[] slope) {

    /** Returns H: +∞ where the density is 0. */
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
    return new State(point, momentum, preconditioner.transposed(point.knownGradient()));
  }

  /** Makes one step, at the price of one gradient. */
  State step(State from) {
    double[] momentum = from.momentum().clone();
    kick(from.slope(), momentum);
    double[] theta = from.point().theta().clone();
    preconditioner.move(momentum, stepSize, theta);
    State to = begin(Point.evaluate(target, theta), momentum);
    kick(to.slope(), momentum);
    return to;
  }

  private void kick(double[] slope, double[] momentum) {
    for (int i = 0; i < momentum.length; i++) {
      momentum[i] += 0.5 * stepSize * slope[i];
    }
  }
}
