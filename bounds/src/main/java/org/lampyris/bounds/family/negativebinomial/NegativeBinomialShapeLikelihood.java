package org.lampyris.bounds.family.negativebinomial;

import org.lampyris.bounds.model.DispersedLikelihood;

/**
 * Negative binomial regression with a logarithmic link and its shape φ = e^τ sampled: y ∈ {0, 1, 2,
 * …} has mean μ = e^η and variance μ + μ²/φ. The formulas are those of {@link GivenShape}.
 */
public final class NegativeBinomialShapeLikelihood implements DispersedLikelihood {
  @Override
  public At at(double tau) {
    return new GivenShape(Math.exp(tau), tau);
  }
}
