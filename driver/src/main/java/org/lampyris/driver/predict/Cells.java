package org.lampyris.driver.predict;

import java.util.Arrays;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.LabelKind;

/**
 * Cells in which rows are counted, table by table. Counts have cells by size, the first for 0
 * alone: the hanging rootogram of Kleiber and Zeileis (2016). Other numbers have tenths of the
 * probability integral transform: of their places among the replicates of their own row. Classes
 * have none.
 *
 * @param edges ends of the cells that are tested; the last cell of counts has no upper end
 * @param grid ends of the cells of the density that is drawn; none for counts
 * @param log whether the cells of the density are equally wide on a logarithmic axis
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Cells(LabelKind kind, double[] edges, double[] grid, boolean log) {
  private static final int TENTHS = 10;
  private static final int MOST = 30;
  private static final double OUTSIDE = 0.005;
  private static final int ENOUGH = 400;

  /** From this ratio of the largest to the smallest on, cells are on a logarithmic axis. */
  private static final double DECADES = 100;

  /**
   * Returns cells that do not depend on the observed responses.
   *
   * @param one a replicate of each row's label. Not modified.
   */
  static Cells of(LabelKind kind, double[] one) {
    double[] sorted = Arrays.stream(one).filter(Double::isFinite).sorted().toArray();
    if (kind.isClass() || sorted.length == 0) {
      return new Cells(kind, new double[0], new double[0], false);
    }
    double low = sorted[(int) (OUTSIDE * (sorted.length - 1))];
    double high = sorted[(int) ((1 - OUTSIDE) * (sorted.length - 1))];
    if (isCount(kind)) {
      double width = Math.max(1, Math.ceil(high / MOST));
      int cells = 2 + (int) Math.ceil(high / width);
      double[] edges = new double[cells + 1];
      Arrays.setAll(edges, k -> k == 0 ? 0 : 1 + (k - 1) * width);
      return new Cells(kind, edges, new double[0], false);
    }
    double[] edges = new double[TENTHS + 1];
    Arrays.setAll(edges, k -> (double) k / TENTHS);
    double[] grid = new double[MOST + 1];
    boolean positive = kind == LabelKind.POSITIVE || kind.isTime();
    boolean log = positive && low > 0 && high > DECADES * low;
    double wide = high > low ? high - low : Math.max(1e-9, Math.abs(low));
    Arrays.setAll(
        grid,
        k -> {
          double at = (k - 0.5) / (MOST - 1);
          return log ? low * Math.pow(high / low, at) : low + at * wide;
        });
    return new Cells(kind, edges, grid, log);
  }

  private static boolean isCount(LabelKind kind) {
    return kind == LabelKind.COUNT || kind == LabelKind.SUCCESSES;
  }

  /** Returns whether the first cell is the number 0. */
  boolean isCount() {
    return isCount(kind);
  }

  int cells() {
    return Math.max(0, edges.length - 1);
  }

  int drawn() {
    return Math.max(0, grid.length - 1);
  }

  /** Returns the cell of a probability P(Y ≤ y), a tenth. */
  static int tenth(double probability) {
    return (int) Math.min(TENTHS - 1, TENTHS * probability);
  }

  /**
   * Adds counts of a row to the cells of each table.
   *
   * @param labels of the row, by tables. Not modified.
   * @param counts by cells and tables. Modified.
   */
  void addCounts(double[] labels, double weight, double[][] counts) {
    double width = edges.length > 2 ? edges[2] - edges[1] : 1;
    for (int t = 0; t < labels.length; t++) {
      int cell = labels[t] < 1 ? 0 : 1 + (int) Math.min(cells() - 2, (labels[t] - 1) / width);
      counts[cell][t] += weight;
    }
  }

  /**
   * Adds labels of a row to the cells of the density.
   *
   * @param density by cells of the grid and tables. Modified.
   */
  void addDensity(double[] labels, double weight, double[][] density) {
    double start = log ? Math.log(grid[0]) : grid[0];
    double step = (log ? Math.log(grid[1]) : grid[1]) - start;
    for (int t = 0; t < labels.length; t++) {
      double at = ((log ? Math.log(labels[t]) : labels[t]) - start) / step;
      if (at >= 0 && at < density.length) {
        density[(int) at][t] += weight;
      }
    }
  }

  /**
   * Adds labels of a row to the tenths of all tables' labels of the row.
   *
   * @param sorted room as long as the labels. Modified.
   * @param counts by cells and tables. Modified.
   */
  void addTenths(double[] labels, double weight, double[] sorted, double[][] counts) {
    // Some hundred tables have the quantiles well enough; to sort all of 4,000 takes as long as to
    // draw them.
    int stride = Math.max(1, labels.length / ENOUGH);
    int size = 0;
    for (int t = 0; t < labels.length; t += stride) {
      sorted[size++] = labels[t];
    }
    Arrays.sort(sorted, 0, size);
    double[] ends = new double[TENTHS - 1];
    for (int k = 0; k < ends.length; k++) {
      ends[k] = sorted[(k + 1) * size / TENTHS];
    }
    for (int t = 0; t < labels.length; t++) {
      int cell = Arrays.binarySearch(ends, labels[t]);
      counts[cell >= 0 ? cell + 1 : -cell - 1][t] += weight;
    }
  }

  /** Returns the responses in a cell, as text. */
  String words(int cell, String label) {
    if (!isCount()) {
      return Text.of(
          "%s between the %d %% and %d %% quantiles of its predictive distribution",
          label, 10 * cell, 10 * (cell + 1));
    }
    double low = edges[cell];
    return cell == cells() - 1
        ? Text.of("%s of %,.0f or more", label, low)
        : edges[cell + 1] == low + 1
            ? Text.of("%s = %,.0f", label, low)
            : Text.of("%s from %,.0f to %,.0f", label, low, edges[cell + 1] - 1);
  }
}
