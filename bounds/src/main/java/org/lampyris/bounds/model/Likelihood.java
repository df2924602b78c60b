package org.lampyris.bounds.model;

import java.io.Serializable;

/**
 * The log-likelihood of a row as a function of one linear predictor η = x_nᵀθ and its response,
 * natural log, and its derivatives in η.
 */
public interface Likelihood extends Serializable {

  /** Returns the family's name, as the configuration spells it. */
  String family();

  /**
   * Returns log L(η; y).
   *
   * @param eta the linear predictor η
   * @param y the response
   */
  double logLikelihood(double eta, double y);

  /** Returns d log L(η; y) / dη. */
  double derivative(double eta, double y);

  /** Returns d² log L(η; y) / dη². */
  double secondDerivative(double eta, double y);

  /**
   * Returns a bound on |dᵏ log L(η; y) / dηᵏ| that holds for every η between two ends, for k = 2
   * and 3: what the remainder of a Taylor expansion of order k − 1 follows from. +∞, unless
   * overridden, where none is known.
   *
   * @param order k, 2 or 3
   * @param y the response
   * @param low the lower end, possibly −∞
   * @param high the upper end, possibly +∞
   */
  default double derivativeBound(int order, double y, double low, double high) {
    return Double.POSITIVE_INFINITY;
  }
}
