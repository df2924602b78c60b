package org.lampyris.bounds.laplace;

import java.io.Serializable;

/**
 * Region of θ within a radius of a centre, where a bound holds. Its distance grows in proportion
 * along a ray. Points beyond it are reached along the rays.
 */
public interface Region extends Serializable {
  /** Returns how many elements θ has. */
  int dimension();

  /** Returns the radius, above 0. */
  double radius();

  /** Returns how far θ is from the centre. θ is not modified. */
  double distance(double[] theta);

  /** Returns the unit and the origin of distances, for a reader. */
  String unit();

  /**
   * Returns which share of a normal posterior is farther from the centre than a distance; 1 if that
   * is not known.
   */
  default double normalBeyond(double distance) {
    return 1;
  }

  /** Returns whether θ lies in the region. */
  default boolean holds(double[] theta) {
    return distance(theta) <= radius();
  }

  /**
   * Returns the θ on the same ray whose distance is {@code factor} times as large.
   *
   * @param theta θ. Not modified.
   * @param factor by how much the distance is to grow, above 0
   */
  double[] onRay(double[] theta, double factor);

  /** Returns how many elements {@link #onRay} moves: its Jacobian is factor to that power. */
  int rayDimension();
}
