package org.lampyris.samplers.kernel;

/** Remembers the first element that it was asked about last: a proposal, or a trajectory's end. */
final class LastAsked implements Around {
  private final LogDensity target;
  private double theta;

  LastAsked(LogDensity target) {
    this.target = target;
  }

  double theta() {
    return theta;
  }

  @Override
  public LogDensity target() {
    return target;
  }

  @Override
  public void values(double[][] thetas, double[] out) {
    theta = thetas[thetas.length - 1][0];
    target.values(thetas, out);
  }

  @Override
  public double valueAndGradient(double[] at, double[] gradient) {
    theta = at[0];
    return target.valueAndGradient(at, gradient);
  }
}
