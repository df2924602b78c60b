package org.lampyris.dataprep.prepare;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.dataprep.prepare.PrepareSpec.Standardize;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.ColumnKind;

/**
 * The centre and scale of every column: stored is (x − center) / scale.
 *
 * <ul>
 *   <li>none: 0 and 1.
 *   <li>unit: numeric columns by mean and standard deviation; levels stay 0 and 1.
 *   <li>gelman: numeric columns by mean and twice the standard deviation; numeric columns of two
 *       values by mean and the distance of the two; levels by mean and 1. Source: Gelman (2008),
 *       "Scaling regression inputs by dividing by two standard deviations".
 * </ul>
 *
 * <p>Standard deviations have divisor N − 1; weights have no part in them. Columns are scaled and
 * not centred where there is no intercept, because the model would change, and in the sparse
 * layout, because zeros would be lost.
 *
 * @param center by column
 * @param scale by column
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
record Standardization(double[] center, double[] scale) {

  /** Leaves columns as they are. */
  static Standardization none(int columns) {
    double[] ones = new double[columns];
    Arrays.fill(ones, 1);
    return new Standardization(new double[columns], ones);
  }

  /**
   * Takes the centre and scale of columns from their moments.
   *
   * @param kind how
   * @param design the columns
   * @param moments their moments
   * @param center whether columns may be centred
   */
  static Standardization of(
      Standardize kind, Design design, ColumnMoments moments, boolean center) {
    int d = design.columns().size();
    Standardization result = none(d);
    for (int j = 0; j < d; j++) {
      ColumnKind column = design.columns().get(j).kind();
      NumberScan numbers = design.numbers().get(j);
      boolean numeric = column == ColumnKind.NUMERIC;
      boolean level = column == ColumnKind.LEVEL && kind == Standardize.GELMAN;
      if (center && (numeric || level)) {
        result.center[j] = moments.mean(j);
      }
      if (numeric) {
        result.scale[j] = scale(kind, numbers, moments.standardDeviation(j));
      }
    }
    return result;
  }

  private static double scale(
      Standardize kind, @Nullable NumberScan numbers, double standardDeviation) {
    double scale =
        kind == Standardize.UNIT
            ? standardDeviation
            : numbers != null && numbers.isBinary()
                ? numbers.max - numbers.min
                : 2 * standardDeviation;
    // A constant column, which only a table without an intercept may have, has nothing to scale by.
    return scale > 0 ? scale : 1;
  }

  /** Takes over the centre and scale of an earlier table. */
  static Standardization like(TableSchema schema) {
    return new Standardization(
        schema.columns().stream().mapToDouble(TableSchema.Column::center).toArray(),
        schema.columns().stream().mapToDouble(TableSchema.Column::scale).toArray());
  }
}
