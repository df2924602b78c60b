package org.lampyris.samplers.mhss;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.bound.TaylorProxy;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.samplers.chain.StartingPoint;
import org.lampyris.samplers.kernel.Preconditioner;
import org.lampyris.samplers.kernel.ProposalKernel;

/**
 * The heights M(θ, θ′) that steps will need, from θ drawn under the Laplace approximation and θ′
 * proposed from it: for how thick a slab of points is to be, and for what a step costs.
 */
public final class PointHeights {
  private static final int DRAWS = 2000;

  private final double[] sorted;

  /**
   * Draws heights.
   *
   * @param proxy the rows' proxies
   * @param kernel proposes
   * @param laplace the Laplace approximation
   * @param rng decides
   */
  public PointHeights(
      TaylorProxy proxy,
      ProposalKernel kernel,
      LaplaceApproximation laplace,
      UniformRandomProvider rng) {
    this.sorted = new double[DRAWS];
    Preconditioner factor = Preconditioner.of(laplace);
    for (int i = 0; i < DRAWS; i++) {
      double[] theta = StartingPoint.laplace(laplace.mode(), factor, 1, rng);
      sorted[i] = proxy.factor(theta, kernel.propose(theta, rng));
    }
    Arrays.sort(sorted);
  }

  /** Returns E M(θ, θ′). */
  public double mean() {
    return Arrays.stream(sorted).average().orElseThrow();
  }

  /** Returns the share of steps that need a height or more. */
  public double shareFrom(double height) {
    return Arrays.stream(sorted).filter(one -> one >= height).count() / (double) DRAWS;
  }

  /** Returns a height that hardly any step exceeds: the largest of 2,000. */
  public double largest() {
    return sorted[DRAWS - 1];
  }
}
