package org.lampyris.experiments.pictures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.driver.report.Curve;

/** Contour lines of a function on a grid, by linear interpolation along the edges of its cells. */
final class Contours {
  /** Edges of a cell by its corners: (0, 0), (1, 0), (1, 1), (0, 1). */
  private static final int[][] CORNERS = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

  private Contours() {}

  /**
   * Returns the contour of a level: segments with a gap after each.
   *
   * @param z by x, then by y. Not modified.
   */
  static Curve at(String name, double[] x, double[] y, double[][] z, double level) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i + 1 < x.length; i++) {
      for (int j = 0; j + 1 < y.length; j++) {
        List<double[]> crossed = crossings(x, y, z, level, i, j);
        // Two crossings are one segment. Four are a saddle, joined in the order of the edges.
        for (int k = 0; k + 1 < crossed.size(); k += 2) {
          points.add(crossed.get(k));
          points.add(crossed.get(k + 1));
          points.add(new double[] {Double.NaN, Double.NaN});
        }
      }
    }
    return new Curve(
        name,
        points.stream().mapToDouble(point -> point[0]).toArray(),
        points.stream().mapToDouble(point -> point[1]).toArray());
  }

  private static List<double[]> crossings(
      double[] x, double[] y, double[][] z, double level, int i, int j) {
    List<double[]> crossed = new ArrayList<>();
    for (int k = 0; k < CORNERS.length; k++) {
      int[] from = CORNERS[k];
      int[] to = CORNERS[(k + 1) % CORNERS.length];
      double a = z[i + from[0]][j + from[1]] - level;
      double b = z[i + to[0]][j + to[1]] - level;
      if (a < 0 != b < 0) {
        double share = a / (a - b);
        double xa = x[i + from[0]];
        double ya = y[j + from[1]];
        crossed.add(
            new double[] {xa + share * (x[i + to[0]] - xa), ya + share * (y[j + to[1]] - ya)});
      }
    }
    return crossed;
  }

  /**
   * Returns the log densities whose contours enclose given shares of the mass: of the densest
   * points of an even grid.
   *
   * @param log natural log densities, up to a constant. Not modified.
   */
  static double[] enclosing(double[][] log, double... shares) {
    double[] sorted = Arrays.stream(log).flatMapToDouble(Arrays::stream).sorted().toArray();
    double largest = sorted[sorted.length - 1];
    double total = Arrays.stream(sorted).map(l -> Math.exp(l - largest)).sum();
    double[] levels = new double[shares.length];
    Arrays.fill(levels, Double.NEGATIVE_INFINITY);
    double sum = 0;
    for (int i = sorted.length - 1; i >= 0; i--) {
      sum += Math.exp(sorted[i] - largest) / total;
      for (int k = 0; k < shares.length; k++) {
        if (levels[k] == Double.NEGATIVE_INFINITY && sum >= shares[k]) {
          levels[k] = sorted[i];
        }
      }
    }
    return levels;
  }
}
