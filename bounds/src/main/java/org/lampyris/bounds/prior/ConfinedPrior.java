package org.lampyris.bounds.prior;

/**
 * A prior confined to a region of θ: the given density there, not renormalised, and zero elsewhere.
 */
abstract class ConfinedPrior implements Prior {
  private final Prior prior;

  ConfinedPrior(Prior prior) {
    this.prior = prior;
  }

  /** Returns whether θ lies in the region. θ is not modified. */
  abstract boolean holds(double[] theta);

  @Override
  public final int dimension() {
    return prior.dimension();
  }

  @Override
  public final double logDensity(double[] theta) {
    return holds(theta) ? prior.logDensity(theta) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public final double addGradient(double[] theta, double[] gradient) {
    double value = prior.addGradient(theta, gradient);
    return holds(theta) ? value : Double.NEGATIVE_INFINITY;
  }

  @Override
  public final void addCurvature(double[] theta, double[] diagonal) {
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
  public final double precision(int j) {
    return prior.precision(j);
  }

  @Override
  public final double kink(int j) {
    return prior.kink(j);
  }

  @Override
  public final double kinkSize(int j) {
    return prior.kinkSize(j);
  }
}
