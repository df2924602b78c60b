package org.lampyris.bounds.prior;

import java.io.Serializable;

/** The prior density of θ, natural log, with its normalising constant where it has one. */
public interface Prior extends Serializable {

  /** Returns how many elements θ has. */
  int dimension();

  /** Returns log p(θ): −∞ outside of the support. θ is not modified. */
  double logDensity(double[] theta);

  /**
   * Adds ∇ log p(θ) to {@code gradient} and returns log p(θ).
   *
   * @param theta θ. Not modified.
   * @param gradient length {@link #dimension()}. Modified.
   */
  double addGradient(double[] theta, double[] gradient);

  /**
   * Adds the diagonal of ∇² log p(θ) (the prior is a product over elements) to {@code diagonal}.
   *
   * @param theta θ. Not modified.
   * @param diagonal length {@link #dimension()}. Modified.
   */
  void addCurvature(double[] theta, double[] diagonal);
}
