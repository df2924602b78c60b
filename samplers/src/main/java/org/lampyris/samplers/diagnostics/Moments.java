package org.lampyris.samplers.diagnostics;

import org.apache.commons.numbers.core.Sum;

/** Mean and variance, summed in extended precision. */
final class Moments {
  private Moments() {}

  /** Returns the mean: exact for equal values, which a chain that never moves consists of. */
  static double mean(double[] values) {
    Sum sum = Sum.of(values);
    double mean = sum.getAsDouble() / values.length;
    if (!Double.isFinite(mean)) {
      return mean;
    }
    // n·x rounds, so (n·x)/n can miss x by an ulp: what is left of the sum brings it back.
    return mean + sum.addProduct(-values.length, mean).getAsDouble() / values.length;
  }

  /** Returns Σ (x − mean)². */
  static double sumOfSquares(double[] values, double mean) {
    Sum sum = Sum.create();
    for (double value : values) {
      double deviation = value - mean;
      sum.add(deviation * deviation);
    }
    return sum.getAsDouble();
  }

  /** Returns the variance with divisor n − 1: NaN for a single value. */
  static double variance(double[] values) {
    return sumOfSquares(values, mean(values)) / (values.length - 1);
  }

  /** Returns the standard deviation with divisor n − 1: NaN for a single value. */
  static double standardDeviation(double[] values) {
    return Math.sqrt(variance(values));
  }
}
