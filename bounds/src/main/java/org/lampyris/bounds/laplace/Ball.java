package org.lampyris.bounds.laplace;

import java.io.Serializable;

/**
 * The θ within a radius of the mode of a posterior, in its standard deviations: ‖θ − θ̂‖ ≤ R. See
 * {@link LaplaceApproximation#ball}.
 */
public final class Ball implements Serializable {
  private final LaplaceApproximation laplace;
  private final double radius;

  Ball(LaplaceApproximation laplace, double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a ball of radius " + radius);
    }
    this.laplace = laplace;
    this.radius = radius;
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return laplace.dimension();
  }

  /** Returns the radius. */
  public double radius() {
    return radius;
  }

  /** Returns ‖θ − θ̂‖. θ is not modified. */
  public double distance(double[] theta) {
    return laplace.distance(theta);
  }

  /** Returns whether θ lies in the ball. */
  public boolean holds(double[] theta) {
    return distance(theta) <= radius;
  }

  /**
   * Returns θ, or where the line from the mode to θ has come by a share of the radius, whichever is
   * nearer. θ is not modified.
   *
   * @param share how far into the ball, in (0, 1]
   */
  public double[] nearest(double[] theta, double share) {
    double distance = distance(theta);
    double[] near = theta.clone();
    if (distance > share * radius) {
      double scale = share * radius / distance;
      double[] mode = laplace.mode();
      for (int i = 0; i < near.length; i++) {
        near[i] = mode[i] + scale * (theta[i] - mode[i]);
      }
    }
    return near;
  }
}
