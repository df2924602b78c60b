package org.lampyris.bounds.prior;

import org.lampyris.bounds.numeric.StableMath;

/**
 * The prior of t = log(x/(1 − x)) where the share x in (0, 1) has a given prior: log p(t) = log
 * p_x(σ(t)) + log σ(t) + log σ(−t), with the Jacobian dx/dt = σ(t)σ(−t). A share is sampled as t.
 *
 * @param ofShare the prior of x, uniform on numbers from 0 to 1
 */
public record LogitSharePrior(Uniform ofShare) implements UnivariatePrior {
  /** Checks that the prior is one of a share. */
  public LogitSharePrior {
    if (ofShare.lower() < 0 || ofShare.upper() > 1) {
      throw new IllegalArgumentException(
          "the prior of a share has no values outside of 0 … 1, unlike " + ofShare);
    }
  }

  @Override
  public double logDensity(double t) {
    double x = StableMath.sigmoid(t);
    return ofShare.logDensity(x) + StableMath.logSigmoid(t) + StableMath.logSigmoid(-t);
  }

  @Override
  public double derivative(double t) {
    return StableMath.sigmoid(-t) - StableMath.sigmoid(t);
  }

  @Override
  public double secondDerivative(double t) {
    return -2 * StableMath.sigmoid(t) * StableMath.sigmoid(-t);
  }

  /**
   * Refuses: a multiple of a logit is no logit of a multiple.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  public UnivariatePrior scaled(double factor) {
    throw new UnsupportedOperationException("the logit of a share cannot be rescaled");
  }

  @Override
  public double lower() {
    double t = Math.log(ofShare.lower() / (1 - ofShare.lower()));
    while (StableMath.sigmoid(t) < ofShare.lower()) {
      t = Math.nextUp(t);
    }
    return t;
  }

  @Override
  public double upper() {
    double t = Math.log(ofShare.upper() / (1 - ofShare.upper()));
    while (StableMath.sigmoid(t) > ofShare.upper()) {
      t = Math.nextDown(t);
    }
    return t;
  }

  @Override
  public String toString() {
    return "logit_share(" + ofShare + ")";
  }
}
