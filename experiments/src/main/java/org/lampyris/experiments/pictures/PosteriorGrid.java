package org.lampyris.experiments.pictures;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * Posterior of one or two parameters on an even grid of the sampler's coordinates.
 *
 * @param axes the points along each coordinate
 * @param log log p(θ) + Σ_n log L_n(θ), by the first coordinate, then by the second; one column if
 *     there is no second. Natural log. Not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PosteriorGrid(double[][] axes, double[][] log) {
  /** Share of its range by which the grid is wider than the draws on either side. */
  private static final double MARGIN = 0.3;

  /** Evaluates the posterior about draws. */
  static PosteriorGrid about(
      double[][] draws, int points, Function<double[][], double[]> logPosterior) {
    int d = draws[0].length;
    double[][] axes = new double[d][];
    for (int j = 0; j < d; j++) {
      int k = j;
      double low = Arrays.stream(draws).mapToDouble(theta -> theta[k]).min().orElseThrow();
      double high = Arrays.stream(draws).mapToDouble(theta -> theta[k]).max().orElseThrow();
      double from = low - MARGIN * (high - low);
      double width = (1 + 2 * MARGIN) * (high - low) / points;
      axes[j] = new double[points];
      Arrays.setAll(axes[j], i -> from + (i + 0.5) * width);
    }
    int columns = d == 1 ? 1 : points;
    double[][] thetas = new double[points * columns][];
    Arrays.setAll(
        thetas,
        i ->
            d == 1
                ? new double[] {axes[0][i]}
                : new double[] {axes[0][i / columns], axes[1][i % columns]});
    double[] values = logPosterior.apply(thetas);
    double[][] log = new double[points][];
    Arrays.setAll(log, i -> Arrays.copyOfRange(values, i * columns, (i + 1) * columns));
    return new PosteriorGrid(axes, log);
  }

  private double width(int j) {
    return axes[j][1] - axes[j][0];
  }

  /** Returns the marginal density of a coordinate at the points of its axis. */
  double[] marginal(int j) {
    double largest = Arrays.stream(log).flatMapToDouble(Arrays::stream).max().orElseThrow();
    double[] density = new double[axes[j].length];
    double total = 0;
    for (int i = 0; i < log.length; i++) {
      for (int k = 0; k < log[i].length; k++) {
        double mass = Math.exp(log[i][k] - largest);
        density[j == 0 ? i : k] += mass;
        total += mass;
      }
    }
    double scale = 1 / (total * width(j));
    return Arrays.stream(density).map(d -> d * scale).toArray();
  }

  /** Returns the derivative of the log density of one parameter, by central differences. */
  double[] slope() {
    double[] slope = new double[log.length];
    for (int i = 0; i < slope.length; i++) {
      int from = Math.max(0, i - 1);
      int to = Math.min(slope.length - 1, i + 1);
      slope[i] = (log[to][0] - log[from][0]) / (axes[0][to] - axes[0][from]);
    }
    return slope;
  }

  /**
   * Normal approximation at the mode.
   *
   * @param mode where the log density's quadratic through the highest point's neighbours is largest
   * @param covariance minus the inverse of that quadratic's second derivatives, row-major
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Normal(double[] mode, double[] covariance) {
    /** Returns the marginal density of a coordinate. */
    double[] marginal(int j, double[] at) {
      int d = mode.length;
      double variance = covariance[j * d + j];
      return Arrays.stream(at)
          .map(x -> (x - mode[j]) * (x - mode[j]) / variance)
          .map(z -> Math.exp(-0.5 * z) / Math.sqrt(2 * Math.PI * variance))
          .toArray();
    }
  }

  /** Returns the normal approximation, of two coordinates. */
  Normal normal() {
    int[] at = highest(i -> i > 0 && i < log.length - 1);
    int i = at[0];
    int k = at[1];
    double h = width(0);
    double v = width(1);
    double top = log[i][k];
    double a = (log[i + 1][k] - 2 * top + log[i - 1][k]) / (h * h);
    double c = (log[i][k + 1] - 2 * top + log[i][k - 1]) / (v * v);
    double b =
        (log[i + 1][k + 1] - log[i + 1][k - 1] - log[i - 1][k + 1] + log[i - 1][k - 1])
            / (4 * h * v);
    double slopeX = (log[i + 1][k] - log[i - 1][k]) / (2 * h);
    double slopeY = (log[i][k + 1] - log[i][k - 1]) / (2 * v);
    double determinant = a * c - b * b;
    double[] covariance = {-c / determinant, b / determinant, b / determinant, -a / determinant};
    return new Normal(
        new double[] {
          axes[0][i] + covariance[0] * slopeX + covariance[1] * slopeY,
          axes[1][k] + covariance[2] * slopeX + covariance[3] * slopeY
        },
        covariance);
  }

  private int[] highest(IntPredicate inside) {
    int[] at = {1, 1};
    for (int i = 0; i < log.length; i++) {
      for (int k = 0; k < log[i].length; k++) {
        if (inside.test(i) && inside.test(k) && log[i][k] > log[at[0]][at[1]]) {
          at = new int[] {i, k};
        }
      }
    }
    return at;
  }
}
