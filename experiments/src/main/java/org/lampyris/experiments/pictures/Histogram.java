package org.lampyris.experiments.pictures;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.lampyris.driver.report.Curve;

/**
 * Density of numbers in cells of equal width.
 *
 * @param low the lower edge of the first cell
 * @param width of a cell
 * @param density of each cell: its share of all numbers, those beyond the cells included, over the
 *     width. Not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Histogram(double low, double width, double[] density) {
  /** Counts numbers in cells between two numbers. */
  static Histogram of(double[] values, double low, double high, int cells) {
    double width = (high - low) / cells;
    double[] density = new double[cells];
    for (double value : values) {
      int cell = (int) Math.floor((value - low) / width);
      if (cell >= 0 && cell < cells) {
        density[cell] += 1 / (width * values.length);
      }
    }
    return new Histogram(low, width, density);
  }

  /** Returns the middle of each cell. */
  double[] middles() {
    return IntStream.range(0, density.length)
        .mapToDouble(cell -> low + (cell + 0.5) * width)
        .toArray();
  }

  /** Returns the outline of the columns, from the axis back to it. */
  Curve outline(String name) {
    double[] x = new double[2 * density.length + 2];
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int edge = i / 2;
      x[i] = low + edge * width;
      y[i] = i == 0 || i == x.length - 1 ? 0 : density[(i - 1) / 2];
    }
    return new Curve(name, x, y);
  }

  /** Returns the same with other densities, cell by cell. */
  Histogram scaled(double factor) {
    return new Histogram(low, width, Arrays.stream(density).map(d -> d * factor).toArray());
  }
}
