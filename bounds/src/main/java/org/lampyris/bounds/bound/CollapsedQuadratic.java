package org.lampyris.bounds.bound;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Σ_n log B_n(θ) as one quadratic in δ = θ − origin: δᵀAδ + bᵀδ + c, natural log.
 *
 * <p>The origin keeps the sum accurate: near the posterior's mode the three terms are small.
 * Expanded about 0, θᵀAθ + bᵀθ + c would be a difference of numbers of size n. Two quadratics with
 * one origin merge by adding.
 *
 * <p>Stored as one packed vector, so that it is summed like any other: the lower triangle of A row
 * by row, then b, then c.
 *
 * <p>A bound may be quadratic in another coordinate of one element of θ: see {@link
 * LowerBound#inItsCoordinates}. Then δ is taken there, and so are gradients' chain rules.
 *
 * <p>Cost of {@link #value}: O(d²), independent of the number of rows. Source: Maclaurin and Adams
 * (2014), section 3.1.
 */
public final class CollapsedQuadratic implements Serializable {
  private final double[] origin;
  private final double[] packed;
  private final @Nullable Bend bend;

  /** Begins an empty sum about an origin (copied). */
  public CollapsedQuadratic(double[] origin) {
    this(origin, new double[packedLength(origin.length)]);
  }

  /**
   * Wraps a packed sum.
   *
   * @param origin the point that A, b and c are about; copied
   * @param packed see {@link #packed()}; not copied
   */
  public CollapsedQuadratic(double[] origin, double[] packed) {
    this(origin, packed, null);
  }

  private CollapsedQuadratic(double[] origin, double[] packed, @Nullable Bend bend) {
    if (packed.length != packedLength(origin.length)) {
      throw new IllegalArgumentException(
          packed.length + " packed values for dimension " + origin.length);
    }
    this.origin = origin.clone();
    this.packed = packed;
    this.bend = bend;
  }

  /** Returns the same numbers as a quadratic in another coordinate of one element. */
  CollapsedQuadratic in(Bend coordinate) {
    return new CollapsedQuadratic(origin, packed, coordinate);
  }

  /** Returns δ_i, in the element's coordinate. */
  private double apart(double[] theta, int i) {
    return bend != null && bend.place() == i
        ? bend.of(theta[i]) - bend.of(origin[i])
        : theta[i] - origin[i];
  }

  /** Returns how many packed values a quadratic in d dimensions has: d(d+1)/2 + d + 1. */
  public static int packedLength(int dimension) {
    return dimension * (dimension + 1) / 2 + dimension + 1;
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return origin.length;
  }

  /** Returns a copy of the point that A, b and c are about. */
  public double[] origin() {
    return origin.clone();
  }

  /** Returns the packed sum itself, not a copy: the lower triangle of A row by row, b, c. */
  public double[] packed() {
    return packed;
  }

  /**
   * Adds factor·M to the first rows and columns of A.
   *
   * @param lower M, row-major, columns × columns; the lower triangle is used. Not modified.
   */
  public void addMatrix(double factor, double[] lower, int columns) {
    int k = 0;
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j <= i; j++) {
        packed[k++] += factor * lower[i * columns + j];
      }
    }
  }

  /**
   * Returns the sum of this one and another.
   *
   * @throws IllegalArgumentException if they are not about the same point
   */
  public CollapsedQuadratic plus(CollapsedQuadratic other) {
    if (!Arrays.equals(origin, other.origin)) {
      throw new IllegalArgumentException("quadratics about different points");
    }
    double[] sum = packed.clone();
    for (int k = 0; k < sum.length; k++) {
      sum[k] += other.packed[k];
    }
    return new CollapsedQuadratic(origin, sum);
  }

  /**
   * Returns this one as a function of more elements, on which it does not depend.
   *
   * @param places where its elements are among all of them, ascending
   * @param dimension how many there are in all; the origin of the others is 0
   */
  public CollapsedQuadratic among(int[] places, int dimension) {
    double[] about = new double[dimension];
    double[] all = new double[packedLength(dimension)];
    int linear = all.length - dimension - 1;
    int d = origin.length;
    int k = 0;
    for (int i = 0; i < d; i++) {
      about[places[i]] = origin[i];
      all[linear + places[i]] = packed[packed.length - d - 1 + i];
      for (int j = 0; j <= i; j++) {
        all[places[i] * (places[i] + 1) / 2 + places[j]] = packed[k++];
      }
    }
    all[all.length - 1] = packed[packed.length - 1];
    return new CollapsedQuadratic(about, all);
  }

  /** Returns Σ_n log B_n(θ). θ is not modified. */
  public double value(double[] theta) {
    int d = origin.length;
    double[] delta = new double[d];
    Arrays.setAll(delta, i -> apart(theta, i));
    double quadratic = 0;
    double linear = 0;
    int k = 0;
    int b = packed.length - d - 1;
    for (int i = 0; i < d; i++) {
      double di = delta[i];
      double row = 0;
      for (int j = 0; j < i; j++) {
        row += packed[k++] * delta[j];
      }
      quadratic += di * (2 * row + packed[k++] * di);
      linear += packed[b + i] * di;
    }
    return quadratic + linear + packed[packed.length - 1];
  }

  /** Returns the current sum in a form for repeated evaluation of its value and gradient. */
  public QuadraticForm form() {
    return new QuadraticForm(this, bend);
  }
}
