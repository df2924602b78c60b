package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.ThirdDerivatives;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Negative binomial regression: y has mean μ = exp(xᵀθ + offset) and variance μ + μ²/{@code shape}.
 * The shape is a number, or a prior, and then it is sampled on the log scale.
 */
public final class NegativeBinomialFamily extends OnePredictorFamily {
  public NegativeBinomialFamily() {
    super("negative_binomial", LabelKind.COUNT, "log", List.of(shape()));
  }

  @Override
  public double anchor() {
    return 1.5;
  }

  /**
   * Returns the shape. A heavy tail: counts that are nearly Poisson have it far above their mean.
   */
  static OwnParameter shape() {
    return OwnParameter.positive("shape", new HalfPrior(new UnivariatePrior.Cauchy(0, 10)));
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return expectation(
        spec,
        (eta, p) -> Math.exp(eta),
        (mean, shape) -> mean + mean * mean / shape,
        Response.NegativeBinomial::new);
  }

  @Override
  DispersedLikelihood dispersed(FamilySpec spec) {
    return new ShapeLikelihood();
  }

  @Override
  Likelihood given(FamilySpec spec, double value) {
    return new GivenLikelihood(value);
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(new Bound(new GivenLikelihood(value(spec)), columns.size()));
  }

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
   * <p>in which no numbers of the size y log y cancel, nor any if the shape is large and the count
   * nearly Poisson. ∂η = φ(eᵗ − 1), ∂²η = −nσ(u)σ(−u), ∂η∂τ = σ(u)·∂η, ∂τ = −φ(eᵗ − 1 − t) + y/(2n)
   * + φ(S′(n) − S′(φ)), ∂²τ its derivative, in which dt/dτ = −∂η/n. Source: Loader (2000), section
   * 5, for the form of the density.
   */
  static final class GivenShape implements JointLikelihood.At, Serializable {
    /** Counts below this have cached values. */
    private static final int REMEMBERED = 64;

    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

    private final double shape;
    private final double logShape;
    private final double[] ofShape = new double[3];

    /** A race of two threads writes the same, and records are seen whole. */
    private final @Nullable Count[] known = new Count[REMEMBERED];

    /** Values that depend on the count and the shape alone. */
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
     * {@inheritDoc} t and s are differences of logarithms: if the shape and a large count are
     * close, φ(eᵗ − 1 − t) has their rounding error.
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

  /**
   * Quadratic lower bound on the negative binomial likelihood of a given shape, tight at u = ±ξ. In
   * u = η − log φ it is linear except for −(y + φ) log(2 cosh(u/2)), so the {@linkplain
   * JaakkolaJordanBound logistic bound} applies, with y + φ times its gap.
   *
   * <p>Cost O(d) per row. Source: Jaakkola and Jordan (1997), with the form of the likelihood in
   * Polson, Scott and Windle (2013), section 2.
   */
  public static final class Bound extends OnePredictorBound {
    private final GivenLikelihood likelihood;

    /** Returns the bound for rows of {@code columns} features. */
    public Bound(GivenLikelihood likelihood, int columns) {
      super(columns);
      this.likelihood = likelihood;
    }

    /** Returns ξ = |u| for every row. */
    @Override
    public Anchors anchorsAt(DataBlock block, double[] reference) {
      return anchorsAt(block, reference, (eta, y) -> Math.abs(likelihood.logOdds(eta)));
    }

    @Override
    protected double gapAt(
        double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
      double n = likelihood.trials(y);
      double gap = JaakkolaJordanBound.gap(likelihood.logOdds(eta), anchors.get(row, 0), slope);
      if (slope != null) {
        slope[0] *= n;
      }
      return n * gap;
    }

    /** With n = y + φ: −nλ(ξ)/2, the slope of log B at η₀, and log B(η₀). */
    @Override
    protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
      double[] slope = new double[1];
      double gap = gapAt(eta0, y, anchors, row, slope);
      coefficients[0] =
          -0.5 * likelihood.trials(y) * JaakkolaJordanBound.curvature(anchors.get(row, 0));
      coefficients[1] = likelihood.derivative(eta0, y) - slope[0];
      coefficients[2] = likelihood.logLikelihood(eta0, y) - gap;
    }
  }

  /**
   * Negative binomial regression with a logarithmic link: y ∈ {0, 1, 2, …} has mean μ = e^η and
   * variance μ + μ²/φ, φ the shape. Except for a constant, it has y successes and φ failures with
   * log-odds u = η − log φ: log L = y log σ(u) + φ log σ(−u) + …, natural log. So d log L/dη =
   * y·σ(−u) − φ·σ(u) and d² log L/dη² = −(y + φ)σ(u)σ(−u): concave, and bounded.
   */
  public static final class GivenLikelihood extends GivenDispersion {
    private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

    private final GivenShape given;

    /** Takes the shape φ, above 0. */
    public GivenLikelihood(double shape) {
      this(new GivenShape(Parameters.requirePositive("shape", shape), Math.log(shape)));
    }

    private GivenLikelihood(GivenShape given) {
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

    /** Returns y + φ, the number of successes and failures. */
    double trials(double y) {
      return y + given.shape();
    }

    /** {@inheritDoc} Here for y + φ logistic rows. */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      return trials(y) * TRIAL.derivativeBound(order, 1, given.u(low), given.u(high));
    }
  }

  /**
   * Negative binomial regression with a logarithmic link and its shape φ = e^τ sampled: y ∈ {0, 1,
   * 2, …} has mean μ = e^η and variance μ + μ²/φ. Formulas: see {@link GivenShape}.
   */
  public static final class ShapeLikelihood implements DispersedLikelihood {
    private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

    /** A wider box of τ is parted: in one of 0.45 to each side, ∂³τ is then ⅕ as large. */
    private static final double WIDE = 1.0 / 32;

    /** Most parts of a box. A part takes a microsecond. */
    private static final int PARTS = 4;

    @Override
    public double expense() {
      return 6;
    }

    @Override
    public At at(double tau) {
      return new GivenShape(Math.exp(tau), tau);
    }

    @Override
    public Optional<ThirdDerivatives> byInverse() {
      return Optional.of(new InverseShape());
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
     * formula. Each factor is bounded by what it is at the ends of the box, or of up to {@value
     * #PARTS} parts of it along τ; t changes by at most σr + s, and stays below log(n/φ).
     */
    @Override
    public void thirdDerivatives(
        double eta, double r, double tau, double s, double y, double[] out) {
      int parts = s < Double.POSITIVE_INFINITY ? (int) Math.min(PARTS, 1 + s / WIDE) : 1;
      if (parts == 1) {
        onPart(eta, r, tau, s, y, out);
        return;
      }
      Arrays.fill(out, 0);
      double[] of = new double[out.length];
      for (int i = 0; i < parts; i++) {
        onPart(eta, r, tau + (2 * i + 1 - parts) * s / parts, s / parts, y, of);
        for (int k = 0; k < of.length; k++) {
          out[k] = Math.max(out[k], of[k]);
        }
      }
    }

    private static void onPart(double eta, double r, double tau, double s, double y, double[] out) {
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
      out[3] = most * larger + (y == 0 ? 0 : ofStirling(y, tau, s, least, most));
    }

    /**
     * Returns a bound on |P‴(φ) − P‴(n)|: as τ grows log n changes by 1 − p, p(1 − p) and p(1 −
     * p)(1 − 2p), with p = σ(log y − τ). S changes by at most 1/(12n) as log n does.
     */
    private static double ofStirling(double y, double tau, double s, double least, double most) {
      double low = Math.log(y) - tau - s;
      double high = Math.log(y) - tau + s;
      double n = y + least;
      double rest = most / (y + most);
      return LogGamma.stirlingThird(least)
          + LogGamma.stirlingThird(n) * rest * rest * rest
          + LogGamma.stirlingSecond(n) * 3 * rest * TRIAL.derivativeBound(2, 1, low, high)
          + (0.5 + 1 / (12 * n)) * TRIAL.derivativeBound(3, 1, low, high);
    }
  }

  /**
   * log L(η, a; y) of a negative binomial count with the shape φ = 1/a, smooth about the Poisson
   * count at a = 0: with λ = e^η log(1 + ae^η)/(ae^η),
   *
   * <pre>log L = y(η − log(1 + ae^η)) + Σ_{j < y} log(1 + ja) − λ − log y!, natural log.</pre>
   */
  record InverseShape() implements ThirdDerivatives {
    /**
     * {@inheritDoc} With μ = e^η, x = aμ, q = 1 + x, v = μ/q and g = (1 − x)/q²,
     *
     * <pre>∂³η = −v·(1 + ay)/q·gq, ∂²η∂a = −v(yg − 2v/q), ∂η∂²a = 2(y − μ)v²/q,
     * ∂³a = 2Σ_{j < y} (j/(1 + ja))³ − 2yv³ + 6∫₀¹ t³(μ/(1 + aμt))⁴ dt.</pre>
     *
     * <p>Each factor is largest and least at a corner of the box, but g, least at x = 3. The
     * integral is μ⁴/4 times a mean of (1 + aμt)⁻⁴, convex in t, where t has the mean ⅘: at least
     * its value there, and at most on the chord.
     */
    @Override
    public void thirdDerivatives(double[] center, double[] reach, double y, double[] out) {
      double least = StableMath.exp(center[0] - reach[0]);
      double most = StableMath.exp(center[0] + reach[0]);
      double low = center[1] - reach[1];
      double high = center[1] + reach[1];
      double q = 1 + low * least;
      double x = high * most;
      double fewest = least / (1 + high * least);
      double largest = most / (1 + low * most);
      double share = Math.max((1 + low * y) / q, (1 + high * y) / (1 + high * least));
      double bend = Math.max(Math.abs(2 - q) / q, Math.abs(1 - x) / (1 + x));
      out[0] = largest * share * bend;
      double upper = y * Math.max(0, (2 - q) / q / q) - 2 * fewest / (1 + x);
      double lower = y * (x < 3 ? (1 - x) / (1 + x) / (1 + x) : -0.125) - 2 * largest / q;
      out[1] = largest * Math.max(Math.abs(upper), Math.abs(lower));
      out[2] = 2 * largest * largest / q * Math.max(Math.abs(y - least), Math.abs(y - most));
      double down = 0.25 * Math.pow(least / (1 + 0.8 * high * least), 4);
      double up = Math.pow(most, 4) * (0.05 + 0.2 * Math.pow(1 + low * most, -4));
      double above = 2 * (cubes(low, y, true) - y * fewest * fewest * fewest + 3 * up);
      double below = 2 * (cubes(high, y, false) - y * largest * largest * largest + 3 * down);
      out[3] = Math.max(Math.abs(above), Math.abs(below));
    }

    /**
     * Returns Σ_{j < y} (j/(1 + ja))³, in which each run of a 64th of its index counts as its last
     * term, and so as too much, or as its first.
     */
    private static double cubes(double inverse, double y, boolean above) {
      double sum = 0;
      double next;
      for (double j = 1; j < y; j = next) {
        next = Math.min(y, j + Math.max(1, Math.floor(j / 64)));
        double at = above ? next - 1 : j;
        double term = at / (1 + at * inverse);
        sum += (next - j) * term * term * term;
      }
      return sum;
    }
  }
}
