package org.lampyris.bounds.effects;

import java.io.Serializable;
import java.util.Arrays;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Effects of a grouping factor on the rows of a table: η_n = x_nᵀβ + o_n + z_nᵀb_j(n) + …, where
 * z_ne is the column of effect e on the input's scale, 1 for the intercept.
 *
 * @param effects which effects, and their priors
 * @param grouping which of the {@linkplain DataBlock#groupings groupings} of a block
 * @param column the column of each effect; −1 for the intercept. Not copied
 * @param center m of each column, 0 for the intercept. Not copied
 * @param levels how many groups there are
 * @param together whether the rows of a group lie together, in one block
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TableEffects(
    GroupingEffects effects,
    int grouping,
    int[] column,
    double[] center,
    long levels,
    boolean together)
    implements Serializable {
  /**
   * Returns the effects on a table.
   *
   * @param column the column of each effect in the table; −1 for the intercept
   * @param centers what carries coefficients between the table's columns and the input's
   */
  public static TableEffects of(
      GroupingEffects effects,
      int grouping,
      int[] column,
      ColumnCenters centers,
      long levels,
      boolean together) {
    double[] center = Arrays.stream(column).mapToDouble(k -> k < 0 ? 0 : centers.of(k)).toArray();
    return new TableEffects(effects, grouping, column, center, levels, together);
  }

  /** Returns q, how many effects a group has. */
  public int size() {
    return column.length;
  }

  /** Returns z_ne. */
  public double z(DataBlock block, int row, int effect) {
    int k = column[effect];
    return k < 0 ? 1 : ColumnCenters.input(block.feature(row, k), center[effect]);
  }
}
