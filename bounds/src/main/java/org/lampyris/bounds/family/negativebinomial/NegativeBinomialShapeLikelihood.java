package org.lampyris.bounds.family.negativebinomial;

import org.lampyris.bounds.family.binary.LogisticLikelihood;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Negative binomial regression with a logarithmic link and its shape φ = e^τ sampled: y ∈ {0, 1, 2,
 * …} has mean μ = e^η and variance μ + μ²/φ. The formulas are those of {@link GivenShape}.
 */
public final class NegativeBinomialShapeLikelihood implements DispersedLikelihood {
  private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

  @Override
  public At at(double tau) {
    return new GivenShape(Math.exp(tau), tau);
  }

  /**
   * {@inheritDoc}
   *
   * <p>With n = y + φ, p = y/n, u = η − τ, σ = σ(u), w = σ(1 − σ) and t = log(n/φ) − log(1 + eᵘ),
   *
   * <pre>∂³η = −nw(1 − 2σ), ∂²η∂τ = w(y − 2nσ), ∂η∂²τ = −σ(1 − 2σ)(y − nσ),
   * ∂³τ = φ((eᵗ − 1)²(1 − p)(2σ + p) − (eᵗ − 1 − t)) + P‴(φ) − P‴(n),</pre>
   *
   * <p>P(x) = ½ log x − S(x) by the logarithm of the shape, S being the error of Stirling's
   * formula. Each factor is bounded by what it is at the ends of the box; t changes by at most σr +
   * s, and stays below log(n/φ).
   */
  @Override
  public void thirdDerivatives(double eta, double r, double tau, double s, double y, double[] out) {
    double u = eta - tau;
    double least = Math.exp(tau - s);
    double most = Math.exp(tau + s);
    double low = StableMath.sigmoid(u - r - s);
    double high = StableMath.sigmoid(u + r + s);
    double w = StableMath.sigmoid(-Math.max(0, Math.max(u - r - s, -u - r - s)));
    w *= 1 - w;
    double skew = Math.max(Math.abs(1 - 2 * low), Math.abs(1 - 2 * high));
    double successes = (y + most) * high;
    double fewest = (y + least) * low;
    out[0] = (y + most) * TRIAL.derivativeBound(3, 1, u - r - s, u + r + s);
    out[1] = w * Math.max(Math.abs(y - 2 * fewest), Math.abs(y - 2 * successes));
    out[2] = high * skew * Math.max(Math.abs(y - fewest), Math.abs(y - successes));
    double t = Math.log1p(y / Math.exp(tau)) - StableMath.log1pExp(u);
    double from = t - high * r - s;
    double to = Math.min(t + high * r + s, Math.log1p(y / least));
    double p = y / (y + least);
    double below = Math.pow(StableMath.expm1(from), 2);
    double above = Math.pow(StableMath.expm1(to), 2);
    double fromTangent = StableMath.expMinusLinear(from);
    double toTangent = StableMath.expMinusLinear(to);
    boolean throughZero = from < 0 && to > 0;
    double square = Math.max(below, above) * (most / (y + most)) * (2 * high + p);
    double leastSquare =
        throughZero
            ? 0
            : Math.min(below, above) * (least / (y + least)) * (2 * low + y / (y + most));
    double larger =
        Math.max(
            square - (throughZero ? 0 : Math.min(fromTangent, toTangent)),
            Math.max(fromTangent, toTangent) - leastSquare);
    out[3] = most * larger + (y == 0 ? 0 : ofStirling(p, least, y + least));
  }

  /** Returns a bound on |P‴(φ) − P‴(n)|: log n changes by 1 − p, p(1 − p) and p(1 − p)(1 − 2p). */
  private static double ofStirling(double p, double shape, double n) {
    double bend = Math.min(0.25, p);
    return LogGamma.stirlingThird(shape)
        + LogGamma.stirlingThird(n)
        + 3 * bend * LogGamma.stirlingSecond(n)
        + bend;
  }
}
