package org.lampyris.samplers.optimize;

import java.util.List;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.scale.InterceptShift;

/**
 * The mode of a posterior and the Laplace approximation there.
 *
 * @param laplace N(θ̂, Σ̂), with Σ̂ = (−∇² log posterior at θ̂)⁻¹, or narrower where the ends of
 *     the prior's support are near
 * @param logPosterior the log posterior at θ̂, natural log, with the prior's normalising constant
 *     but not the evidence
 */
public record MapFit(LaplaceApproximation laplace, double logPosterior, List<NewtonPass> history) {
  /** Returns θ̂; not to be modified. */
  public double[] theta() {
    return laplace.mode();
  }

  /** Returns Σ̂, row-major d × d; not to be modified. */
  public double[] covariance() {
    return laplace.covariance();
  }

  /** Returns how many passes over the data it took. */
  public int passes() {
    return history.size();
  }

  /** Returns the Laplace approximation's standard deviation of θ_j. */
  public double sd(int j) {
    return laplace.sd(j);
  }

  /** Returns the fit in θ of this one in γ, whose intercepts are η at a point of the columns. */
  MapFit stored(InterceptShift point) {
    LaplaceApproximation there =
        new LaplaceApproximation(
            point.toStored(theta()), point.covarianceToStored(covariance(), theta().length));
    return new MapFit(there, logPosterior, history);
  }
}
