package org.lampyris.samplers.kernel;

import org.lampyris.samplers.random.Noise;

/** The Metropolis–Hastings rule. */
public final class Metropolis {
  private Metropolis() {}

  /** Returns min(1, exp(proposed − current)), for a symmetric proposal. */
  public static double acceptanceProbability(double current, double proposed) {
    return acceptanceProbability(current, proposed, 0);
  }

  /**
   * Returns min(1, exp(proposed − current + correction)).
   *
   * <p>A proposal of density zero is never accepted; a chain at a point of density zero, which only
   * a starting point can be, moves to any point of positive density. If something is NaN, the
   * proposal is not accepted.
   *
   * @param correction log q(θ | θ') − log q(θ' | θ), with q the density of the proposal
   */
  static double acceptanceProbability(double current, double proposed, double correction) {
    if (proposed == Double.NEGATIVE_INFINITY || Double.isNaN(proposed)) {
      return 0;
    }
    if (current == Double.NEGATIVE_INFINITY) {
      return 1;
    }
    double logRatio = proposed - current + correction;
    if (Double.isNaN(logRatio)) {
      return 0;
    }
    return logRatio >= 0 ? 1 : Math.exp(logRatio);
  }

  /** Makes the step to the proposal, or stays; the correction is as above. */
  static ThetaKernel.Step step(Point current, Point proposed, double correction, Noise noise) {
    double probability =
        acceptanceProbability(current.logDensity(), proposed.logDensity(), correction);
    return new ThetaKernel.Step(noise.flip(probability) ? proposed : current, probability, false);
  }
}
