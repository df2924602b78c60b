package org.lampyris.samplers.diagnostics;

import org.apache.commons.numbers.core.Sum;

/**
 * Mean and variance, summed in extended precision: four sums side by side, as each waits for the
 * one before it.
 */
final class Moments {
  private Moments() {}

  /** Returns the mean: exact for equal values, which a chain that never moves consists of. */
  static double mean(double[] values) {
    Sum sum = sum(values);
    double mean = sum.getAsDouble() / values.length;
    if (!Double.isFinite(mean)) {
      return mean;
    }
    // n·x rounds, so (n·x)/n can miss x by an ulp: what is left of the sum brings it back.
    return mean + sum.addProduct(-values.length, mean).getAsDouble() / values.length;
  }

  /** Returns Σ (x − mean)². */
  static double sumOfSquares(double[] values, double mean) {
    Sum sum0 = Sum.create();
    Sum sum1 = Sum.create();
    Sum sum2 = Sum.create();
    Sum sum3 = Sum.create();
    int i = 0;
    for (; i + 3 < values.length; i += 4) {
      sum0.add(square(values[i] - mean));
      sum1.add(square(values[i + 1] - mean));
      sum2.add(square(values[i + 2] - mean));
      sum3.add(square(values[i + 3] - mean));
    }
    for (; i < values.length; i++) {
      sum0.add(square(values[i] - mean));
    }
    return sum0.add(sum1).add(sum2.add(sum3)).getAsDouble();
  }

  private static double square(double deviation) {
    return deviation * deviation;
  }

  private static Sum sum(double[] values) {
    Sum sum0 = Sum.create();
    Sum sum1 = Sum.create();
    Sum sum2 = Sum.create();
    Sum sum3 = Sum.create();
    int i = 0;
    for (; i + 3 < values.length; i += 4) {
      sum0.add(values[i]);
      sum1.add(values[i + 1]);
      sum2.add(values[i + 2]);
      sum3.add(values[i + 3]);
    }
    for (; i < values.length; i++) {
      sum0.add(values[i]);
    }
    return sum0.add(sum1).add(sum2.add(sum3));
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
