package org.lampyris.bounds.bound;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.numeric.ArrowMatrix;

/**
 * Finished {@link CollapsedQuadratic}, δᵀAδ + bᵀδ + c with δ = θ − origin, natural log, for
 * repeated evaluation of its value and gradient, both from one product 2Aδ.
 *
 * <p>Immutable, safe for use by several threads. Cost of {@link #addGradient}: O(d²), and less for
 * the {@linkplain ArrowMatrix arrow} that the levels of a grouping factor make.
 */
public final class QuadraticForm {
  private final double[] origin;
  private final ArrowMatrix twiceA;
  private final double[] linear;
  private final double constant;
  private final @Nullable Bend bend;

  /** Copies the current sum, with the coordinate of one element in which it is quadratic. */
  QuadraticForm(CollapsedQuadratic sum, @Nullable Bend bend) {
    int d = sum.dimension();
    double[] packed = sum.packed();
    double[] matrix = new double[d * d];
    int k = 0;
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i * d + j] = 2 * packed[k];
        matrix[j * d + i] = 2 * packed[k++];
      }
    }
    this.origin = sum.origin();
    this.twiceA = new ArrowMatrix(matrix, d);
    this.linear = Arrays.copyOfRange(packed, k, k + d);
    this.constant = packed[k + d];
    this.bend = bend;
  }

  /** Returns Σ_n log B_n(θ). θ is not modified. */
  public double value(double[] theta) {
    return addGradient(theta, new double[origin.length]);
  }

  /**
   * Adds ∇ Σ_n log B_n(θ) = 2Aδ + b to {@code gradient} and returns Σ_n log B_n(θ). θ is not
   * modified.
   */
  public double addGradient(double[] theta, double[] gradient) {
    double[] delta = new double[origin.length];
    for (int i = 0; i < delta.length; i++) {
      delta[i] = theta[i] - origin[i];
    }
    int bent = bend == null ? -1 : bend.place();
    if (bend != null) {
      delta[bent] = bend.of(theta[bent]) - bend.of(origin[bent]);
    }
    double[] product = twiceA.times(delta);
    double sum = 0;
    for (int i = 0; i < delta.length; i++) {
      sum += delta[i] * (0.5 * product[i] + linear[i]);
      double slope = product[i] + linear[i];
      gradient[i] += bend != null && i == bent ? slope * bend.slope(theta[i]) : slope;
    }
    return sum + constant;
  }

  /** Returns δᵀAδ. δ is not modified. */
  public double half(double[] delta) {
    return 0.5 * twiceA.form(delta);
  }
}
