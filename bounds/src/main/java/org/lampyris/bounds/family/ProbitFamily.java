package org.lampyris.bounds.family;

import java.util.List;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;
import org.lampyris.bounds.bound.LocalTaylorBound;
import org.lampyris.bounds.bound.LowerBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.LinearModel;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

/** Probit regression, log L = log Φ(y·xᵀθ) for y in {−1, +1}; it has no parameter. */
public final class ProbitFamily extends NamedFamily {
  public ProbitFamily() {
    super("probit", LabelKind.BINARY);
  }

  @Override
  public String link() {
    return "probit";
  }

  @Override
  public Optional<Expectation> expectation(FamilySpec spec) {
    return Optional.of(
        Expectation.of(eta -> 0.5 * Erfc.value(-eta * Math.sqrt(0.5)))
            .with(Expectation.Variance.OF_TRIAL, Response.Of.TRIALS));
  }

  @Override
  public Model model(FamilySpec spec, List<String> columns) {
    return new LinearModel(new ProbitLikelihood(), columns.size());
  }

  @Override
  public Optional<LowerBound> localBound(
      FamilySpec spec, List<String> columns, LaplaceApproximation laplace, double radius) {
    return Optional.of(new LocalTaylorBound(new ProbitLikelihood(), laplace, radius));
  }

  /**
   * Probit regression: log L(η; y) = log Φ(s), s = y·η, y ∈ {−1, +1}, natural log, Φ being the
   * standard normal distribution function.
   *
   * <p>With h(s) = φ(s)/Φ(s), the inverse of Mills' ratio at −s, d log L/dη = y·h and d² log L/dη²
   * = −h·(s + h), which lies between −1 and 0. Accurate to a few units in the last place at any η:
   * below s = {@value #TAIL}, h and s + h, in which s nearly cancels, both come from Laplace's
   * continued fraction for Mills' ratio. Source: Albert and Chib (1993) for the model; Sampford
   * (1953) for the signs of h′ and h″.
   */
  public static final class ProbitLikelihood implements Likelihood {
    /** Below, {@value #TERMS} terms of the continued fraction are exact to the last digit. */
    private static final double TAIL = -4;

    private static final int TERMS = 60;

    /** Below, the third derivative, in which much cancels, is bounded by 2/|s|³. */
    private static final double FAR = -20;

    /** From here on φ is less than the least positive number. */
    private static final double ZERO_FROM = 39;

    private static final double ROOT_HALF = Math.sqrt(0.5);
    private static final double ROOT_TWO_OVER_PI = Math.sqrt(2 / Math.PI);

    /** The largest d³ log L/ds³, and its location. */
    private static final double LARGEST_THIRD = 0.29571881919312304;

    private static final double LARGEST_THIRD_AT = 1.0023693422683706;

    /** log Φ(s), h(s) and s + h(s) from one evaluation. */
    private static double at(double s, double[] slopeAndSum) {
      double h;
      double sum;
      double value;
      if (s < TAIL) {
        // h = x + 1/(x + 2/(x + 3/(x + …))), x = −s
        double x = -s;
        double rest = x;
        for (int k = TERMS; k >= 2; k--) {
          rest = x + k / rest;
        }
        sum = 1 / rest;
        h = x + sum;
        value = -0.5 * s * s + Math.log(0.5 * ROOT_TWO_OVER_PI / h);
      } else if (s < 0) {
        double erfcx = Erfcx.value(-s * ROOT_HALF);
        h = ROOT_TWO_OVER_PI / erfcx;
        sum = s + h;
        value = Math.log(0.5 * erfcx) - 0.5 * s * s;
      } else {
        // Not by erfc, which what is rounded off in s/√2 changes by s² units in the last place.
        double density = halfSquareExp(s);
        double upper = 0.5 * density * Erfcx.value(s * ROOT_HALF);
        h = 0.5 * ROOT_TWO_OVER_PI * density / (1 - upper);
        sum = s + h;
        value = Math.log1p(-upper);
      }
      slopeAndSum[0] = h;
      slopeAndSum[1] = sum;
      return value;
    }

    /** Returns e^(−s²/2), corrected for the rounding error of s². */
    private static double halfSquareExp(double s) {
      double square = s * s;
      double lost = Math.fma(s, s, -square);
      return s > ZERO_FROM ? 0 : Math.exp(-0.5 * square) * (1 - 0.5 * lost);
    }

    /** {@inheritDoc} Here as Φ is log-concave. */
    @Override
    public boolean isConcave() {
      return true;
    }

    @Override
    public double logLikelihood(double eta, double y) {
      return at(y * eta, new double[2]);
    }

    @Override
    public double derivative(double eta, double y) {
      double[] h = new double[2];
      at(y * eta, h);
      return y * h[0];
    }

    @Override
    public double secondDerivative(double eta, double y) {
      double[] h = new double[2];
      at(y * eta, h);
      return -h[0] * h[1];
    }

    /** {@inheritDoc} Here from one evaluation a row. */
    @Override
    public double slopes(DataBlock block, int from, int to, double[] eta) {
      double[] h = new double[2];
      double sum = 0;
      for (int row = from; row < to; row++) {
        double y = block.response(row);
        double w = block.weight(row);
        sum += w * at(y * eta[row - from], h);
        eta[row - from] = w * y * h[0];
      }
      return sum;
    }

    /** {@inheritDoc} Here from one evaluation a row. */
    @Override
    public void derivatives(
        DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
      double[] h = new double[2];
      for (int row = from; row < to; row++) {
        int i = row - from;
        double y = block.response(row);
        double w = block.weight(row);
        value[i] = w * at(y * eta[i], h);
        curvature[i] = -w * h[0] * h[1];
        eta[i] = w * y * h[0];
      }
    }

    /**
     * {@inheritDoc}
     *
     * <p>|log L″| falls with s, from 1 to 0. log L‴ = h((s + h)(s + 2h) − 1) is positive, rises up
     * to {@value #LARGEST_THIRD} about s = 1, and falls from there; it is below 2/|s|³ for s &lt;
     * 0.
     */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      double least = y > 0 ? low : -high;
      if (order == 2) {
        return least == Double.NEGATIVE_INFINITY ? 1 : -secondDerivative(least, 1);
      }
      double most = y > 0 ? high : -low;
      if (least <= LARGEST_THIRD_AT && most >= LARGEST_THIRD_AT) {
        return LARGEST_THIRD;
      }
      double near = most < LARGEST_THIRD_AT ? most : least;
      if (near < FAR) {
        return 2 / -near / near / near;
      }
      if (near > ZERO_FROM) {
        return 0;
      }
      double[] h = new double[2];
      at(near, h);
      return Math.max(0, h[0] * (h[1] * (h[1] + h[0]) - 1));
    }
  }
}
