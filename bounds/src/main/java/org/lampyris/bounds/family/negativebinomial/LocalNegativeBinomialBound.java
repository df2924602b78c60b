package org.lampyris.bounds.family.negativebinomial;

import org.lampyris.bounds.family.binary.LocalTrialsBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/** The local bound of a count with a given shape φ: that of y + φ trials with u = η − log φ. */
public final class LocalNegativeBinomialBound extends LocalTrialsBound {
  private final double shape;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalNegativeBinomialBound(double shape, LaplaceApproximation laplace, double radius) {
    super(new NegativeBinomialLikelihood(shape), Math.log(shape), laplace, radius);
    this.shape = shape;
  }

  @Override
  protected double trials(double y) {
    return y + shape;
  }
}
