package org.lampyris.bounds.family.negativebinomial;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.StableMath;

/**
 * log L(η, τ; y) of a negative binomial count at one shape φ = e^τ, with u = η − τ and n = y + φ:
 *
 * <pre>log L = log Γ(n) − log Γ(φ) − log y! − φ log(1 + eᵘ) − y log(1 + e⁻ᵘ), natural log.</pre>
 *
 * <p>With t = log(n/φ) − log(1 + eᵘ), s = log(n/y) − log(1 + e⁻ᵘ) and S the error of Stirling's
 * formula it is computed as
 *
 * <pre>−φ(eᵗ − 1 − t) − y(eˢ − 1 − s) − ½ log(2πyn/φ) + S(n) − S(φ) − S(y),</pre>
 *
 * <p>in which no numbers of the size y log y cancel, nor any where the shape is large and the count
 * nearly Poisson. ∂η = φ(eᵗ − 1), ∂²η = −nσ(u)σ(−u), ∂η∂τ = σ(u)·∂η, ∂τ = −φ(eᵗ − 1 − t) + y/(2n) +
 * φ(S′(n) − S′(φ)), ∂²τ its derivative, in which dt/dτ = −∂η/n. Source: Loader (2000), section 5,
 * for the form of the density.
 */
final class GivenShape implements DispersedLikelihood.At, Serializable {
  /** What belongs to smaller counts is remembered. */
  private static final int REMEMBERED = 64;

  private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

  private final double shape;
  private final double logShape;
  private final double[] ofShape = new double[3];

  /** A race of two threads writes the same, and records are seen whole. */
  private final @Nullable Count[] known = new Count[REMEMBERED];

  /** What depends on the count and the shape alone. */
  private record Count(
      double logByShape, double logByCount, double constant, double slope, double curvature)
      implements Serializable {}

  GivenShape(double shape, double logShape) {
    this.shape = shape;
    this.logShape = logShape;
    LogGamma.stirlingErrors(shape, ofShape);
  }

  double shape() {
    return shape;
  }

  double u(double eta) {
    return eta - logShape;
  }

  private Count count(double y) {
    int small = y < REMEMBERED ? (int) y : REMEMBERED;
    if (small != y || small == REMEMBERED) {
      return made(y);
    }
    Count count = known[small];
    if (count == null) {
      count = made(y);
      known[small] = count;
    }
    return count;
  }

  private Count made(double y) {
    if (y == 0) {
      return new Count(0, 0, 0, 0, 0);
    }
    double n = y + shape;
    double share = shape / n;
    double[] of = new double[3];
    LogGamma.stirlingErrors(n, of);
    double logByShape = Math.log1p(y / shape);
    double constant = -0.5 * (LOG_TWO_PI + Math.log(y) + logByShape);
    constant += of[0] - ofShape[0] - LogGamma.stirlingError(y);
    double slope = share * of[1] - ofShape[1];
    return new Count(
        logByShape,
        Math.log1p(shape / y),
        constant,
        0.5 * y / n + slope,
        -0.5 * y / n * share + slope + share * share * of[2] - ofShape[2]);
  }

  @Override
  public double logLikelihood(double eta, double y) {
    double u = u(eta);
    double odds = StableMath.log1pExp(u);
    return y == 0 ? -shape * odds : value(u, y, count(y), count(y).logByShape - odds);
  }

  /**
   * {@inheritDoc} t and s are differences of logarithms: where the shape and a large count are
   * alike, φ(eᵗ − 1 − t) has the rounding of those.
   */
  @Override
  public double largestTerm(double eta, double y) {
    double u = u(eta);
    Count count = count(y);
    double value = Math.abs(logLikelihood(eta, y));
    double ofShape = ofDifference(shape, count.logByShape, StableMath.log1pExp(u));
    double ofCount = ofDifference(y, count.logByCount, StableMath.log1pExp(-u));
    return Math.max(value, Math.max(ofShape, y == 0 ? 0 : ofCount));
  }

  private static double ofDifference(double weight, double log, double odds) {
    return weight * Math.abs(StableMath.expm1(log - odds)) * Math.max(log, odds);
  }

  private double value(double u, double y, Count count, double t) {
    double s = count.logByCount - StableMath.log1pExp(-u);
    return -shape * StableMath.expMinusLinear(t)
        - y * StableMath.expMinusLinear(s)
        + count.constant;
  }

  @Override
  public double derivatives(double eta, double y, double[] out) {
    double u = u(eta);
    double n = y + shape;
    double odds = StableMath.log1pExp(u);
    Count count = count(y);
    double t = count.logByShape - odds;
    double excess = shape * StableMath.expMinusLinear(t);
    double up = StableMath.sigmoid(u);
    out[0] = shape * StableMath.expm1(t);
    out[1] = -excess + count.slope;
    out[2] = -n * up * StableMath.sigmoid(-u);
    out[3] = up * out[0];
    out[4] = -excess + out[0] * (out[0] / n) + count.curvature;
    return y == 0 ? -shape * odds : value(u, y, count, t);
  }
}
