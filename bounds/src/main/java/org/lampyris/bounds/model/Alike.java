package org.lampyris.bounds.model;

import java.io.Serializable;

/**
 * Which rows have the same third derivatives of log L, where bounds on those take long. With s and
 * y′ of a row, log L(η, τ; y) = log L(η − s, τ; y′) plus terms in y alone.
 */
public interface Alike extends LengthScale, Serializable {
  /** Returns s; 0 by default. */
  default double location(double y) {
    return 0;
  }

  /**
   * Returns y′; NaN if no other row is like this one. By default whole numbers, such as counts and
   * classes, are like their equals, and others like none.
   */
  default double response(double y) {
    return y == Math.rint(y) ? y : Double.NaN;
  }
}
