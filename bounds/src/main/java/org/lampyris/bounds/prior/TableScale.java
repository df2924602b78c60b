package org.lampyris.bounds.prior;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.Predictors;

/**
 * Scales of a table that priors depend on.
 *
 * @param centers how the columns are stored
 * @param scales what explicit priors take for 1 of every column: 1, or as {@code data.standardize}
 *     has it
 * @param columns the moments of every column on the input's scale, the intercept's among them
 * @param sizes what default priors take for 1 of every column; 0 for constant ones
 * @param label the moments of a numeric label; null for classes
 * @param frequentClass the most frequent class of a label of several classes; null for others
 * @param exposure the mean of exp(offset) over the rows; null without offsets, or where it is not
 *     known
 */
public record TableScale(
    ColumnCenters centers,
    List<Double> scales,
    List<Moments> columns,
    List<Double> sizes,
    @Nullable Moments label,
    @Nullable String frequentClass,
    @Nullable Double exposure) {
  /** Relative distance of a centre from a point, in a column's size, below which they are equal. */
  private static final double ROUNDING = 1e-12;

  /** Copies the lists, which have an element for every column. */
  public TableScale {
    columns = List.copyOf(columns);
    scales = List.copyOf(scales);
    sizes = List.copyOf(sizes);
    int d = centers.dimension();
    if (columns.size() != d || scales.size() != d || sizes.size() != d) {
      throw new IllegalArgumentException(
          "%d moments, %d scales and %d sizes of %d columns"
              .formatted(columns.size(), scales.size(), sizes.size(), d));
    }
  }

  /**
   * Returns the size of a column for scaling its coefficient: that in {@code sizes}, or its value
   * if it is constant, which is possible without an intercept.
   */
  public double sizeOf(int column) {
    double size = sizes.get(column);
    double value = Math.abs(columns.get(column).mean());
    return size > 0 ? size : value > 0 ? value : 1;
  }

  /**
   * Returns the shift between the stored intercept and η at the columns' centres; null if they are
   * equal.
   */
  public @Nullable InterceptShift toCenters(Predictors predictors) {
    return shift(columns.stream().mapToDouble(Moments::mean).toArray(), predictors);
  }

  /**
   * Returns the shift between the stored intercept and η where all columns are 0; null if they are
   * equal.
   */
  public @Nullable InterceptShift toZero(Predictors predictors) {
    return shift(new double[columns.size()], predictors);
  }

  private @Nullable InterceptShift shift(double[] at, Predictors predictors) {
    double[] shift = new double[at.length];
    boolean none = true;
    for (int j = 0; j < at.length; j++) {
      double distance = at[j] - centers.of(j);
      if (j != centers.intercept() && Math.abs(distance) > ROUNDING * sizeOf(j)) {
        shift[j] = distance;
        none = false;
      }
    }
    return none || centers.intercept() < 0 || predictors.count() == 0
        ? null
        : new InterceptShift(shift, centers.intercept(), predictors);
  }
}
