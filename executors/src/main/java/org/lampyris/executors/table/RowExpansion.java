package org.lampyris.executors.table;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Expansion of stored rows: some columns of a table follow from numbers by {@link Curve}s, and only
 * the others are stored. A column is the curve's value less the column's centre.
 */
public final class RowExpansion implements Serializable {
  private final int columns;
  private final Curve[] curves;
  private final int[] first;
  private final int[] kept;
  private final double[] center;
  private final boolean floats;

  private RowExpansion(int columns, Curve[] curves, int[] first, double[] center, boolean floats) {
    this.columns = columns;
    this.floats = floats;
    this.curves = curves;
    this.first = first;
    this.kept = kept(columns, curves, first);
    this.center = center;
  }

  /** Returns the expansion of rows that are stored as they are. */
  static RowExpansion none(int columns) {
    return new RowExpansion(columns, new Curve[0], new int[0], new double[0], false);
  }

  /** Returns the expansion of a table's rows. */
  public static RowExpansion of(TableSchema schema) {
    TableSchema.Formula formula = schema.source().formula();
    Map<String, Curve> known = new HashMap<>();
    if (formula != null && formula.curves() != null) {
      formula.curves().forEach(one -> known.put(one.feature(), one.curve()));
    }
    Curve[] curves = new Curve[known.size()];
    int[] first = new int[curves.length];
    int column = schema.scaling().intercept() ? 1 : 0;
    int c = 0;
    for (TableSchema.Feature feature : schema.features()) {
      Curve curve = known.get(feature.name());
      if (curve != null) {
        curves[c] = curve;
        first[c++] = column;
      }
      column += feature.columns();
    }
    return new RowExpansion(
        schema.columns().size(),
        curves,
        first,
        schema.columns().stream().mapToDouble(TableSchema.Column::center).toArray(),
        schema.packing().storage() == TableSchema.Storage.FLOAT);
  }

  /**
   * Returns the columns that follow from no curve, ascending.
   *
   * @param first the first column of each curve
   */
  public static int[] kept(int columns, Curve[] curves, int[] first) {
    boolean[] follows = new boolean[columns];
    for (int c = 0; c < curves.length; c++) {
      for (int k = 0; k < curves[c].size(); k++) {
        follows[first[c] + k] = true;
      }
    }
    return IntStream.range(0, columns).filter(j -> !follows[j]).toArray();
  }

  /** Returns the number of columns. */
  int columns() {
    return columns;
  }

  /** Returns whether columns are floats. */
  boolean areFloats() {
    return floats;
  }

  /** Expands rows of doubles. */
  double[] expand(double[] stored, double[] numbers) {
    int rows = numbers.length / curves.length;
    double[] all = new double[Math.multiplyExact(rows, columns)];
    for (int n = 0; n < rows; n++) {
      int base = n * columns;
      for (int k = 0; k < kept.length; k++) {
        all[base + kept[k]] = stored[n * kept.length + k];
      }
      for (int c = 0; c < curves.length; c++) {
        write(c, numbers[n * curves.length + c], all, base);
      }
    }
    return all;
  }

  /** Expands rows of floats: each is rounded from the double. */
  float[] expand(float[] stored, double[] numbers) {
    int rows = numbers.length / curves.length;
    float[] all = new float[Math.multiplyExact(rows, columns)];
    double[] row = new double[columns];
    for (int n = 0; n < rows; n++) {
      int base = n * columns;
      for (int c = 0; c < curves.length; c++) {
        write(c, numbers[n * curves.length + c], row, 0);
      }
      for (int j = 0; j < columns; j++) {
        all[base + j] = (float) row[j];
      }
      for (int k = 0; k < kept.length; k++) {
        all[base + kept[k]] = stored[n * kept.length + k];
      }
    }
    return all;
  }

  private void write(int c, double x, double[] out, int base) {
    int from = base + first[c];
    curves[c].write(x, out, from);
    for (int k = 0; k < curves[c].size(); k++) {
      out[from + k] -= center[first[c] + k];
    }
  }
}
