package org.lampyris.bounds.laplace;

import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * The θ within a radius of the mode of a posterior, in its standard deviations: ‖θ − θ̂‖ ≤ R. See
 * {@link LaplaceApproximation#ball}.
 */
public record Ball(LaplaceApproximation laplace, double radius) implements Region {
  public Ball {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
  }

  @Override
  public int dimension() {
    return laplace.dimension();
  }

  @Override
  public double distance(double[] theta) {
    return laplace.distance(theta);
  }

  /** {@inheritDoc} A squared distance has a χ² distribution of d degrees of freedom. */
  @Override
  public double normalBeyond(double distance) {
    return RegularizedGamma.Q.value(0.5 * dimension(), 0.5 * distance * distance);
  }

  @Override
  public String unit() {
    return "posterior standard deviations from the mode";
  }

  /** {@inheritDoc} It is θ̂ + factor·(θ − θ̂). */
  @Override
  public double[] onRay(double[] theta, double factor) {
    double[] mode = laplace.mode();
    double[] to = theta.clone();
    for (int i = 0; i < mode.length; i++) {
      to[i] = mode[i] + factor * (theta[i] - mode[i]);
    }
    return to;
  }

  @Override
  public int rayDimension() {
    return laplace.dimension();
  }
}
