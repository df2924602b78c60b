package org.lampyris.dataprep.read;

/** The cells of one row of a selected table, by the numbers of their columns. */
public interface RowCells {
  /** Returns whether a cell has no value, or is a vector that lacks an element. */
  boolean isMissing(int column);

  /** Returns the number that a cell is; NaN for what is none. */
  double number(int column);

  /** Returns a cell that has a value, as {@link org.apache.spark.sql.Row} would give it. */
  Object value(int column);

  /** Returns whether a cell is a number without end. */
  default boolean isInfinite(int column) {
    return value(column) instanceof Number number && Double.isInfinite(number.doubleValue());
  }

  /** Returns the name of the level that a cell stands for; that of what is missing if it is. */
  default String level(int column) {
    return isMissing(column) ? CellText.MISSING : CellText.level(value(column));
  }
}
