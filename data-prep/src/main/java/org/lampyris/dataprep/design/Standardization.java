package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.scale.ColumnMoments;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.scan.NumberScan;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
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
 */
public final class Standardization {
  private Standardization() {}

  /**
   * Returns columns with the centre and scale that follow from their moments.
   *
   * @param center whether columns may be centred
   */
  public static List<Column> of(
      Standardize kind, Design design, ColumnMoments moments, boolean center) {
    List<Column> columns = new ArrayList<>();
    for (Column column : design.columns()) {
      int j = columns.size();
      boolean numeric = column.kind() == ColumnKind.NUMERIC;
      boolean level = column.kind() == ColumnKind.LEVEL && kind == Standardize.GELMAN;
      columns.add(
          column.standardized(
              center && (numeric || level) ? moments.mean(j) : 0,
              numeric ? scale(kind, design.numbers().get(j), moments.standardDeviation(j)) : 1));
    }
    return columns;
  }

  private static double scale(
      Standardize kind, @Nullable NumberScan numbers, double standardDeviation) {
    double scale =
        kind == Standardize.UNIT
            ? standardDeviation
            : numbers != null && numbers.isBinary()
                ? numbers.max() - numbers.min()
                : 2 * standardDeviation;
    // A constant column, which only a table without an intercept may have, has nothing to scale by.
    return scale > 0 ? scale : 1;
  }

  /** Returns columns with the centre and scale that an earlier table's have. */
  public static List<Column> like(TableSchema earlier, Design design) {
    List<Column> columns = new ArrayList<>();
    for (Column column : design.columns()) {
      Column other = earlier.columns().get(columns.size());
      columns.add(column.standardized(other.center(), other.scale()));
    }
    return columns;
  }
}
