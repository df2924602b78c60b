package org.lampyris.bounds.prior;

import org.lampyris.bounds.laplace.Region;

/**
 * A prior confined to a region of θ: the given density there, not renormalised, and zero elsewhere.
 */
public final class ConfinedPrior implements Prior {
  private final Prior prior;
  private final Region region;

  /** Confines a prior. */
  public ConfinedPrior(Prior prior, Region region) {
    if (region.dimension() != prior.dimension()) {
      throw new IllegalArgumentException(
          "a region in dimension " + region.dimension() + " for a prior of " + prior.dimension());
    }
    this.prior = prior;
    this.region = region;
  }

  @Override
  public int dimension() {
    return prior.dimension();
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
  public double lower(int j) {
    return prior.lower(j);
  }

  @Override
  public double upper(int j) {
    return prior.upper(j);
  }

  @Override
  public double precision(int j) {
    return prior.precision(j);
  }

  @Override
  public double kink(int j) {
    return prior.kink(j);
  }

  @Override
  public double kinkSize(int j) {
    return prior.kinkSize(j);
  }
}
