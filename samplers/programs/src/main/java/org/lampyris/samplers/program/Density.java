package org.lampyris.samplers.program;

/** A distribution with a density, or a probability, that its parents alone decide. */
public interface Density extends Distribution {
  /**
   * Returns the natural logarithm of the density, −∞ outside of the support.
   *
   * @param x the value begins at {@code at}. Not modified.
   */
  double logDensity(Given given, double[] x, int at);
}
