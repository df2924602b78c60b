package org.lampyris.bounds.family;

/**
 * The Laplace approximation N(θ̂, Σ̂) of a posterior.
 *
 * @param mode θ̂; not to be modified
 * @param covariance Σ̂, row-major d × d; not to be modified
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
public record Laplace(double[] mode, double[] covariance) {

  /** Returns the standard deviation of θ_j. */
  public double sd(int j) {
    return Math.sqrt(covariance[j * mode.length + j]);
  }
}
