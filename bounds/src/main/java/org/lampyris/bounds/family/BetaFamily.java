package org.lampyris.bounds.family;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.GivenDispersion;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.prior.HalfPrior;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Beta regression: y in (0, 1) has mean μ = σ(xᵀθ) and variance μ(1 − μ)/(1 + {@code phi}). The
 * precision is a number, or a prior, and then it is sampled on the log scale.
 */
public final class BetaFamily extends OnePredictorFamily {
  public BetaFamily() {
    // A heavy tail: shares that are measured well have a precision of hundreds.
    super(
        "beta",
        LabelKind.SHARE,
        "logit",
        List.of(OwnParameter.positive("phi", new HalfPrior(new UnivariatePrior.Cauchy(0, 10)))));
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return expectation(
        spec,
        (eta, p) -> StableMath.sigmoid(eta),
        (mean, phi) -> mean * (1 - mean) / (1 + phi),
        Response.Beta::new);
  }

  @Override
  DispersedLikelihood dispersed(FamilySpec spec) {
    return new PrecisionLikelihood();
  }

  @Override
  Likelihood given(FamilySpec spec, double value) {
    return new GivenLikelihood(value);
  }

  /**
   * Beta regression with a logistic link: y in (0, 1) has mean μ = σ(η) and variance μ(1 − μ)/(1 +
   * φ), φ the precision. Formulas: see {@link GivenPrecision}; the log-likelihood is not concave in
   * η. Source: Ferrari and Cribari-Neto (2004).
   */
  public static final class GivenLikelihood extends GivenDispersion {
    private final double tau;

    /** Takes the precision φ, above 0. */
    public GivenLikelihood(double precision) {
      super(new GivenPrecision(Parameters.requirePositive("phi", precision), Math.log(precision)));
      this.tau = Math.log(precision);
    }

    @Override
    public double expense() {
      return 30;
    }

    /**
     * {@inheritDoc} For k = 2, the derivative at the middle plus its largest change up to an end.
     */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      double half = 0.5 * (high - low);
      if (!(half < Double.POSITIVE_INFINITY)) {
        return Double.POSITIVE_INFINITY;
      }
      double[] third = new double[4];
      GivenPrecision.thirdDerivatives(low + half, half, tau, 0, y, third);
      return order == 3 ? third[0] : Math.abs(secondDerivative(low + half, y)) + half * third[0];
    }
  }

  /**
   * Beta regression with a logistic link and its precision φ = e^τ sampled: y in (0, 1) has mean μ
   * = σ(η) and variance μ(1 − μ)/(1 + φ). Formulas: see {@link GivenPrecision}. Source: Ferrari and
   * Cribari-Neto (2004).
   */
  public static final class PrecisionLikelihood implements DispersedLikelihood {
    @Override
    public double expense() {
      return 30;
    }

    @Override
    public At at(double tau) {
      return new GivenPrecision(Math.exp(tau), tau);
    }

    @Override
    public void thirdDerivatives(
        double eta, double r, double tau, double s, double y, double[] out) {
      GivenPrecision.thirdDerivatives(eta, r, tau, s, y, out);
    }
  }

  /**
   * log L(η, τ; y) of a beta response at one precision φ = e^τ: with μ = σ(η), ν = σ(−η), a = φμ
   * and b = φν,
   *
   * <pre>log L = log Γ(φ) − log Γ(a) − log Γ(b) + (a − 1) log y + (b − 1) log(1 − y), natural log.
   * </pre>
   *
   * <p>With S the error of Stirling's formula, P(x) = ½ log x − S(x) and K = μ log(μ/y) + ν
   * log(ν/(1 − y)) it is computed as
   *
   * <pre>−φK + P(a) + P(b) − P(φ) − log y − log(1 − y) − ½ log 2π,</pre>
   *
   * <p>in which no numbers of the size φ log φ cancel. With D = log(y/(1 − y)) − η, s(x) = xS′(x),
   * c(x) = x²S″(x) and H(x) = x + ½ + c(x): ∂η = φμνD + ν(½ − s(a)) − μ(½ − s(b)), ∂²η = (ν − μ)∂η
   * − ν²H(a) − μ²H(b), ∂τ = −φK + ½ + s(φ) − s(a) − s(b), ∂²τ = −φK + (s + c)(φ) − (s + c)(a) − (s
   * + c)(b), and ∂η∂τ = ∂η − ν(½ + c(a)) + μ(½ + c(b)). Nothing overflows where μ or ν does to 0.
   */
  static final class GivenPrecision implements JointLikelihood.At, Serializable {
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    /** Closer than that in both logarithms, the terms of K nearly cancel. */
    private static final double NEAR = 0.5;

    private static final LogisticLikelihood LOGISTIC = new LogisticLikelihood();

    private final double precision;
    private final double tau;
    private final double[] whole = new double[3];

    GivenPrecision(double precision, double tau) {
      this.precision = precision;
      this.tau = tau;
      part(precision, tau, whole);
    }

    /** Writes P(x), s(x) and c(x); log x is finite even if x is rounded to 0. */
    private static void part(double x, double logX, double[] out) {
      if (x >= 1) {
        LogGamma.stirlingErrors(x, out);
        out[0] = 0.5 * logX - out[0];
        return;
      }
      // By S(x) − S(x + 1) = (x + ½) log(1 + 1/x) − 1.
      LogGamma.stirlingErrors(1 + x, out);
      double share = x / (1 + x);
      double log = Math.log1p(x);
      out[0] = (1 + x) * logX + 1 - (x + 0.5) * log - out[0];
      out[1] = share * out[1] + x * (log - logX) - (x + 0.5) / (1 + x);
      out[2] = share * share * out[2] + 0.5 / ((1 + x) * (1 + x));
    }

    /**
     * Writes bounds on the third derivatives, see {@link DispersedLikelihood#thirdDerivatives}.
     * With w = μν, w′ = w(1 − 2μ), w″ = w(1 − 6w) and D = log(y/(1 − y)) − η, the derivatives of
     * −φK are −φ(2w′ − w″D), −φ(w − w′D), φwD and −φK. P(a) and P(b) are functions of log a and log
     * b, whose derivatives are ν and −μ, −w and −w′ in η, and 1 in τ; 0 ≤ P′ ≤ 1, and the
     * derivatives of S follow. Terms in η alone change by at most r times their slope, |w‴| ≤ w;
     * for large r, terms are bounded one by one.
     */
    static void thirdDerivatives(
        double eta, double r, double tau, double s, double y, double[] out) {
      double most = Math.exp(tau + s);
      double least = Math.exp(tau - s);
      double mu = StableMath.sigmoid(eta + r);
      double nu = StableMath.sigmoid(r - eta);
      double w = StableMath.sigmoid(-Math.max(0, Math.abs(eta) - r));
      w *= 1 - w;
      double w1 = LOGISTIC.derivativeBound(3, 1, eta - r, eta + r);
      double w2 = Math.min(w, 0.125);
      double odds = Math.log(y) - Math.log1p(-y) - eta;
      double d = Math.abs(odds) + r;
      double bend = 2 * w1 + w2 * d;
      double at = StableMath.sigmoid(eta) * StableMath.sigmoid(-eta);
      double at1 = at * (StableMath.sigmoid(-eta) - StableMath.sigmoid(eta));
      double third = Math.abs(2 * at1 - at * (1 - 6 * at) * odds) + r * (3 * w2 + w * d);
      double second = Math.abs(at - at1 * odds) + r * bend;
      double first = Math.abs(at * odds) + r * (w + w1 * d);
      double a = least * (1 - nu);
      double b = least * (1 - mu);
      double secondA = LogGamma.stirlingSecond(a);
      double secondB = LogGamma.stirlingSecond(b);
      double thirdA = LogGamma.stirlingThird(a);
      double thirdB = LogGamma.stirlingThird(b);
      out[0] =
          most * Math.min(bend, third)
              + 2 * w1
              + nu * (3 * w * secondA + nu * nu * thirdA)
              + mu * (3 * w * secondB + mu * mu * thirdB);
      out[1] =
          most * Math.min(w + w1 * d, second)
              + w * (secondA + secondB)
              + nu * nu * thirdA
              + mu * mu * thirdB;
      out[2] = most * Math.min(w * d, first) + nu * thirdA + mu * thirdB;
      out[3] =
          most * Math.max(divergence(eta - r, y), divergence(eta + r, y))
              + thirdA
              + thirdB
              + LogGamma.stirlingThird(least);
    }

    /** Returns K. */
    private static double divergence(double eta, double y) {
      return divergence(
          StableMath.sigmoid(eta),
          StableMath.sigmoid(-eta),
          Math.log(y) - StableMath.logSigmoid(eta),
          Math.log1p(-y) - StableMath.logSigmoid(-eta));
    }

    @Override
    public double logLikelihood(double eta, double y) {
      return derivatives(eta, y, new double[5]);
    }

    /**
     * {@inheritDoc} Shares near 0 and 1 have large logarithms, which cancel, and whose rounding K
     * passes on: −φμt has the error of t = log(y/μ).
     */
    @Override
    public double largestTerm(double eta, double y) {
      double mu = StableMath.sigmoid(eta);
      double nu = StableMath.sigmoid(-eta);
      double logMu = StableMath.logSigmoid(eta);
      double logNu = StableMath.logSigmoid(-eta);
      double logY = Math.log(y);
      double logRest = Math.log1p(-y);
      double[] a = new double[3];
      double[] b = new double[3];
      part(precision * mu, tau + logMu, a);
      part(precision * nu, tau + logNu, b);
      return DoubleStream.of(
              logLikelihood(eta, y),
              ofDivergence(precision * mu, logY, logMu),
              ofDivergence(precision * nu, logRest, logNu),
              a[0],
              b[0],
              whole[0],
              logY,
              logRest)
          .map(Math::abs)
          .max()
          .orElseThrow();
    }

    private static double ofDivergence(double weight, double log, double logMean) {
      double size = Math.max(Math.abs(log), Math.abs(logMean));
      return weight * Math.min(1, Math.abs(log - logMean)) * size;
    }

    @Override
    public double derivatives(double eta, double y, double[] out) {
      // σ(±η) and their logarithms by one exponential and one logarithm.
      double e = StableMath.exp(-Math.abs(eta));
      double log = -StableMath.log1pSmall(e);
      double mu = (eta < 0 ? e : 1) / (1 + e);
      double nu = (eta < 0 ? 1 : e) / (1 + e);
      double logMu = Math.min(eta, 0) + log;
      double logNu = Math.min(-eta, 0) + log;
      double logY = Math.log(y);
      double logRest = Math.log1p(-y);
      double[] a = new double[3];
      double[] b = new double[3];
      part(precision * mu, tau + logMu, a);
      part(precision * nu, tau + logNu, b);
      double divergence = precision * divergence(mu, nu, logY - logMu, logRest - logNu);
      double slope =
          precision * mu * nu * (logY - logRest - eta) + nu * (0.5 - a[1]) - mu * (0.5 - b[1]);
      out[0] = slope;
      out[1] = -divergence + 0.5 + whole[1] - a[1] - b[1];
      out[2] =
          (nu - mu) * slope
              - nu * nu * (precision * mu + 0.5 + a[2])
              - mu * mu * (precision * nu + 0.5 + b[2]);
      out[3] = slope - nu * (0.5 + a[2]) + mu * (0.5 + b[2]);
      out[4] = -divergence + (whole[1] + whole[2]) - (a[1] + a[2]) - (b[1] + b[2]);
      return -divergence + a[0] + b[0] - whole[0] - logY - logRest - HALF_LOG_TWO_PI;
    }

    /** Returns K, with t = log(y/μ) and s = log((1 − y)/ν). */
    private static double divergence(double mu, double nu, double t, double s) {
      return Math.abs(t) < NEAR && Math.abs(s) < NEAR
          ? mu * StableMath.expMinusLinear(t) + nu * StableMath.expMinusLinear(s)
          : -mu * t - nu * s;
    }
  }
}
