package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.prior.ColumnMoments;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.dataprep.design.Encoding.Standardize;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;
import org.lampyris.executors.table.TableSchema.Layout;

/**
 * Centre about which every column is stored, and its unit in explicit priors.
 *
 * <p>The centre is a point near the mean, at most two standard deviations from it, so that rows can
 * be stored before the mean is known; otherwise the mean. Centred columns keep their digits and the
 * intercept's, at any distance from 0, and reported values do not change. Columns are not centred
 * without an intercept, because the model would change. In the sparse layout only columns more than
 * ten standard deviations from 0 are centred, because zeros would be lost; fewer than one row in a
 * hundred is 0 there.
 *
 * <p>The scale is 1, for levels too, unless a column is numeric and standardised:
 *
 * <ul>
 *   <li>unit: by the standard deviation.
 *   <li>gelman: by twice the standard deviation, where there are two values by the distance of the
 *       two. Source: Gelman (2008), "Scaling regression inputs by dividing by two standard
 *       deviations".
 * </ul>
 *
 * <p>Standard deviations have divisor N − 1; weights have no part in them.
 */
public final class Standardization {
  private Standardization() {}

  /** Distance from 0 in standard deviations at which a column has almost no zeros. */
  private static final double FAR = 10;

  /**
   * Largest distance of a centre from the mean, beyond which digits, and the intercept's, would be
   * lost.
   */
  private static final double NEAR = 2;

  /**
   * Returns columns with the centre and scale that follow from their moments.
   *
   * @param near what may be near each column's mean. Not modified.
   */
  public static List<Column> of(
      Standardize kind, Design design, ColumnMoments moments, double[] near, Layout layout) {
    List<Column> columns = new ArrayList<>();
    for (Column column : design.columns()) {
      int j = columns.size();
      Moments of =
          column.kind() == ColumnKind.INTERCEPT
              ? new Moments(1, 0)
              : new Moments(moments.mean(j), moments.standardDeviation(j));
      boolean center =
          design.intercept()
              && column.kind() != ColumnKind.INTERCEPT
              && (layout == Layout.DENSE || Math.abs(of.mean()) > FAR * of.sd());
      boolean numeric = column.kind() == ColumnKind.NUMERIC && kind != Standardize.NONE;
      boolean isNear = Math.abs(near[j] - of.mean()) <= NEAR * of.sd();
      columns.add(
          column.standardized(
              center ? (isNear ? near[j] : of.mean()) : 0,
              numeric ? scale(kind, design.numbers().get(j), of.sd()) : 1,
              of));
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
      columns.add(other.over(column.min(), column.max()));
    }
    return columns;
  }
}
