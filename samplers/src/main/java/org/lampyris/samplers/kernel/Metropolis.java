package org.lampyris.samplers.kernel;

/** The Metropolis rule for symmetric proposals. */
public final class Metropolis {

  private Metropolis() {}

  /**
   * Returns min(1, exp(proposed − current)).
   *
   * <p>A proposal of density zero is never accepted; a chain that is at a point of density zero
   * (only a starting point can be) moves to any point of positive density.
   *
   * @param current the log-density at the current point
   * @param proposed the log-density at the proposal
   */
  public static double acceptanceProbability(double current, double proposed) {
    if (proposed == Double.NEGATIVE_INFINITY || Double.isNaN(proposed)) {
      return 0;
    }
    return proposed >= current ? 1 : Math.exp(proposed - current);
  }
}
