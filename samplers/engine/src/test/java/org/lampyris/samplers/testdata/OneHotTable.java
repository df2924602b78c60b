package org.lampyris.samplers.testdata;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.samplers.random.Streams;

/**
 * Rows of categories, encoded one-hot without their first level, beside an intercept; level l has a
 * share of rows in proportion to 1/(l + 10), and the label is ±1 by a logistic regression.
 */
public final class OneHotTable {
  private OneHotTable() {}

  /** Returns how many coefficients there are. */
  public static int dimension(int columns, int levels) {
    return 1 + columns * (levels - 1);
  }

  /** Returns the blocks. */
  public static List<DataBlock> blocks(
      long seed, int rows, int columns, int levels, int blockRows) {
    UniformRandomProvider rng = new Streams(seed).stream(Streams.Purpose.INITIAL, 0, 0, 0);
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(rng);
    double[] theta = normal.samples(dimension(columns, levels)).map(z -> 0.35 * z).toArray();
    theta[0] = -1;
    double[] cumulative = new double[levels];
    double total = 0;
    for (int l = 0; l < levels; l++) {
      total += 1 / (l + 10.0);
      cumulative[l] = total;
    }
    List<DataBlock> blocks = new ArrayList<>();
    for (int from = 0; from < rows; from += blockRows) {
      int n = Math.min(blockRows, rows - from);
      int[] start = new int[n + 1];
      int[] column = new int[n * (columns + 1)];
      double[] y = new double[n];
      int at = 0;
      for (int row = 0; row < n; row++) {
        column[at++] = 0;
        double eta = theta[0];
        for (int c = 0; c < columns; c++) {
          int found = Arrays.binarySearch(cumulative, rng.nextDouble() * total);
          int level = found < 0 ? -found - 1 : found;
          if (level > 0) {
            column[at] = c * (levels - 1) + level;
            eta += theta[column[at++]];
          }
        }
        start[row + 1] = at;
        y[row] = rng.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : -1;
      }
      double[] ones = new double[at];
      Arrays.fill(ones, 1);
      blocks.add(
          new SparseBlock(
              blocks.size(),
              dimension(columns, levels),
              start,
              Arrays.copyOf(column, at),
              ones,
              y,
              null));
    }
    return blocks;
  }
}
