package org.lampyris.bounds.family.negativebinomial;

import org.lampyris.bounds.family.binary.LogisticLikelihood;
import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.numeric.Parameters;

/**
 * Negative binomial regression with a logarithmic link: y ∈ {0, 1, 2, …} has mean μ = e^η and
 * variance μ + μ²/φ, φ the shape. But for a constant it is y successes and φ failures with log-odds
 * u = η − log φ: log L = y log σ(u) + φ log σ(−u) + …, natural log. So d log L/dη = y·σ(−u) −
 * φ·σ(u) and d² log L/dη² = −(y + φ)σ(u)σ(−u): concave, and bounded.
 */
public final class NegativeBinomialLikelihood extends GivenDispersion {
  private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

  private final GivenShape given;

  /** Takes the shape φ, above 0. */
  public NegativeBinomialLikelihood(double shape) {
    this(new GivenShape(Parameters.requirePositive("shape", shape), Math.log(shape)));
  }

  private NegativeBinomialLikelihood(GivenShape given) {
    super(given);
    this.given = given;
  }

  /** {@inheritDoc} Here d²log L/dη² = −(y + φ)σ(u)σ(−u), the shape φ being given. */
  @Override
  public boolean isConcave() {
    return true;
  }

  /** Returns u, the log-odds of a success. */
  double logOdds(double eta) {
    return given.u(eta);
  }

  /** Returns y + φ, how many successes and failures there are. */
  double trials(double y) {
    return y + given.shape();
  }

  /** {@inheritDoc} That of y + φ logistic rows. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return trials(y) * TRIAL.derivativeBound(order, 1, given.u(low), given.u(high));
  }
}
