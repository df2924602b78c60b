package org.lampyris.samplers.validation;

import org.lampyris.bounds.prior.Prior;

/** A prior that counts a number of times. */
record Scaled(Prior prior, double factor) implements Prior {
  @Override
  public int dimension() {
    return prior.dimension();
  }

  @Override
  public double logDensity(double[] theta) {
    return factor * prior.logDensity(theta);
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double[] own = new double[gradient.length];
    double value = prior.addGradient(theta, own);
    for (int j = 0; j < own.length; j++) {
      gradient[j] += factor * own[j];
    }
    return factor * value;
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    double[] own = new double[diagonal.length];
    prior.addCurvature(theta, own);
    for (int j = 0; j < own.length; j++) {
      diagonal[j] += factor * own[j];
    }
  }
}
