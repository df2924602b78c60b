package org.lampyris.bounds.family.binomial;

import org.lampyris.bounds.family.binary.LocalTrialsBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;

/** The local bound of a trial, whatever the share of successes; the trials are in the weight. */
public final class LocalBinomialBound extends LocalTrialsBound {
  /** Returns the bound in the ball of radius R, above 0. */
  public LocalBinomialBound(LaplaceApproximation laplace, double radius) {
    super(new BinomialLikelihood(), 0, laplace, radius);
  }

  @Override
  protected double trials(double y) {
    return 1;
  }
}
