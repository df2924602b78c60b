package org.lampyris.bounds.prior;

import java.io.Serializable;

/**
 * A factor of a prior that joins several elements of θ, natural log. θ is never modified; gradients
 * and diagonals are added to.
 */
public interface PriorTerm extends Serializable {
  /** Returns the logarithm of the factor: −∞ outside of its support. */
  double value(double[] theta);

  /** Adds the gradient to {@code gradient} and returns {@link #value}. */
  double addGradient(double[] theta, double[] gradient);

  /**
   * Returns how many elements of θ, of so many, the rows know: those behind are scales of the
   * prior.
   */
  default int known(int dimension) {
    return dimension;
  }

  /** Returns whether it is the prior of an element of θ, which no other factor knows. */
  default boolean governs(int element) {
    return false;
  }

  /** Adds the diagonal of the Hessian to {@code diagonal}. */
  void addCurvature(double[] theta, double[] diagonal);
}
