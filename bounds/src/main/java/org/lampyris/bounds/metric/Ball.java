package org.lampyris.bounds.metric;

import java.io.Serializable;

/** The θ with ‖θ − center‖ ≤ radius. */
public final class Ball implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Metric metric;
  private final double[] center;
  private final double radius;

  /**
   * Takes what makes a ball.
   *
   * @param metric measures distances
   * @param center the center; copied
   * @param radius the radius, above 0
   */
  public Ball(Metric metric, double[] center, double radius) {
    if (metric.dimension() != center.length || !(radius > 0)) {
      throw new IllegalArgumentException(
          "a ball of radius "
              + radius
              + " about a point of "
              + center.length
              + " elements, in dimension "
              + metric.dimension());
    }
    this.metric = metric;
    this.center = center.clone();
    this.radius = radius;
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return center.length;
  }

  /** Returns the radius. */
  public double radius() {
    return radius;
  }

  /** Returns ‖θ − center‖. θ is not modified. */
  public double distance(double[] theta) {
    return metric.distance(center, theta);
  }

  /** Returns whether θ lies in the ball. */
  public boolean holds(double[] theta) {
    return distance(theta) <= radius;
  }

  /**
   * Returns θ, or where the line from the center to θ has come by a share of the radius, whichever
   * is nearer.
   *
   * @param theta θ. Not modified.
   * @param share how far into the ball, in (0, 1]
   */
  public double[] nearest(double[] theta, double share) {
    double distance = distance(theta);
    double[] near = theta.clone();
    if (distance > share * radius) {
      double scale = share * radius / distance;
      for (int i = 0; i < near.length; i++) {
        near[i] = center[i] + scale * (theta[i] - center[i]);
      }
    }
    return near;
  }
}
