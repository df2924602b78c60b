package org.lampyris.samplers.kernel;

/**
 * Where a chain is.
 *
 * @param theta θ; copied
 * @param logDensity the target's log-density at θ, natural log without its normalising constant;
 *     NaN where it has to be evaluated anew because the target has changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Point(double[] theta, double logDensity) {

  /** Copies θ. */
  public Point {
    theta = theta.clone();
  }

  /** Returns a point whose log-density is not known. */
  public static Point at(double[] theta) {
    return new Point(theta, Double.NaN);
  }

  /** Returns true if the log-density at θ is known. */
  public boolean isEvaluated() {
    return !Double.isNaN(logDensity);
  }

  /** Returns this point with its log-density forgotten, for a target that changes. */
  public Point forgetDensity() {
    return at(theta);
  }
}
