package org.lampyris.bounds.prior;

import org.lampyris.bounds.laplace.Region;

/**
 * A prior confined to a region of θ: the given density there, not renormalised, and zero elsewhere.
 */
public record ConfinedPrior(Prior prior, Region region) implements Prior {
  /** Confines a prior. */
  public ConfinedPrior {
    if (region.dimension() != prior.known()) {
      throw new IllegalArgumentException(
          "a region in dimension " + region.dimension() + " for a prior of " + prior.known());
    }
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  @Override
  public int known() {
    return prior.known();
  }

  @Override
  public double logDensity(double[] theta) {
    return region.holds(theta) ? prior.logDensity(theta) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double value = prior.addGradient(theta, gradient);
    return region.holds(theta) ? value : Double.NEGATIVE_INFINITY;
  }

  @Override
  public void addCurvature(double[] theta, double[] diagonal) {
    prior.addCurvature(theta, diagonal);
  }

  @Override
  public UnivariatePrior alone(int j) {
    return prior.alone(j);
  }
}
