package org.lampyris.bounds.family.binomial;

import org.lampyris.bounds.family.binary.LogisticLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Binomial regression, by trial: k of m trials succeed, each with probability σ(η). The response is
 * the share y = k/m, and m is a factor of the row's weight, so that a row has the log-likelihood
 *
 * <pre>m·log L(η; y) = k log σ(η) + (m − k) log σ(−η), natural log,</pre>
 *
 * <p>which is that of its trials in whatever order: the logarithm of the binomial coefficient, the
 * same for every θ, is left out. d log L/dη = y·σ(−η) − (1 − y)·σ(η) and d² log L/dη² =
 * −σ(η)·σ(−η).
 */
public final class BinomialLikelihood implements Likelihood {
  private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

  /** {@inheritDoc} Here d²log L/dη² = −σ(η)σ(−η) for a trial. */
  @Override
  public boolean isConcave() {
    return true;
  }

  @Override
  public double logLikelihood(double eta, double y) {
    double e = StableMath.exp(-Math.abs(eta));
    return value(eta, y, e);
  }

  /** The share of the less probable outcome, times −|η|, and log max(σ(η), σ(−η)). */
  private static double value(double eta, double y, double e) {
    double against = eta < 0 ? y : 1 - y;
    return -against * Math.abs(eta) - StableMath.log1pSmall(e);
  }

  private static double slope(double eta, double y, double e) {
    double success = eta < 0 ? e : 1;
    double failure = eta < 0 ? 1 : e;
    return (y * failure - (1 - y) * success) / (1 + e);
  }

  @Override
  public double derivative(double eta, double y) {
    return slope(eta, y, StableMath.exp(-Math.abs(eta)));
  }

  @Override
  public double secondDerivative(double eta, double y) {
    return TRIAL.secondDerivative(eta, 1);
  }

  /** {@inheritDoc} Here by one exponential a row. */
  @Override
  public double slopes(DataBlock block, int from, int to, double[] eta) {
    double sum = 0;
    for (int row = from; row < to; row++) {
      int i = row - from;
      double y = block.response(row);
      double w = block.weight(row);
      double e = StableMath.exp(-Math.abs(eta[i]));
      sum += w * value(eta[i], y, e);
      eta[i] = w * slope(eta[i], y, e);
    }
    return sum;
  }

  /** {@inheritDoc} Here by one exponential a row. */
  @Override
  public void derivatives(
      DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
    for (int row = from; row < to; row++) {
      int i = row - from;
      double y = block.response(row);
      double w = block.weight(row);
      double e = StableMath.exp(-Math.abs(eta[i]));
      value[i] = w * value(eta[i], y, e);
      curvature[i] = -w * (e / ((1 + e) * (1 + e)));
      eta[i] = w * slope(eta[i], y, e);
    }
  }

  /** {@inheritDoc} That of one trial, of whichever outcome. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return TRIAL.derivativeBound(order, 1, low, high);
  }
}
