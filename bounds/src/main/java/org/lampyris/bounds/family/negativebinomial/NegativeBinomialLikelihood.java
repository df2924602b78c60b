package org.lampyris.bounds.family.negativebinomial;

import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.family.logistic.LogisticLikelihood;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.Parameters;

/**
 * Negative binomial regression with a logarithmic link: y ∈ {0, 1, 2, …} has mean μ = e^η and
 * variance μ + μ²/φ, φ the shape. But for a constant it is y successes and φ failures with log-odds
 * u = η − log φ: log L = y log σ(u) + φ log σ(−u) + …, natural log. So d log L/dη = y·σ(−u) −
 * φ·σ(u) and d² log L/dη² = −(y + φ)σ(u)σ(−u): concave, and bounded.
 */
public final class NegativeBinomialLikelihood implements Likelihood {
  private static final LogisticLikelihood TRIAL = new LogisticLikelihood();

  private final GivenShape given;

  /** Takes the shape φ, above 0. */
  public NegativeBinomialLikelihood(double shape) {
    given = new GivenShape(Parameters.requirePositive("shape", shape), Math.log(shape));
  }

  /** Returns u, the log-odds of a success. */
  double logOdds(double eta) {
    return given.u(eta);
  }

  /** Returns y + φ, how many successes and failures there are. */
  double trials(double y) {
    return y + given.shape();
  }

  @Override
  public double logLikelihood(double eta, double y) {
    return given.logLikelihood(eta, y);
  }

  private double[] all(double eta, double y) {
    double[] out = new double[5];
    given.derivatives(eta, y, out);
    return out;
  }

  @Override
  public double derivative(double eta, double y) {
    return all(eta, y)[0];
  }

  @Override
  public double secondDerivative(double eta, double y) {
    return all(eta, y)[2];
  }

  /** {@inheritDoc} Here from one evaluation a row. */
  @Override
  public double slopes(DataBlock block, int from, int to, double[] eta) {
    double[] out = new double[5];
    double sum = 0;
    for (int row = from; row < to; row++) {
      double w = block.weight(row);
      sum += w * given.derivatives(eta[row - from], block.response(row), out);
      eta[row - from] = w * out[0];
    }
    return sum;
  }

  /** {@inheritDoc} Here from one evaluation a row. */
  @Override
  public void derivatives(
      DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
    double[] out = new double[5];
    for (int row = from; row < to; row++) {
      int i = row - from;
      double w = block.weight(row);
      value[i] = w * given.derivatives(eta[i], block.response(row), out);
      curvature[i] = w * out[2];
      eta[i] = w * out[0];
    }
  }

  /** {@inheritDoc} That of y + φ logistic rows. */
  @Override
  public double derivativeBound(int order, double y, double low, double high) {
    return trials(y) * TRIAL.derivativeBound(order, 1, given.u(low), given.u(high));
  }
}
