package org.lampyris.bounds.prior;

import org.lampyris.bounds.proxy.Metric;

/**
 * A prior confined to a ball: the given density where ‖θ − center‖ ≤ radius, not renormalised, and
 * zero elsewhere. Cost of the metric, O(d²), on top of the prior's.
 */
public final class BallPrior implements Prior {
  private static final long serialVersionUID = 1L;

  private final Prior prior;
  private final Metric metric;
  private final double[] center;
  private final double radius;

  /**
   * Confines a prior.
   *
   * @param prior the prior
   * @param metric measures distances
   * @param center the center; copied
   * @param radius the radius, above 0
   */
  public BallPrior(Prior prior, Metric metric, double[] center, double radius) {
    if (metric.dimension() != prior.dimension() || !(radius > 0)) {
      throw new IllegalArgumentException(
          "a ball of radius "
              + radius
              + " in dimension "
              + metric.dimension()
              + " for a prior of dimension "
              + prior.dimension());
    }
    this.prior = prior;
    this.metric = metric;
    this.center = center.clone();
    this.radius = radius;
  }

  @Override
  public int dimension() {
    return prior.dimension();
  }

  private boolean holds(double[] theta) {
    return metric.distance(center, theta) <= radius;
  }

  @Override
  public double logDensity(double[] theta) {
    return holds(theta) ? prior.logDensity(theta) : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double addGradient(double[] theta, double[] gradient) {
    double value = prior.addGradient(theta, gradient);
    return holds(theta) ? value : Double.NEGATIVE_INFINITY;
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
  public double kink(int j) {
    return prior.kink(j);
  }

  @Override
  public double kinkSize(int j) {
    return prior.kinkSize(j);
  }
}
