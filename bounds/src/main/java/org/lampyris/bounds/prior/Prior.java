package org.lampyris.bounds.prior;

import java.io.Serializable;

/**
 * Prior density of θ, natural log, with its normalising constant if it has one. θ is never
 * modified; gradients and diagonals have {@link #dimension()} elements and are added to.
 */
public interface Prior extends Serializable {
  /** Returns how many elements θ has. */
  int dimension();

  /**
   * Returns how many elements of θ the rows know, the first ones: those behind are scales of the
   * prior, at which no row looks.
   */
  default int known() {
    return dimension();
  }

  /** Returns the elements of θ that the rows know: θ itself, or a shorter copy. */
  default double[] known(double[] theta) {
    return theta.length == known() ? theta : java.util.Arrays.copyOf(theta, known());
  }

  /** Returns log p(θ): −∞ outside of the support. */
  double logDensity(double[] theta);

  /**
   * Adds ∇ log p(θ), or the gradient of {@link #smoothLogDensity}, to {@code gradient}, returns log
   * p(θ).
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

  /** Returns the point where ∂ log p/∂θ_j jumps; NaN if there is none. */
  default double kink(int j) {
    return alone(j).kink();
  }

  /**
   * Returns half the jump of ∂ log p/∂θ_j at the {@linkplain #kink kink}: its excess over the mean
   * just below, and its deficit just above. 0 if there is none.
   */
  default double kinkSize(int j) {
    return alone(j).kinkSize();
  }
}
