package org.lampyris.driver.report;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Kernel density estimate of draws: Gaussian, with the bandwidth of Silverman (1986, equation
 * 3.31), 0.9·min(sd, IQR/1.34)·S^(−1/5), from counts in cells: cost S + {@link #POINTS}².
 *
 * @param x {@link #POINTS} points from the least draw to the greatest, and two bandwidths beyond
 * @param density at them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Shape(double[] x, double[] density) {
  /** Number of points. */
  static final int POINTS = 96;

  private static final Shape NONE = new Shape(new double[0], new double[0]);

  /**
   * Estimates.
   *
   * @param draws in any order, finite. Not modified.
   * @param share of all draws that these are
   * @return no points if the draws are all equal, or there are none
   */
  static Shape of(double[] draws, double share) {
    double[] sorted = draws.clone();
    Arrays.sort(sorted);
    int size = sorted.length;
    if (size < 2 || !(sorted[size - 1] > sorted[0]) || !Double.isFinite(sorted[size - 1])) {
      return NONE;
    }
    double width = bandwidth(sorted);
    double low = sorted[0] - 2 * width;
    double step = (sorted[size - 1] + 2 * width - low) / (POINTS - 1);
    double[] cells = new double[POINTS];
    for (double draw : sorted) {
      double at = (draw - low) / step;
      int cell = (int) Math.min(POINTS - 2, at);
      cells[cell] += cell + 1 - at;
      cells[cell + 1] += at - cell;
    }
    return smoothed(cells, low, step, width, share / size);
  }

  /**
   * Returns the bandwidth.
   *
   * @param sorted draws in ascending order, finite. Not modified.
   */
  public static double bandwidth(double[] sorted) {
    int size = sorted.length;
    double mean = Arrays.stream(sorted).average().orElseThrow();
    double squares = Arrays.stream(sorted).map(x -> (x - mean) * (x - mean)).sum();
    double sd = Math.sqrt(squares / (size - 1));
    double middle = (sorted[(int) (0.75 * (size - 1))] - sorted[(int) (0.25 * (size - 1))]) / 1.34;
    return 0.9 * (middle > 0 ? Math.min(sd, middle) : sd) * Math.pow(size, -0.2);
  }

  /**
   * Returns the density at any point, by the same kernel: cost S a point.
   *
   * @param sorted draws in ascending order, finite, not all equal. Not copied.
   */
  public static DoubleUnaryOperator estimate(double[] sorted) {
    double width = bandwidth(sorted);
    double total = sorted.length * width * Math.sqrt(2 * Math.PI);
    return x -> {
      double sum = 0;
      for (double draw : sorted) {
        double z = (x - draw) / width;
        sum += Math.exp(-0.5 * z * z);
      }
      return sum / total;
    };
  }

  private static Shape smoothed(
      double[] cells, double low, double step, double width, double weight) {
    // Cells wider than the kernel would have it fall between them.
    double kernel = Math.max(width, 0.5 * step);
    double[] bell = new double[POINTS];
    for (int k = 0; k < POINTS; k++) {
      double z = k * step / kernel;
      bell[k] = weight * Math.exp(-0.5 * z * z) / (kernel * Math.sqrt(2 * Math.PI));
    }
    double[] x = new double[POINTS];
    double[] density = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      x[i] = low + i * step;
      for (int j = 0; j < POINTS; j++) {
        density[i] += cells[j] * bell[Math.abs(i - j)];
      }
    }
    return new Shape(x, density);
  }
}
