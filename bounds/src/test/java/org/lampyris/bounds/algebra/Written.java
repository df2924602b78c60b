package org.lampyris.bounds.algebra;

import org.lampyris.bounds.numeric.LogGamma;

/** Likelihoods of families that have hand-made bounds, written in the algebra. */
final class Written {
  private Written() {}

  /** A formula in η. */
  interface One extends java.io.Serializable {
    Term of(Term eta, double y);
  }

  /** A formula in η and τ. */
  interface Two extends java.io.Serializable {
    Term of(Term eta, Term tau, double y);
  }

  static DerivedLikelihood one(One of) {
    return new DerivedLikelihood() {
      @Override
      protected Term logLikelihood(Term eta, double y) {
        return of.of(eta, y);
      }
    };
  }

  static DerivedDispersedLikelihood two(Two of) {
    return new DerivedDispersedLikelihood() {
      @Override
      protected Term logLikelihood(Term eta, Term tau, double y) {
        return of.of(eta, tau, y);
      }
    };
  }

  static DerivedLikelihood logistic() {
    return one((eta, y) -> eta.times(y).logSigmoid());
  }

  static DerivedLikelihood probit() {
    return one((eta, y) -> eta.times(y).logPhi());
  }

  static DerivedLikelihood binomial() {
    return one((eta, y) -> eta.times(y).minus(eta.log1pExp()));
  }

  static DerivedLikelihood poisson() {
    return one((eta, y) -> eta.times(y).minus(eta.exp()).minus(LogGamma.of(y + 1)));
  }

  static DerivedLikelihood gamma(double shape) {
    double constant = shape * Math.log(shape) - LogGamma.of(shape);
    return one(
        (eta, y) ->
            eta.plus(eta.negate().exp().times(y))
                .times(-shape)
                .plus(constant + (shape - 1) * Math.log(y)));
  }

  /** t = log y − η, α(τ + t − eᵗ) − log Γ(α) − log y. */
  static DerivedDispersedLikelihood gammaShape() {
    return two(
        (eta, tau, y) -> {
          Term t = eta.negate().plus(Math.log(y));
          Term shape = tau.exp();
          return shape.times(tau.plus(t).minus(t.exp())).minus(shape.logGamma()).minus(Math.log(y));
        });
  }

  static DerivedLikelihood negativeBinomial(double shape) {
    double log = Math.log(shape);
    return one(
        (eta, y) -> {
          Term s = eta.minus(log);
          return s.times(y)
              .minus(s.log1pExp().times(y + shape))
              .plus(LogGamma.of(y + shape) - LogGamma.of(shape) - LogGamma.of(y + 1));
        });
  }

  /** s = η − τ, ys − (y + φ) log(1 + eˢ) + log Γ(φ + y) − log Γ(φ) − log y!. */
  static DerivedDispersedLikelihood negativeBinomialShape() {
    return two(
        (eta, tau, y) -> {
          Term s = eta.minus(tau);
          Term shape = tau.exp();
          return s.times(y)
              .minus(s.log1pExp().times(shape.plus(y)))
              .plus(shape.logRising(y))
              .minus(LogGamma.of(y + 1));
        });
  }

  static DerivedDispersedLikelihood betaPrecision() {
    return two(
        (eta, tau, y) -> {
          Term phi = tau.exp();
          Term a = phi.times(eta.sigmoid());
          Term b = phi.times(eta.negate().sigmoid());
          return phi.logGamma()
              .minus(a.logGamma())
              .minus(b.logGamma())
              .plus(a.minus(1).times(Math.log(y)))
              .plus(b.minus(1).times(Math.log1p(-y)));
        });
  }

  private static double student(double df) {
    return LogGamma.halfStep(df / 2) - 0.5 * Math.log(Math.PI * df);
  }

  static DerivedLikelihood robust(double df, double scale) {
    return one(
        (eta, y) ->
            eta.minus(y)
                .times(1 / (scale * Math.sqrt(df)))
                .log1pSquare()
                .times(-(df + 1) / 2)
                .plus(student(df) - Math.log(scale)));
  }

  static DerivedDispersedLikelihood robustScale(double df) {
    return two(
        (eta, tau, y) ->
            eta.minus(y)
                .times(tau.negate().exp().times(1 / Math.sqrt(df)))
                .log1pSquare()
                .times(-(df + 1) / 2)
                .minus(tau)
                .plus(student(df)));
  }

  static DerivedDispersedLikelihood gaussianScale() {
    return two(
        (eta, tau, y) ->
            eta.minus(y)
                .times(tau.negate().exp())
                .square()
                .times(-0.5)
                .minus(tau)
                .minus(0.5 * Math.log(2 * Math.PI)));
  }

  /** P(y ≤ 0) = σ(−η) and P(y ≤ 1) = σ(e^κ − η). */
  static DerivedDispersedLikelihood ordinalOfThree() {
    return two(
        (eta, kappa, y) -> {
          Term gap = kappa.exp();
          Term below = gap.minus(eta);
          return y == 0
              ? eta.negate().logSigmoid().plus(kappa.times(0))
              : y == 1
                  ? below.logSigmoid().plus(eta.logSigmoid()).plus(gap.log1mExp())
                  : below.negate().logSigmoid();
        });
  }
}
