package org.lampyris.bounds.model;

import java.io.Serializable;

/**
 * Bounds on the third derivatives of a row's log-likelihood, in the order of {@link
 * JointLikelihood}.
 */
@FunctionalInterface
public interface ThirdDerivatives extends Serializable {
  /**
   * Writes bounds on the absolute third derivatives of log L in a box, +∞ for none.
   *
   * @param center of the box, (η, τ_1, …, τ_m). Not modified.
   * @param reach half of its widths, not negative, possibly +∞. Not modified.
   * @param out of length {@link JointLikelihood#thirds}. Modified.
   */
  void thirdDerivatives(double[] center, double[] reach, double y, double[] out);
}
