package org.lampyris.bounds.prior;

import java.io.Serializable;

/**
 * The prior density of θ, natural log, with its normalising constant where it has one. θ is never
 * modified; gradients and diagonals have {@link #dimension()} elements and are added to.
 */
public interface Prior extends Serializable {
  /** Returns how many elements θ has. */
  int dimension();

  /** Returns log p(θ): −∞ outside of the support. */
  double logDensity(double[] theta);

  /**
   * Adds ∇ log p(θ), or that of {@link #smoothLogDensity}, to {@code gradient}, returns log p(θ).
   */
  double addGradient(double[] theta, double[] gradient);

  /** Returns log p(θ), or a smooth function in place of a density with poles. */
  default double smoothLogDensity(double[] theta) {
    return logDensity(theta);
  }

  /**
   * Adds the diagonal of ∇² log p(θ) (the prior is a product over elements) to {@code diagonal}.
   */
  void addCurvature(double[] theta, double[] diagonal);

  /**
   * Returns the prior of θ_j that has the ends, the precision and the kink of this one: or flat.
   */
  default UnivariatePrior alone(int j) {
    return new UnivariatePrior.Flat();
  }

  /** Returns the least value that θ_j may take: −∞ unless the support is bounded. */
  default double lower(int j) {
    return alone(j).lower();
  }

  /** Returns the greatest value that θ_j may take: +∞ unless the support is bounded. */
  default double upper(int j) {
    return alone(j).upper();
  }

  /** Returns the precision of θ_j that the prior alone gives: {@link UnivariatePrior#precision}. */
  default double precision(int j) {
    return alone(j).precision();
  }

  /** Returns where ∂ log p/∂θ_j jumps, NaN where it does so nowhere. */
  default double kink(int j) {
    return alone(j).kink();
  }

  /**
   * Returns by how much ∂ log p/∂θ_j exceeds its mean just below the {@linkplain #kink kink}, and
   * falls short of it just above. 0 where there is none.
   */
  default double kinkSize(int j) {
    return alone(j).kinkSize();
  }
}
