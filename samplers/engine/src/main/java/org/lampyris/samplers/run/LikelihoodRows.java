package org.lampyris.samplers.run;

/**
 * Rows for a full-data sampler: each question is a pass over all of them. In memory, or spread over
 * a cluster.
 */
public interface LikelihoodRows {
  /** Returns the number of rows. */
  long rows();

  /**
   * Returns Σ_n log L_n(θ_k) for each point, natural log, then, if requested, each point's
   * gradient, with d elements. The points are not modified.
   */
  double[] ask(double[][] thetas, boolean gradient);
}
