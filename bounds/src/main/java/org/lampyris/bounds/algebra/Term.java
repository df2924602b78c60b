package org.lampyris.bounds.algebra;

/**
 * Operand of a log-likelihood that is written once and evaluated in three ways: a number, a Taylor
 * polynomial of order 2 at a point, and a Taylor polynomial of order 3 whose coefficients are
 * intervals that hold at every point of a box.
 *
 * <p>Constants are doubles, taken as exact. Functions of constants alone, such as log y!, are
 * computed by {@link Math} or {@link org.lampyris.bounds.numeric.LogGamma} and added.
 *
 * <p>Immutable. Outside of a function's domain a number is NaN, and an interval has no ends.
 * Natural logarithms throughout.
 */
public abstract class Term {
  Term() {}

  /** Returns a + b. */
  public abstract Term plus(Term other);

  /** Returns a + c. */
  public abstract Term plus(double constant);

  /** Returns a·b. */
  public abstract Term times(Term other);

  /** Returns c·a. */
  public abstract Term times(double constant);

  /** Returns f(a). */
  abstract Term of(Univariate function);

  /** Returns the term without its memory, if it is {@link Once}. */
  Term plain() {
    return this;
  }

  /** Returns a − b. */
  public final Term minus(Term other) {
    return plus(other.negate());
  }

  /** Returns a − c. */
  public final Term minus(double constant) {
    return plus(-constant);
  }

  /** Returns −a. */
  public final Term negate() {
    return times(-1);
  }

  /** Returns a/b; b is not 0. */
  public final Term over(Term other) {
    return times(other.of(Univariate.RECIPROCAL));
  }

  /** Returns a², at least 0; for an interval that holds 0 it is tighter than a·a. */
  public final Term square() {
    return of(Univariate.SQUARE);
  }

  /** Returns aᵖ for a > 0 and a constant p. */
  public final Term pow(double p) {
    return of(Univariate.power(p));
  }

  /** Returns eᵃ. */
  public final Term exp() {
    return of(Univariate.EXP);
  }

  /** Returns eᵃ − 1, accurate about 0. */
  public final Term expm1() {
    return of(Univariate.EXPM1);
  }

  /** Returns log a for a > 0. */
  public final Term log() {
    return of(Univariate.LOG);
  }

  /** Returns log(1 + a) for a > −1, accurate about 0. */
  public final Term log1p() {
    return of(Univariate.LOG1P);
  }

  /** Returns log(1 + a²). */
  public final Term log1pSquare() {
    return of(Univariate.LOG1P_SQUARE);
  }

  /** Returns log(1 + eᵃ), without overflow. */
  public final Term log1pExp() {
    return of(Univariate.LOG1P_EXP);
  }

  /** Returns log(1 − e⁻ᵃ) for a > 0, accurate about 0. */
  public final Term log1mExp() {
    return of(Univariate.LOG1M_EXP);
  }

  /** Returns log(1 − exp(−eᵃ)), about a where a is far below 0. */
  public final Term log1mExpExp() {
    return of(Univariate.LOG1M_EXP_EXP);
  }

  /** Returns σ(a) = 1/(1 + e⁻ᵃ). */
  public final Term sigmoid() {
    return of(Univariate.SIGMOID);
  }

  /** Returns log σ(a) = −log(1 + e⁻ᵃ). */
  public final Term logSigmoid() {
    return negate().log1pExp().negate();
  }

  /** Returns log(eᵃ + eᵇ) = a + log(1 + e^(b − a)). */
  public final Term logAddExp(Term other) {
    return plus(other.minus(this).log1pExp());
  }

  /** Returns log(eᵃ − eᵇ) = a + log(1 − e^(b − a)) for a > b. */
  public final Term logSubtractExp(Term other) {
    return plus(minus(other).log1mExp());
  }

  /** Returns log Φ(a), Φ the standard normal distribution function. */
  public final Term logPhi() {
    return of(Univariate.LOG_PHI);
  }

  /**
   * Returns log(Φ(a) − Φ(a − d)) for d > 0: in the tail that the two are nearer to, as log Φ(b) +
   * log(1 − Φ(b − d)/Φ(b)).
   */
  public final Term logPhiFrom(Term d) {
    Term from = minus(d);
    boolean upper = middle() + from.middle() > 0;
    Term b = upper ? from.negate() : this;
    Term a = upper ? negate() : from;
    Term apart = b.logPhi().minus(a.logPhi()).narrowed(a, b, d);
    return b.logPhi().plus(apart.log1mExp());
  }

  /** Returns a value that the term has. */
  abstract double middle();

  /**
   * Returns whether the middle of the term's values is below a limit: to choose between two
   * formulas that are equal, the one with narrower intervals.
   */
  public final boolean isBelow(double limit) {
    return middle() < limit;
  }

  /** Returns whether all of the term's values are above 0. */
  public abstract boolean isPositive();

  /**
   * Returns this term, log Φ(b) − log Φ(a) with b = a + d, with intervals as narrow as is known.
   */
  Term narrowed(Term a, Term b, Term d) {
    return this;
  }

  /** Returns Φ(a). */
  public final Term phi() {
    return of(Univariate.PHI);
  }

  /** Returns arccot a = π/2 − arctan a, in (0, π), accurate where it is small. */
  public final Term arccot() {
    return of(Univariate.ARCCOT);
  }

  /** Returns log Γ(a) for a > 0. */
  public final Term logGamma() {
    return of(Univariate.LOG_GAMMA);
  }

  /**
   * Returns log Γ(a + y) − log Γ(a) for a > 0 and a constant y ≥ 0. The difference is taken once,
   * so that its enclosure is not wider than itself.
   */
  public final Term logRising(double y) {
    return of(Univariate.logRising(y));
  }

  /** Returns log Γ(eᵃ + y) − log Γ(eᵃ) − ya, which is about 0 for a large a; y is constant. */
  public final Term logRisingShare(double y) {
    return of(Univariate.logRisingShare(y));
  }

  /** Returns log(1 + a)/a for a ≥ 0, accurate about 0: for products b log(1 + c/b), b large. */
  public final Term log1pRatio() {
    return of(Univariate.LOG1P_RATIO);
  }

  /** Returns log Γ((ν + 1)/2) − log Γ(ν/2) − ½ log(πν) with ν = eᵃ. */
  public final Term studentConstant() {
    return of(Univariate.STUDENT_CONSTANT);
  }
}
