package org.lampyris.samplers.mode;

import java.util.function.ToDoubleFunction;

/** Curvature of a log-density of a few numbers, by differences. */
public final class Curvature {
  private Curvature() {}

  /**
   * Returns −∇² log g at a point, row-major, by central differences: an error of O(h²).
   *
   * @param at the point; not modified
   * @param step h, in each number
   */
  public static double[] of(ToDoubleFunction<double[]> log, double[] at, double step) {
    int p = at.length;
    double[] curvature = new double[p * p];
    for (int i = 0; i < p; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int sign = 0; sign < 4; sign++) {
          double[] to = at.clone();
          to[i] += sign % 2 == 0 ? step : -step;
          to[j] += sign / 2 == 0 ? step : -step;
          double there = log.applyAsDouble(to) / (4 * step * step);
          sum += sign % 2 == sign / 2 ? -there : there;
        }
        curvature[i * p + j] = sum;
        curvature[j * p + i] = sum;
      }
    }
    return curvature;
  }
}
