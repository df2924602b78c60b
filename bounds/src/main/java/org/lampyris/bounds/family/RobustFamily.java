package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.Parameters;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.numeric.StudentDensity;
import org.lampyris.bounds.prior.GammaPrior;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Robust regression: (y − xᵀθ)/{@code scale} is Student-t with {@code df} degrees of freedom; the
 * scale is in units of the label. Both are numbers, or priors, and then they are sampled on the log
 * scale: the scale by default under exponential(1/sd(y)), the degrees of freedom, by default 4, if
 * they are {@code auto} under gamma(2, 0.1). Source: Juárez and Steel (2010), section 2.2, for this
 * prior.
 */
public final class RobustFamily extends OnePredictorFamily {
  /** In the tails derivatives change little within such a share of the residual. */
  static final double TAIL = 0.25;

  private static final UnivariatePrior DF_PRIOR = new GammaPrior(2, 0.1);

  public RobustFamily() {
    super(
        "robust",
        LabelKind.REAL,
        "identity",
        List.of(
            OwnParameter.inLabelUnits("scale"),
            new OwnParameter("df", "4.0", false, DF_PRIOR, DF_PRIOR, false)));
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return expectationOfAll(
        spec,
        (eta, p) -> eta,
        (mean, p) -> p[1] > 2 ? p[1] / (p[1] - 2) * p[0] * p[0] : Double.POSITIVE_INFINITY,
        (mean, p) -> new Response.Student(p[1], mean, p[0]));
  }

  @Override
  JointLikelihood dispersed(FamilySpec spec) {
    return last().isSampled(spec)
        ? sampled(spec, new StudentLikelihood())
        : new ScaleLikelihood(last().value(spec));
  }

  @Override
  RobustLikelihood given(FamilySpec spec, double value) {
    return new RobustLikelihood(last().value(spec), value);
  }

  @Override
  public Optional<LowerBound> bound(FamilySpec spec, List<String> columns) {
    return isSampled(spec)
        ? Optional.empty()
        : Optional.of(new StudentBound(given(spec, value(spec)), columns.size()));
  }

  /**
   * Robust regression: (y − η)/σ has a standard Student-t density with ν degrees of freedom, so
   * that log L(η; y) = log t_ν((y − η)/σ) − log σ, natural log.
   *
   * <p>With r = y − η: dlog L/dη = (ν + 1) r / (νσ² + r²) and d²log L/dη² = −(ν + 1)(νσ² − r²) /
   * (νσ² + r²)², which is positive for |r| above σ√ν: the log-likelihood is not concave.
   *
   * <p>Source: Maclaurin and Adams (2014), section 4.3.
   */
  public static final class RobustLikelihood implements Likelihood {
    private final double df;
    private final double scale;
    private final double logConstant;

    /**
     * Takes the parameters, which are not sampled.
     *
     * @param df ν, above 0
     * @param scale σ, above 0, in units of the response
     */
    public RobustLikelihood(double df, double scale) {
      this.df = Parameters.requirePositive("df", df);
      this.scale = Parameters.requirePositive("scale", scale);
      this.logConstant = StudentDensity.logConstant(df) - Math.log(scale);
    }

    /** Returns ν. */
    public double df() {
      return df;
    }

    /** Returns σ. */
    public double scale() {
      return scale;
    }

    @Override
    public double logLikelihood(double eta, double y) {
      return StudentDensity.logKernel((y - eta) / scale, df) + logConstant;
    }

    @Override
    public double derivative(double eta, double y) {
      return -StudentDensity.derivative((y - eta) / scale, df) / scale;
    }

    @Override
    public double secondDerivative(double eta, double y) {
      return StudentDensity.secondDerivative((y - eta) / scale, df) / scale / scale;
    }

    @Override
    public double unit(double eta, double[] none) {
      return scale + TAIL * Math.abs(eta);
    }

    /**
     * {@inheritDoc}
     *
     * <p>With x = |r|/(σ√ν), |log L″| = (ν + 1)/(νσ²) · |1 − x²|/(1 + x²)² has its peaks at 0,
     * where it is largest, and √3, and |log L‴| = (ν + 1)(νσ²)^−3/2 · 2x|3 − x²|/(1 + x²)³ at √2 ∓
     * 1, (3 + 2√2)/4 at the first. In an interval each is largest where that is as near to a peak
     * as it comes.
     */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      double s = df * scale * scale;
      double root = Math.sqrt(s);
      double near = Math.max(0, Math.max(low - y, y - high)) / root;
      double far = Math.max(y - low, high - y) / root;
      return order == 2
          ? (df + 1) / s * Math.max(second(near), second(within(near, far, Math.sqrt(3))))
          : (df + 1)
              / (s * root)
              * Math.max(
                  third(within(near, far, Math.sqrt(2) - 1)),
                  third(within(near, far, Math.sqrt(2) + 1)));
    }

    private static double within(double near, double far, double peak) {
      return Math.max(near, Math.min(far, peak));
    }

    private static double second(double x) {
      return Math.abs(1 - x * x) / ((1 + x * x) * (1 + x * x));
    }

    private static double third(double x) {
      return x == Math.sqrt(2) - 1
          ? 0.75 + Math.sqrt(0.5)
          : x > 1e50 ? 2 / x / x / x : 2 * x * Math.abs(3 - x * x) / Math.pow(1 + x * x, 3);
    }
  }

  /**
   * Robust regression with its scale σ = e^τ sampled: log L(η, τ; y) = k(z) − τ, z = (y − η)/σ,
   * where k is the standard Student-t log-density with ν degrees of freedom.
   *
   * <p>∂η = −k′/σ, ∂τ = −zk′ − 1, ∂²η = k″/σ², ∂η∂τ = (k′ + zk″)/σ and ∂²τ = zk′ + z²k″.
   */
  public static final class ScaleLikelihood implements DispersedLikelihood {
    /** Beyond, z² is not to overflow. */
    private static final double FAR = 1e150;

    /** Zeros of the slope of √(w(1 − w))(1 − w)(3 − 4w): 8w² − 8w + 1 = 0. */
    private static final double[] THIRD = {0.5 - Math.sqrt(0.125), 0.5 + Math.sqrt(0.125)};

    /** Zeros of the slope of (1 − w)²(1 − 4w). */
    private static final double[] SECOND = {0.5};

    /** Zeros of the slope of √(w(1 − w))(1 − w)(1 − 2w): 12w² − 10w + 1 = 0. */
    private static final double[] FIRST = {(5 - Math.sqrt(13)) / 12, (5 + Math.sqrt(13)) / 12};

    /** Zeros of the slope of w(1 − w)(1 − 2w): 6w² − 6w + 1 = 0. */
    private static final double[] NONE = {0.5 - Math.sqrt(1.0 / 12), 0.5 + Math.sqrt(1.0 / 12)};

    private final double df;
    private final double logConstant;

    /** Takes the degrees of freedom ν, above 0. */
    public ScaleLikelihood(double df) {
      this.df = Parameters.requirePositive("df", df);
      this.logConstant = StudentDensity.logConstant(df);
    }

    @Override
    public double unit(double eta, double[] tau) {
      return Math.exp(tau[0]) + TAIL * Math.abs(eta);
    }

    @Override
    public At at(double tau) {
      double s = Math.exp(-tau);
      return new At() {
        @Override
        public double logLikelihood(double eta, double y) {
          return at((y - eta) * s);
        }

        private double at(double z) {
          return StudentDensity.logKernel(z, df) + logConstant - tau;
        }

        @Override
        public double derivatives(double eta, double y, double[] out) {
          double z = (y - eta) * s;
          double first = StudentDensity.derivative(z, df);
          double second = StudentDensity.secondDerivative(z, df);
          out[0] = -first * s;
          out[1] = -z * first - 1;
          out[2] = second * s * s;
          out[3] = (first + z * second) * s;
          out[4] = z * (first + z * second);
          return at(z);
        }
      };
    }

    /**
     * {@inheritDoc}
     *
     * <p>With w = z²/(ν + z²), c = 4(ν + 1) and g = √(w(1 − w)/ν), so that |z|/(ν + z²) = g,
     *
     * <pre>|∂³η| = c/(2νσ³)·g(1 − w)|3 − 4w|, |∂²η∂τ| = c/(2νσ²)·(1 − w)²|1 − 4w|,
     * |∂η∂²τ| = (c/σ)·g(1 − w)|1 − 2w|, |∂³τ| = c·w(1 − w)|1 − 2w|.</pre>
     *
     * <p>Each function of w is largest at an end of the box, or at one of its extrema.
     */
    @Override
    public void thirdDerivatives(
        double eta, double r, double tau, double s, double y, double[] out) {
      double inverse = Math.exp(s - tau);
      double residual = Math.abs(y - eta);
      double low = Math.max(0, residual - r) * Math.exp(-s - tau);
      double high = (residual + r) * inverse;
      double c = 4 * (df + 1);
      double cubic = inverse * inverse * inverse * c / (2 * df);
      out[0] = cubic * largest((w, v) -> root(w, v) * v * (3 - 4 * w), low, high, THIRD);
      double square = inverse * inverse * c / (2 * df);
      out[1] = square * largest((w, v) -> v * v * (1 - 4 * w), low, high, SECOND);
      out[2] = inverse * c * largest((w, v) -> root(w, v) * v * (1 - 2 * w), low, high, FIRST);
      out[3] = c * largest((w, v) -> w * v * (1 - 2 * w), low, high, NONE);
    }

    private double share(double z) {
      return z > FAR ? 1 : z * z / (df + z * z);
    }

    /** Returns 1 − w, with all its digits where w is nearly 1. */
    private double rest(double z) {
      return z > FAR ? df / z / z : df / (df + z * z);
    }

    private double root(double w, double v) {
      return Math.sqrt(w * v / df);
    }

    /**
     * Returns the largest |f(w, 1 − w)| for the w of an interval of z, by its ends and the extrema
     * of f.
     */
    private double largest(DoubleBinaryOperator f, double low, double high, double... extrema) {
      double most = 0;
      for (double z : new double[] {low, high}) {
        most = Math.max(most, Math.abs(f.applyAsDouble(share(z), rest(z))));
      }
      for (double w : extrema) {
        if (w > share(low) && w < share(high)) {
          most = Math.max(most, Math.abs(f.applyAsDouble(w, 1 - w)));
        }
      }
      return most;
    }
  }

  /**
   * Gaussian lower bound on the Student-t likelihood of robust regression, tight at r = ±ξ: with r
   * = y − η and s = νσ²,
   *
   * <pre>log B(r) = log t(ξ) − (ν + 1)/2 · (r² − ξ²)/(s + ξ²), natural log.</pre>
   *
   * <p>The log-density is convex in r², so that its tangent in r² at ξ² lies below it everywhere.
   * The anchor ξ of a row is the residual where the bound is to be tight; its sign does not matter,
   * and ξ = 0 is the untuned bound. With h = (r² − ξ²)/(s + ξ²), gap = (ν + 1)/2 · (h − log(1 +
   * h)), which is never negative, exactly 0 at the anchor, and accurate to a few units in the last
   * place of h.
   *
   * <p>Cost O(d) per row. Source: Maclaurin and Adams (2014), section 4.3.
   */
  public static final class StudentBound extends OnePredictorBound {
    private final RobustLikelihood likelihood;
    private final double half;
    private final double s;

    /** Returns the bound. */
    public StudentBound(RobustLikelihood likelihood, int columns) {
      super(columns);
      this.likelihood = likelihood;
      this.half = 0.5 * (likelihood.df() + 1);
      this.s = likelihood.df() * likelihood.scale() * likelihood.scale();
    }

    /** Returns ξ = |y − η| for every row. */
    @Override
    public Anchors anchorsAt(DataBlock block, double[] reference) {
      return anchorsAt(block, reference, (eta, y) -> Math.abs(y - eta));
    }

    /** {@inheritDoc} −d gap/dr = −(ν + 1) r h / (s + r²). */
    @Override
    protected double gapAt(
        double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
      double r = Math.abs(y - eta);
      double xi = Math.abs(anchors.get(row, 0));
      double h = excess(r, xi);
      if (slope != null) {
        slope[0] = -2 * half * (y - eta) * h / (s + r * r);
      }
      // Near h = −1, 1 + h is better had from r and ξ.
      double gap = h < -0.5 ? h - Math.log((s + r * r) / (s + xi * xi)) : StableMath.minusLog1p(h);
      return half * gap;
    }

    /** Returns h = (r² − ξ²)/(s + ξ²). */
    private double excess(double r, double xi) {
      return (r - xi) * ((r + xi) / (s + xi * xi));
    }

    /** {@inheritDoc} With κ = (ν + 1)/(s + ξ²), t(ξ) e^(κξ²/2) √(2π/κ). */
    @Override
    public OptionalDouble logIntegral(double anchor) {
      double kappa = 2 * half / (s + anchor * anchor);
      double logPeak = likelihood.logLikelihood(0, anchor) + 0.5 * kappa * anchor * anchor;
      return OptionalDouble.of(logPeak + 0.5 * Math.log(2 * Math.PI / kappa));
    }

    /** With κ = (ν + 1)/(s + ξ²) and r₀ = y − η₀: −κ/2, κr₀, and log B(r₀). */
    @Override
    protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
      double anchor = anchors.get(row, 0);
      double kappa = 2 * half / (s + anchor * anchor);
      coefficients[0] = -0.5 * kappa;
      coefficients[1] = kappa * (y - eta0);
      coefficients[2] = likelihood.logLikelihood(eta0, y) - gapAt(eta0, y, anchors, row, null);
    }
  }
}
