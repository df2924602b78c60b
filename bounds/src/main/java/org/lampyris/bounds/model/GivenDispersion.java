package org.lampyris.bounds.model;

import org.lampyris.bounds.rows.DataBlock;

/**
 * Log-likelihood of a row as a function of η, at given values of the shared parameters. It is sent
 * where that function can be.
 */
public class GivenDispersion implements Likelihood {
  @SuppressWarnings("serial") // that of a model whose parameter is sampled stays where θ is
  private final JointLikelihood.At at;

  /** The number of variables, η and the parameters. */
  private final int count;

  /** Takes log L at a value of one parameter. */
  public GivenDispersion(JointLikelihood.At at) {
    this(at, 1);
  }

  /** Takes log L at values of some parameters. */
  GivenDispersion(JointLikelihood.At at, int parameters) {
    this.at = at;
    this.count = 1 + parameters;
  }

  private double[] derivatives() {
    return new double[JointLikelihood.slopes(count)];
  }

  @Override
  public final double logLikelihood(double eta, double y) {
    return at.logLikelihood(eta, y);
  }

  @Override
  public final double largestTerm(double eta, double y) {
    return at.largestTerm(eta, y);
  }

  @Override
  public final double derivative(double eta, double y) {
    double[] out = derivatives();
    at.gradient(eta, y, out);
    return out[0];
  }

  @Override
  public final double secondDerivative(double eta, double y) {
    double[] out = derivatives();
    at.derivatives(eta, y, out);
    return out[count];
  }

  /** {@inheritDoc} Here from one evaluation a row. */
  @Override
  public final double slopes(DataBlock block, int from, int to, double[] eta) {
    double[] out = derivatives();
    double sum = 0;
    for (int row = from; row < to; row++) {
      double w = block.weight(row);
      sum += w * at.gradient(eta[row - from], block.response(row), out);
      eta[row - from] = w * out[0];
    }
    return sum;
  }

  /** {@inheritDoc} Here from one evaluation a row. */
  @Override
  public final void derivatives(
      DataBlock block, int from, int to, double[] eta, double[] value, double[] curvature) {
    double[] out = derivatives();
    for (int row = from; row < to; row++) {
      int i = row - from;
      double w = block.weight(row);
      value[i] = w * at.derivatives(eta[i], block.response(row), out);
      curvature[i] = w * out[count];
      eta[i] = w * out[0];
    }
  }
}
