package com.acme;

import org.lampyris.bounds.model.Likelihood;

/**
 * log L(η; y) = −log cosh u − log 2σ with u = π(y − η)/(2σ), natural log: the density of the
 * hyperbolic-secant distribution with mean η and standard deviation σ.
 */
public final class SechLikelihood implements Likelihood {
  private static final long serialVersionUID = 1L;

  private final double rate;
  private final double logConstant;

  /** Takes the standard deviation σ, above 0. */
  public SechLikelihood(double sigma) {
    if (!(sigma > 0) || Double.isInfinite(sigma)) {
      throw new IllegalArgumentException("sigma " + sigma + " must be above 0");
    }
    rate = Math.PI / (2 * sigma);
    logConstant = -Math.log(2 * sigma);
  }

  /** Returns −du/dη = π/(2σ). */
  double rate() {
    return rate;
  }

  /** Returns log cosh u, which does not overflow. */
  static double logCosh(double u) {
    double size = Math.abs(u);
    return size + Math.log1p(Math.exp(-2 * size)) - Math.log(2);
  }

  @Override
  public double logLikelihood(double eta, double y) {
    return logConstant - logCosh(rate * (y - eta));
  }

  @Override
  public double derivative(double eta, double y) {
    return rate * Math.tanh(rate * (y - eta));
  }

  @Override
  public double secondDerivative(double eta, double y) {
    double tanh = Math.tanh(rate * (y - eta));
    return -rate * rate * (1 - tanh * tanh);
  }
}
