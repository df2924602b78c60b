package org.lampyris.dataprep.formula;

import java.util.List;
import java.util.Optional;
import org.lampyris.executors.table.TableSchema;

/**
 * The functions of x that a smooth of one number is made of, over the range of its table.
 *
 * @param x evenly spaced from the smallest to the largest
 * @param columns for each x the values of the smooth's columns, in the order of their names
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SmoothGrid(double[] x, double[][] columns) {
  /**
   * Computes the grid; empty for a smooth of two numbers, or one that a number multiplies.
   *
   * @param formula what the table knows of its formula
   * @param points how many points the grid has, at least 2
   */
  public static Optional<SmoothGrid> of(
      TableSchema.Formula formula, TableSchema.Smooth smooth, int points) {
    int size = smooth.columns().size() + 1;
    if (smooth.variables().size() != 1 || (smooth.by() != null && smooth.level() == null)) {
      return Optional.empty();
    }
    String name = "s(%s, k = %d)".formatted(smooth.variables().get(0), size);
    return formula.bases().stream()
        .filter(basis -> basis.name().equals(name))
        .findFirst()
        .map(basis -> of(new PSpline(size, basis.numbers(), name), basis.numbers(), points));
  }

  private static SmoothGrid of(PSpline spline, List<Double> numbers, int points) {
    PSpline.Columns columns = spline.columns(PSpline.Form.CENTERED);
    double low = numbers.get(0);
    double high = numbers.get(1);
    double[] x = new double[points];
    double[][] values = new double[points][columns.size()];
    for (int i = 0; i < points; i++) {
      x[i] = low + (high - low) * i / (points - 1);
      columns.write(x[i], values[i]);
    }
    return new SmoothGrid(x, values);
  }
}
