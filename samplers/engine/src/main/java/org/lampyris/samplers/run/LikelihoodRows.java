package org.lampyris.samplers.run;

/**
 * The rows as a full-data sampler sees them: each question is a pass over all of them. In memory,
 * or spread over a cluster.
 */
public interface LikelihoodRows {
  /** Returns how many rows there are. */
  long rows();

  /**
   * Returns Σ_n log L_n(θ_k) for each point, natural log, then, where asked for, each point's
   * gradient, of d elements. The points are not modified.
   */
  double[] ask(double[][] thetas, boolean gradient);
}
