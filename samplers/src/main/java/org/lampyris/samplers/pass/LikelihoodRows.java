package org.lampyris.samplers.pass;

/**
 * The rows as a full-data sampler sees them: each question is a pass over all of them. In memory,
 * or spread over a cluster.
 */
public interface LikelihoodRows {
  /** Returns how many rows there are. */
  long rows();

  /**
   * Returns Σ_n log L_n(θ_k) for each point and, where asked for, its gradient: packed as for each
   * point the value, then for each point the gradient.
   *
   * @param chain the number of the chain that asks
   * @param thetas the points. Not modified.
   * @param gradient whether gradients are wanted too
   * @return thetas.length values, then, if asked for, thetas.length × d gradient elements
   */
  double[] ask(int chain, double[][] thetas, boolean gradient);
}
