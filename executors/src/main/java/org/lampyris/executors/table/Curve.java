package org.lampyris.executors.table;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The functions of a number x that become columns of a table: B(x)·M, with k cubic B-splines B on
 * evenly spaced knots. Beyond the outer knots each spline is continued by its tangent. A row keeps
 * x, and its columns follow from that, to the bit.
 */
public final class Curve implements Serializable {
  /** Number of splines that are not 0 at a number: one more than the degree. */
  public static final int ORDER = 4;

  private final double lower;
  private final double step;
  private final int splines;
  private final int columns;
  private final double[] map;

  /**
   * Takes the splines and the map.
   *
   * @param lower the first knot of the range
   * @param step the distance of knots
   * @param splines k
   * @param map M, k × columns, row-major. Not copied
   */
  public Curve(double lower, double step, int splines, double[] map) {
    this.lower = lower;
    this.step = step;
    this.splines = splines;
    this.columns = map.length / splines;
    this.map = map;
  }

  /** Returns the curve as a schema has it, for a feature. */
  public TableSchema.CurveOf ofFeature(String feature) {
    return new TableSchema.CurveOf(
        feature, lower, step, splines, Arrays.stream(map).boxed().toList());
  }

  /** Returns the number of columns. */
  public int size() {
    return columns;
  }

  /**
   * Computes the B-splines that are not 0.
   *
   * @param place (x − first knot) / distance of knots
   * @param intervals how many intervals the range has
   * @param out the values of {@value #ORDER} splines. Modified.
   * @return the number of the first of them, from 0
   */
  public static int splines(double place, int intervals, double[] out) {
    double inside = Math.max(0, Math.min(intervals, place));
    int first = Math.min(intervals - 1, (int) inside);
    double u = inside - first;
    double v = 1 - u;
    double beyond = place - inside;
    out[0] = v * v * v / 6 - beyond * v * v / 2;
    out[1] = (4 + u * u * (3 * u - 6)) / 6 + beyond * u * (3 * u - 4) / 2;
    out[2] = (1 + 3 * u * (1 + u * v)) / 6 + beyond * (1 + u * (2 - 3 * u)) / 2;
    out[3] = u * u * u / 6 + beyond * u * u / 2;
    return first;
  }

  /**
   * Writes the columns.
   *
   * @param out its elements {@code at … at + size() − 1} are written. Modified.
   */
  public void write(double x, double[] out, int at) {
    double[] b = new double[ORDER];
    int first = splines((x - lower) / step, splines - ORDER + 1, b);
    double b0 = b[0];
    double b1 = b[1];
    double b2 = b[2];
    double b3 = b[3];
    int m0 = first * columns;
    int m1 = m0 + columns;
    int m2 = m1 + columns;
    int m3 = m2 + columns;
    for (int j = 0; j < columns; j++) {
      // From 0.0 on, so that no zero is negative.
      out[at + j] =
          (((0.0 + b0 * map[m0 + j]) + b1 * map[m1 + j]) + b2 * map[m2 + j]) + b3 * map[m3 + j];
    }
  }
}
