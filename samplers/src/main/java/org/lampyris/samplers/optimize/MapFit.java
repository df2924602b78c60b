package org.lampyris.samplers.optimize;

import java.util.List;

/**
 * The mode of a posterior and the Laplace approximation N(θ̂, Σ̂) there.
 *
 * @param theta θ̂; not to be modified
 * @param logPosterior the log posterior at θ̂, natural log, with the prior's normalising constant
 *     but not the evidence
 * @param covariance Σ̂ = (−∇² log posterior at θ̂)⁻¹, row-major d × d; not to be modified
 * @param history every pass over the data, in order
 */
@SuppressWarnings("ArrayRecordComponent") // a result, never compared
public record MapFit(
    double[] theta, double logPosterior, double[] covariance, List<NewtonPass> history) {

  /** Returns how many passes over the data it took. */
  public int passes() {
    return history.size();
  }

  /** Returns the Laplace approximation's standard deviation of θ_j. */
  public double sd(int j) {
    return Math.sqrt(covariance[j * theta.length + j]);
  }
}
