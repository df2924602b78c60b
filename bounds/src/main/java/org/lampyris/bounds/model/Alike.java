package org.lampyris.bounds.model;

import java.io.Serializable;

/**
 * Which rows have the same third derivatives of log L, where bounds on those take long: log L(η, τ;
 * y) is that of (η − s, τ; y′), but for terms in y alone.
 */
public interface Alike extends Serializable {
  /** Returns s. */
  double location(double y);

  /** Returns y′; NaN if no other row is like this one. */
  double response(double y);

  /** Returns a distance from η − s, within which third derivatives change little. */
  double unit(double eta, double[] tau);
}
