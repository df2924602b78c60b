package org.lampyris.samplers.kernel;

import org.lampyris.samplers.density.LogDensity;

/**
 * Leapfrog steps of Hamilton's equations for H(u, p) = −log π(Lu) + |p|²/2 in the coordinates u =
 * L⁻¹θ: p ← p + ε/2·Lᵀ∇log π(θ), θ ← θ + ε·Lp, p ← p + ε/2·Lᵀ∇log π(θ).
 *
 * <p>The same as momenta of covariance (LLᵀ)⁻¹ in the coordinates θ. A step preserves volume and is
 * undone by a step from its end with the momentum turned. Source: Neal (2011), section 5.2.3.3.
 *
 * @param target the log-density
 * @param preconditioner L
 * @param stepSize ε
 */
record Leapfrog(LogDensity target, Preconditioner preconditioner, double stepSize) {

  /**
   * A point of a trajectory.
   *
   * @param point θ, with its log-density and gradient
   * @param momentum p; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record State(Point point, double[] momentum) {

    /** Returns H: +∞ where the density is 0. */
    double energy() {
      double squares = 0;
      for (double p : momentum) {
        squares += p * p;
      }
      return 0.5 * squares - point.logDensity();
    }
  }

  /** Makes one step, at the price of one gradient. */
  State step(State from) {
    double[] momentum = from.momentum().clone();
    kick(from.point(), momentum);
    double[] theta = from.point().theta().clone();
    preconditioner.addTo(momentum, stepSize, theta);
    Point point = Point.evaluate(target, theta);
    kick(point, momentum);
    return new State(point, momentum);
  }

  private void kick(Point point, double[] momentum) {
    double[] slope = preconditioner.transposed(point.knownGradient());
    for (int i = 0; i < momentum.length; i++) {
      momentum[i] += 0.5 * stepSize * slope[i];
    }
  }
}
