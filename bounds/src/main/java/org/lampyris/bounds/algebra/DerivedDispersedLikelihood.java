package org.lampyris.bounds.algebra;

import org.lampyris.bounds.model.DispersedLikelihood;

/**
 * Log-likelihood of a row, log L(η, τ; y), that is written once as a {@link Term} in a linear
 * predictor and a parameter shared by all rows: see {@link DerivedLikelihood}. The {@linkplain
 * org.lampyris.bounds.bound.LocalDispersedBound local bound} follows from the four third
 * derivatives' bounds on a box.
 */
public abstract class DerivedDispersedLikelihood implements DispersedLikelihood {
  private static final Monomials POINT = new Monomials(2, 2);
  private static final Monomials BOX = new Monomials(2, 3);
  private static final Monomials VALUE = new Monomials(2, 0);
  private static final int[] THIRD = {BOX.at(3, 0), BOX.at(2, 1), BOX.at(1, 2), BOX.at(0, 3)};
  private static final int[] SECOND = {POINT.at(2, 0), POINT.at(1, 1), POINT.at(0, 2)};

  /**
   * Returns log L(η, τ; y), natural log. The formula may depend on y by {@code if} and {@code for}.
   */
  protected abstract Term logLikelihood(Term eta, Term tau, double y);

  /** Returns the same likelihood at a given τ; it is called concave in η if the caller knows. */
  public final DerivedLikelihood given(double tau, boolean isConcave) {
    return new AtGiven(this, tau, isConcave);
  }

  @Override
  public final At at(double tau) {
    return new Given(this, tau);
  }

  @Override
  public final void thirdDerivatives(
      double eta, double r, double tau, double s, double y, double[] out) {
    new Bisection(BOX, THIRD, at -> (Enclosure) logLikelihood(at[0], at[1], y))
        .largest(new double[] {eta - r, tau - s}, new double[] {eta + r, tau + s}, out);
  }

  private static final class AtGiven extends DerivedLikelihood {
    private final DerivedDispersedLikelihood likelihood;
    private final double tau;
    private final boolean concave;

    AtGiven(DerivedDispersedLikelihood likelihood, double tau, boolean concave) {
      this.likelihood = likelihood;
      this.tau = tau;
      this.concave = concave;
    }

    @Override
    protected Term logLikelihood(Term eta, double y) {
      return likelihood.logLikelihood(eta, eta.times(0).plus(tau), y);
    }

    @Override
    public boolean isConcave() {
      return concave;
    }
  }

  private record Given(DerivedDispersedLikelihood likelihood, double tau)
      implements At, java.io.Serializable {
    @Override
    public double logLikelihood(double eta, double y) {
      return ((Scalar) likelihood.logLikelihood(new Scalar(eta), new Scalar(tau), y)).value;
    }

    @Override
    public double largestTerm(double eta, double y) {
      return DerivedLikelihood.largestTerm(
          (Enclosure)
              likelihood.logLikelihood(
                  Enclosure.variable(VALUE, 0, eta, eta),
                  Enclosure.variable(VALUE, 1, tau, tau),
                  y));
    }

    @Override
    public double derivatives(double eta, double y, double[] out) {
      Jet at =
          (Jet)
              likelihood.logLikelihood(Jet.variable(POINT, 0, eta), Jet.variable(POINT, 1, tau), y);
      out[0] = at.coefficient(1);
      out[1] = at.coefficient(2);
      out[2] = 2 * at.coefficient(SECOND[0]);
      out[3] = at.coefficient(SECOND[1]);
      out[4] = 2 * at.coefficient(SECOND[2]);
      return at.coefficient(0);
    }
  }
}
