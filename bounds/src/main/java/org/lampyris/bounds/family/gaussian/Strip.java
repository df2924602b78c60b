package org.lampyris.bounds.family.gaussian;

import org.lampyris.bounds.laplace.Region;

/**
 * The θ = (β, τ) with |τ − τ̂| ≤ R, whatever β: where {@link GaussianScaleBound} holds. Its rays
 * move τ alone, on the side of τ̂ where it is, so that chains cross either edge.
 *
 * @param columns the length of β
 * @param center τ̂
 * @param radius R, above 0
 */
record Strip(int columns, double center, double radius) implements Region {
  @Override
  public int dimension() {
    return columns + 1;
  }

  @Override
  public double distance(double[] theta) {
    return Math.abs(theta[columns] - center);
  }

  @Override
  public String unit() {
    return "in log sigma from the mode";
  }

  @Override
  public double[] onRay(double[] theta, double factor) {
    double[] to = theta.clone();
    to[columns] = center + factor * (theta[columns] - center);
    return to;
  }

  @Override
  public int rayDimension() {
    return 1;
  }
}
