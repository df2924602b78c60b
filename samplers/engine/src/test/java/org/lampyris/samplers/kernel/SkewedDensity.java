package org.lampyris.samplers.kernel;

import org.lampyris.samplers.testdata.GradientDensity;

/**
 * Independent logarithms of gamma variables of shapes α_i: log p(θ) = Σ α_i θ_i − e^θ_i. Skewed, so
 * that a turned sign shows; E e^θ_i = α_i, E e^2θ_i = α_i(α_i + 1), and E θ_i is the digamma
 * function.
 */
public final class SkewedDensity extends GradientDensity {
  private final double[] shapes;

  /** Takes the shapes. */
  public SkewedDensity(double... shapes) {
    super(shapes.length);
    this.shapes = shapes.clone();
  }

  @Override
  public double valueAndGradient(double[] theta, double[] gradient) {
    double sum = 0;
    for (int i = 0; i < shapes.length; i++) {
      sum += shapes[i] * theta[i] - Math.exp(theta[i]);
      gradient[i] = shapes[i] - Math.exp(theta[i]);
    }
    return sum;
  }
}
