package org.lampyris.samplers.diagnostics;

import java.util.function.IntToDoubleFunction;
import org.apache.commons.numbers.core.Sum;

/**
 * Mean and variance, summed in extended precision, with four sums in parallel, because each
 * addition waits for the previous one.
 */
final class DrawMoments {
  private DrawMoments() {}

  /** Returns the mean: exact for equal values, which a chain that never moves consists of. */
  static double mean(double[] values) {
    Sum sum = sum(values.length, i -> values[i]);
    double mean = sum.getAsDouble() / values.length;
    if (!Double.isFinite(mean)) {
      return mean;
    }
    // n·x rounds, so (n·x)/n can miss x by an ulp: what is left of the sum brings it back.
    return mean + sum.addProduct(-values.length, mean).getAsDouble() / values.length;
  }

  /** Returns Σ (x − mean)². */
  static double sumOfSquares(double[] values, double mean) {
    return sum(
            values.length,
            i -> {
              double deviation = values[i] - mean;
              return deviation * deviation;
            })
        .getAsDouble();
  }

  private static Sum sum(int terms, IntToDoubleFunction term) {
    Sum sum0 = Sum.create();
    Sum sum1 = Sum.create();
    Sum sum2 = Sum.create();
    Sum sum3 = Sum.create();
    int i = 0;
    for (; i + 3 < terms; i += 4) {
      sum0.add(term.applyAsDouble(i));
      sum1.add(term.applyAsDouble(i + 1));
      sum2.add(term.applyAsDouble(i + 2));
      sum3.add(term.applyAsDouble(i + 3));
    }
    for (; i < terms; i++) {
      sum0.add(term.applyAsDouble(i));
    }
    return sum0.add(sum1).add(sum2.add(sum3));
  }

  /** Returns the variance with divisor n − 1: NaN for a single value. */
  static double variance(double[] values) {
    return sumOfSquares(values, mean(values)) / (values.length - 1);
  }
}
