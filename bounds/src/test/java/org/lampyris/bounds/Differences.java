package org.lampyris.bounds;

import java.util.function.ToDoubleFunction;

/** Derivatives by differences, to hold analytical ones against. */
public final class Differences {

  private Differences() {}

  /**
   * Returns ∂f/∂θ_j by the central difference of fourth order, (8(f₁ − f₋₁) − (f₂ − f₋₂))/12h.
   *
   * @param f the function
   * @param theta where. Not modified.
   * @param j which element
   * @param h the step
   */
  public static double central(ToDoubleFunction<double[]> f, double[] theta, int j, double h) {
    return (8 * (at(f, theta, j, h) - at(f, theta, j, -h))
            - (at(f, theta, j, 2 * h) - at(f, theta, j, -2 * h)))
        / (12 * h);
  }

  private static double at(ToDoubleFunction<double[]> f, double[] theta, int j, double h) {
    double[] moved = theta.clone();
    moved[j] += h;
    return f.applyAsDouble(moved);
  }
}
