package org.lampyris.bounds.algebra;

import org.lampyris.bounds.model.DispersedLikelihood;

/**
 * Log-likelihood of a row, log L(η, τ; y), that is written once as a {@link Term} in a linear
 * predictor and one further parameter: see {@link DerivedJointLikelihood}.
 */
public abstract class DerivedDispersedLikelihood extends DerivedJointLikelihood
    implements DispersedLikelihood {
  protected DerivedDispersedLikelihood() {
    super(1);
  }

  /**
   * Returns log L(η, τ; y), natural log. The formula may depend on y by {@code if} and {@code for}.
   */
  protected abstract Term logLikelihood(Term eta, Term tau, double y);

  @Override
  public double expense() {
    return 15;
  }

  @Override
  protected final Term logLikelihood(Term eta, Term[] tau, double y) {
    return logLikelihood(eta, tau[0], y);
  }

  /** Returns the same likelihood at a given τ; it is called concave in η if the caller knows. */
  public final DerivedLikelihood given(double tau, boolean isConcave) {
    return given(new double[] {tau}, isConcave);
  }

  @Override
  public final At at(double tau) {
    return at(new double[] {tau});
  }

  @Override
  public final void thirdDerivatives(
      double eta, double r, double tau, double s, double y, double[] out) {
    thirdDerivatives(new double[] {eta, tau}, new double[] {r, s}, y, out);
  }
}
