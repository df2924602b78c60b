package org.lampyris.bounds.family;

import org.apache.commons.numbers.gamma.Erfc;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.NormalTail;
import org.lampyris.bounds.rows.DataBlock;

/** Probit regression, log L = log Φ(y·xᵀθ) for y in {−1, +1}; it has no parameter. */
public final class ProbitFamily extends LinkedFamily {
  public ProbitFamily() {
    super(
        "probit",
        LabelKind.BINARY,
        "probit",
        new ProbitLikelihood(),
        Expectation.ofTrial(eta -> 0.5 * Erfc.value(-eta * Math.sqrt(0.5))));
  }

  /**
   * Probit regression: log L(η; y) = log Φ(s), s = y·η, y ∈ {−1, +1}, natural log, Φ being the
   * standard normal distribution function.
   *
   * <p>With h(s) = φ(s)/Φ(s), the inverse of Mills' ratio at −s, d log L/dη = y·h and d² log L/dη²
   * = −h·(s + h), which lies between −1 and 0. Accurate to a few units in the last place at any η,
   * as {@link NormalTail} is. Source: Albert and Chib (1993) for the model; Sampford (1953) for the
   * signs of h′ and h″.
   */
  public static final class ProbitLikelihood implements Likelihood {
    /** Below, the third derivative, in which much cancels, is bounded by 2/|s|³. */
    private static final double FAR = -20;

    /** From here on φ is less than the least positive number. */
    private static final double ZERO_FROM = 39;

    /** {@inheritDoc} Here as Φ is log-concave. */
    @Override
    public boolean isConcave() {
      return true;
    }

    @Override
    public double logLikelihood(double eta, double y) {
      return NormalTail.logCdf(y * eta, new double[2]);
    }

    @Override
    public double derivative(double eta, double y) {
      double[] h = new double[2];
      NormalTail.logCdf(y * eta, h);
      return y * h[0];
    }

    @Override
    public double secondDerivative(double eta, double y) {
      double[] h = new double[2];
      NormalTail.logCdf(y * eta, h);
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
        sum += w * NormalTail.logCdf(y * eta[row - from], h);
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
        value[i] = w * NormalTail.logCdf(y * eta[i], h);
        curvature[i] = -w * h[0] * h[1];
        eta[i] = w * y * h[0];
      }
    }

    /**
     * {@inheritDoc}
     *
     * <p>|log L″| falls with s, from 1 to 0. log L‴ = h((s + h)(s + 2h) − 1) is positive, rises up
     * to {@value NormalTail#LARGEST_THIRD} about s = 1, and falls from there; it is below 2/|s|³
     * for s &lt; 0.
     */
    @Override
    public double derivativeBound(int order, double y, double low, double high) {
      double least = y > 0 ? low : -high;
      if (order == 2) {
        return least == Double.NEGATIVE_INFINITY ? 1 : -secondDerivative(least, 1);
      }
      double most = y > 0 ? high : -low;
      if (least <= NormalTail.LARGEST_THIRD_AT && most >= NormalTail.LARGEST_THIRD_AT) {
        return NormalTail.LARGEST_THIRD;
      }
      double near = most < NormalTail.LARGEST_THIRD_AT ? most : least;
      if (near < FAR) {
        return 2 / -near / near / near;
      }
      if (near > ZERO_FROM) {
        return 0;
      }
      double[] h = new double[2];
      NormalTail.logCdf(near, h);
      return Math.max(0, h[0] * (h[1] * (h[1] + h[0]) - 1));
    }
  }
}
