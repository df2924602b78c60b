package org.lampyris.samplers.kernel;

/** A density that differs from another one in what it overrides. */
interface Around extends LogDensity {
  /** Returns the other one. */
  LogDensity target();

  @Override
  default int dimension() {
    return target().dimension();
  }

  @Override
  default void values(double[][] thetas, double[] out) {
    target().values(thetas, out);
  }

  @Override
  default double valueAndGradient(double[] theta, double[] gradient) {
    return target().valueAndGradient(theta, gradient);
  }
}
