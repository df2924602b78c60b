package org.lampyris.bounds.family.beta;

import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.Parameters;

/**
 * Beta regression with a logistic link: y in (0, 1) has mean μ = σ(η) and variance μ(1 − μ)/(1 +
 * φ), φ the precision. The formulas are those of {@link GivenPrecision}; the log-likelihood is not
 * concave in η. Source: Ferrari and Cribari-Neto (2004).
 */
public final class BetaLikelihood implements Likelihood {
  private final GivenPrecision given;

  /** Takes the precision φ, above 0. */
  public BetaLikelihood(double precision) {
    given = new GivenPrecision(Parameters.requirePositive("phi", precision), Math.log(precision));
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
}
