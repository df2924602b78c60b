package org.lampyris.samplers.testdata;

import org.lampyris.samplers.kernel.LogDensity;

/** A density whose value comes with its gradient. */
public abstract class GradientDensity implements LogDensity {
  private final int dimension;

  /** Takes how many elements θ has. */
  protected GradientDensity(int dimension) {
    this.dimension = dimension;
  }

  @Override
  public final int dimension() {
    return dimension;
  }

  @Override
  public void values(double[][] thetas, double[] out) {
    for (int k = 0; k < thetas.length; k++) {
      out[k] = valueAndGradient(thetas[k], new double[dimension]);
    }
  }
}
