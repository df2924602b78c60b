package org.lampyris.samplers.kernel;

/**
 * An unnormalised log-density of θ, natural log, wherever it is evaluated.
 *
 * <p>A call may cost a pass over the data or a cluster job, so several points are asked for at once
 * where they are known at once.
 */
public interface LogDensity {
  /** Returns how many elements θ has. */
  int dimension();

  /**
   * Writes the log-density at several points: −∞ outside of the support, never NaN.
   *
   * @param out one element for each point. Modified.
   */
  void values(double[][] thetas, double[] out);

  /**
   * Returns the log-density at a point and writes its gradient.
   *
   * @param theta the point. Not modified.
   * @param gradient length {@link #dimension()}; overwritten. Modified.
   * @throws UnsupportedOperationException if the density has no gradient, as by default
   */
  default double valueAndGradient(double[] theta, double[] gradient) {
    throw new UnsupportedOperationException(getClass() + " has no gradient");
  }

  /** Returns the log-density at one point. */
  default double value(double[] theta) {
    double[] out = new double[1];
    values(new double[][] {theta}, out);
    return out[0];
  }
}
