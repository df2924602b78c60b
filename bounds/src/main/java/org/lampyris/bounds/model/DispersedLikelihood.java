package org.lampyris.bounds.model;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Log-likelihood of a row as a function of one linear predictor η, the logarithm τ of a parameter
 * shared by all rows, such as a scale, and the response y, natural log.
 */
public interface DispersedLikelihood extends Serializable {
  /** Returns log L(·, τ; ·); terms in τ alone are computed once for all rows. */
  At at(double tau);

  /**
   * Writes bounds on |∂³η|, |∂²η∂τ|, |∂η∂²τ| and |∂³τ| of log L, in this order, on the box |η′ − η|
   * ≤ r, |τ′ − τ| ≤ s. The default is +∞, for no known bound.
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
