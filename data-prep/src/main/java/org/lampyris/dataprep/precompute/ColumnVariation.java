package org.lampyris.dataprep.precompute;

import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.rows.DataBlock;

/** In how many rows columns differ from their commonest value. */
final class ColumnVariation {
  private ColumnVariation() {}

  /**
   * Returns the number for the column that has the fewest. One that is the same in all rows, but
   * not 0 as a level that is not met, is not counted. Cost O(rows · columns).
   */
  static int fewest(List<DataBlock> blocks) {
    int columns = blocks.stream().mapToInt(DataBlock::columns).max().orElse(0);
    double[] value = new double[columns];
    int[] lead = new int[columns];
    for (DataBlock block : blocks) {
      for (int row = 0; row < block.rows(); row++) {
        vote(row(block, row), value, lead);
      }
    }
    int[] others = new int[columns];
    for (DataBlock block : blocks) {
      for (int row = 0; row < block.rows(); row++) {
        double[] x = row(block, row);
        for (int j = 0; j < columns; j++) {
          others[j] += x[j] == value[j] ? 0 : 1;
        }
      }
    }
    Arrays.setAll(others, j -> others[j] == 0 && value[j] != 0 ? Integer.MAX_VALUE : others[j]);
    return Arrays.stream(others).min().orElse(Integer.MAX_VALUE);
  }

  private static double[] row(DataBlock block, int row) {
    double[] x = new double[block.columns()];
    block.addScaled(row, 1, x, 0);
    return x;
  }

  /** Boyer and Moore's vote: a value of more than half of the rows is left over. */
  private static void vote(double[] x, double[] value, int[] lead) {
    for (int j = 0; j < x.length; j++) {
      if (lead[j] == 0) {
        value[j] = x[j];
      }
      lead[j] += x[j] == value[j] ? 1 : -1;
    }
  }
}
