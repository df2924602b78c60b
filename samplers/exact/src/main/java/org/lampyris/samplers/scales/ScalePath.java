package org.lampyris.samplers.scales;

/**
 * A curve through the space of (b, φ) along which one scale φ_k changes while something of b is
 * held fixed.
 */
interface ScalePath {
  /**
   * Returns log π̂ + {@link #logVolume} at a φ_k, up to a constant, π̂ with a quadratic in place of
   * the log-likelihood; −∞ outside of the support.
   */
  double logSurrogate(double x);

  /** Returns log |∂b/∂(what is held fixed)| at a φ_k, up to a constant. */
  double logVolume(double x);

  /**
   * Moves to a φ_k.
   *
   * @param phi φ of the group; modified
   * @param b its coefficients; modified
   */
  void move(double x, double[] phi, double[] b);
}
