package org.lampyris.samplers.optimize;

/** The log-likelihood of a whole table, whose every evaluation is a pass over the data. */
public interface Objective {

  /** Returns how many elements θ has. */
  int dimension();

  /**
   * Returns Σ_n ℓ_n(θ), its gradient and its Hessian, natural log: one pass.
   *
   * @param theta θ. Not modified, and not kept.
   */
  LikelihoodSum evaluate(double[] theta);
}
