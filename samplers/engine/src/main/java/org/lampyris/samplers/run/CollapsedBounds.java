package org.lampyris.samplers.run;

import org.lampyris.bounds.bound.CollapsedQuadratic;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/** Σ_n log B_n of the lower bounds that were precomputed for a table. */
public interface CollapsedBounds {
  /**
   * Returns the normal approximation that the bounds were made by: the mode that they are tight at,
   * and the posterior sds of their ball. If rows have been added since, the posterior is another
   * one.
   */
  LaplaceApproximation about();

  /**
   * Returns the sum of the bounds that are tight at the mode, about it.
   *
   * @throws IllegalStateException if the family has no lower bound
   */
  CollapsedQuadratic collapsed();

  /** Returns whether these bounds hold within {@link #radius} of the mode; else everywhere. */
  boolean isLocal();

  /** Returns the radius of the ball in which the local bounds hold, in posterior sds. */
  double radius();
}
