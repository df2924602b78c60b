package org.lampyris.samplers.kernel;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * A Metropolis–Hastings kernel whose proposal can be had without its decision, for algorithms that
 * decide by a subsample of the rows.
 */
public interface ProposalKernel extends ThetaKernel {

  /**
   * Draws θ' from q(θ' | θ).
   *
   * @param theta θ. Not modified.
   * @param rng the stream of this step
   */
  double[] propose(double[] theta, UniformRandomProvider rng);

  /**
   * Returns log q(θ | θ') − log q(θ' | θ): 0 for a symmetric proposal.
   *
   * @param theta θ. Not modified.
   * @param proposal θ'. Not modified.
   */
  double correction(double[] theta, double[] proposal);
}
