package org.lampyris.samplers.kernel;

import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.samplers.random.Noise;

/**
 * Metropolis–Hastings kernel whose proposal is separate from its decision, for algorithms that
 * decide by a subsample of the rows.
 *
 * <p>One evaluation of the target a step, asked for with the current point's where that is not
 * known.
 */
public interface ProposalKernel extends ThetaKernel {
  /** Draws θ' from q(θ' | θ). θ is not modified. */
  double[] propose(double[] theta, Noise noise);

  /** Draws θ' with the random numbers of a stream. */
  default double[] propose(double[] theta, UniformRandomProvider rng) {
    return propose(theta, Noise.of(rng));
  }

  /** Returns log q(θ | θ') − log q(θ' | θ): 0 for a symmetric proposal. Neither is modified. */
  double correction(double[] theta, double[] proposal);

  /**
   * Moves what no row depends on, before a proposal: returns another θ of the same likelihood,
   * drawn by a kernel that leaves the prior invariant; here θ itself. θ is not modified.
   */
  default double[] refreshed(double[] theta, Noise noise) {
    return theta;
  }

  /**
   * Returns the adaptation's figure for a proposal accepted with some probability: {@link
   * Step#tuning}; NaN for none.
   */
  default double tuning(double[] theta, double[] proposal, double probability) {
    return probability;
  }

  @Override
  default Step step(LogDensity target, Point point, Noise noise) {
    double[] theta = point.theta();
    double[] proposal = propose(theta, noise);
    double[] logDensity = point.logDensities(target, proposal);
    return Metropolis.step(
        new Point(theta, logDensity[0]),
        new Point(proposal, logDensity[1]),
        correction(theta, proposal),
        noise);
  }
}
