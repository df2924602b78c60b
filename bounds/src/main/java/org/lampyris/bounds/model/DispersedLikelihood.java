package org.lampyris.bounds.model;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The log-likelihood of a row as a function of one linear predictor η, the logarithm τ of a
 * parameter that all rows share, such as a scale, and its response y, natural log.
 */
public interface DispersedLikelihood extends Serializable {
  /** Returns log L(·, τ; ·): what depends on τ alone is computed once for all rows. */
  At at(double tau);

  /**
   * Writes bounds on |∂³η|, |∂²η∂τ|, |∂η∂²τ| and |∂³τ| of log L, in this order, that hold on a box,
   * wherever |η′ − η| ≤ r and |τ′ − τ| ≤ s; +∞, unless overridden, where none is known.
   *
   * @param r r, not negative, possibly +∞
   * @param s s, likewise
   * @param out of length 4. Modified.
   */
  default void thirdDerivatives(
      double eta, double r, double tau, double s, double y, double[] out) {
    Arrays.fill(out, Double.POSITIVE_INFINITY);
  }

  /** A function of η and y. */
  interface At {
    /** Returns log L(η, τ; y). */
    double logLikelihood(double eta, double y);

    /** Returns the size of the largest term in log L, as {@link Likelihood#largestTerm} does. */
    default double largestTerm(double eta, double y) {
      return Math.abs(logLikelihood(eta, y));
    }

    /**
     * Writes ∂η, ∂τ, ∂²η, ∂η∂τ and ∂²τ of log L(η, τ; y), in this order, and returns log L itself.
     *
     * @param out of length 5. Modified.
     */
    double derivatives(double eta, double y, double[] out);
  }
}
