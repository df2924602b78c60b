package org.lampyris.samplers.validation;

import org.lampyris.bounds.prior.Prior;

/**
 * The prior of a scale, taken for that of its logarithm: the fault of leaving out the Jacobian.
 *
 * @param prior the prior with the Jacobian, which is here taken out again
 * @param index which element of θ is a logarithm
 */
record WithoutJacobian(Prior prior, int index) implements Prior {
  @Override
  public int dimension() {
    return prior.dimension();
  }

  @Override
  public double logDensity(double[] theta) {
    return prior.logDensity(theta) - theta[index];
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double value = prior.addGradient(theta, gradient);
    gradient[index] -= 1;
    return value - theta[index];
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    prior.addCurvature(theta, diagonal);
  }
}
