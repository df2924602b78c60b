package org.lampyris.bounds.model;

import java.util.Arrays;

/**
 * {@link JointLikelihood} of one linear predictor η and the logarithm τ of one further parameter,
 * such as a scale. Its derivatives are ∂η, ∂τ, ∂²η, ∂η∂τ and ∂²τ, in this order.
 */
public interface DispersedLikelihood extends JointLikelihood {
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

  @Override
  default int parameters() {
    return 1;
  }

  @Override
  default At at(double[] tau) {
    return at(tau[0]);
  }

  @Override
  default void thirdDerivatives(double[] center, double[] reach, double y, double[] out) {
    thirdDerivatives(center[0], reach[0], center[1], reach[1], y, out);
  }
}
