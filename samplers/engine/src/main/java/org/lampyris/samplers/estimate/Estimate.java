package org.lampyris.samplers.estimate;

import java.io.Serializable;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.minibatch.BatchRows;

/** Estimator of Σ_n ℓ_n(θ), up to a constant, from rows that are drawn independently of θ. */
@FunctionalInterface
public interface Estimate extends Serializable {
  /**
   * Estimates.
   *
   * @param thetas one or several θ, whose estimates may depend on each other. Not modified.
   * @param rows by the permutation of the iteration
   */
  Estimated of(double[][] thetas, long iteration, BatchRows rows, UniformRandomProvider rng);

  /**
   * Estimated values.
   *
   * @param values for each θ
   * @param evaluations how many (row, θ) pairs had their likelihood evaluated
   */
  record Estimated(double[] values, long evaluations) {}
}
