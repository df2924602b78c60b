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
   * Returns θ̂ + factor·(θ − θ̂).
   *
   * @param theta θ. Not modified.
   * @param factor by how much the distance is to grow
   */
  public double[] onRay(double[] theta, double factor) {
    double[] mode = laplace.mode();
    double[] to = new double[mode.length];
    for (int i = 0; i < to.length; i++) {
      to[i] = mode[i] + factor * (theta[i] - mode[i]);
    }
    return to;
  }
}
