package org.lampyris.samplers.mode;

import java.util.List;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/**
 * The mode of a posterior and the Laplace approximation there.
 *
 * @param laplace N(θ̂, Σ̂), with Σ̂ = (−∇² log posterior at θ̂)⁻¹, or narrower where the ends of
 *     the prior's support are near
 * @param logPosterior the log posterior at θ̂, natural log, with the prior's normalising constant
 *     but not the evidence
 * @param history the passes that evaluated the log posterior
 * @param products the number of further passes for products with its Hessian, which is then not
 *     stored
 */
public record MapFit(
    LaplaceApproximation laplace, double logPosterior, List<NewtonPass> history, int products) {
  /** A fit by Hessians. */
  public MapFit(LaplaceApproximation laplace, double logPosterior, List<NewtonPass> history) {
    this(laplace, logPosterior, history, 0);
  }

  /** Returns θ̂; not to be modified. */
  public double[] theta() {
    return laplace.mode();
  }

  /** Returns Σ̂, row-major d × d; not to be modified: see {@link LaplaceApproximation}. */
  public double[] covariance() {
    return laplace.covariance();
  }

  /** Returns how many passes over the data it took. */
  public int passes() {
    return history.size() + products;
  }

  /** Returns the Laplace approximation's standard deviation of θ_j. */
  public double sd(int j) {
    return laplace.sd(j);
  }
}
