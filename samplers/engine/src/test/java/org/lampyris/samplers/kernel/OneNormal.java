package org.lampyris.samplers.kernel;

/** One normal number; every way that the decisions can fall. */
final class OneNormal extends PathNoise {
  private final double z;

  OneNormal(double z) {
    this.z = z;
  }

  @Override
  public double normal() {
    return z;
  }

  @Override
  public double exponential() {
    throw new AssertionError("no kernel here draws one");
  }

  @Override
  public double uniform(double low, double high) {
    throw new AssertionError("no kernel here draws one");
  }
}
