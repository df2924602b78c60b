package org.lampyris.dataprep.read;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;

/**
 * Rows of Spark's batches, copied and scanned column by column: numbers as doubles, levels and
 * classes as codes. {@link TableScan#add(RowCells)} makes the same scan row by row.
 */
public final class BatchCells {
  private final Iterator<ColumnarBatch> batches;
  private final TableScan scan;
  private final List<BatchColumn> columns;

  /** The positions of the columns in a batch. */
  private final int[] at;

  private final RowCounter counter = new RowCounter();
  private ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0], 0);

  /** The next row of the batch. */
  private int next;

  /**
   * Starts a partition.
   *
   * @param type of the table's rows, as {@link InputColumns#select} lays them out
   * @param at where the batches have these columns
   */
  BatchCells(Iterator<ColumnarBatch> batches, InputColumns columns, StructType type, int[] at) {
    this.batches = batches;
    this.at = at;
    scan = TableScan.begin(columns);
    this.columns = scan.byColumn(type, counter);
  }

  /** Returns whether a table can be read so: no column has vectors. */
  static boolean suits(InputColumns columns, StructType type) {
    return TableScan.begin(columns).isByColumn(type);
  }

  /** Skips rows, which are not scanned. */
  public void skip(long rows) {
    for (long left = rows; left > 0 && hasNext(); ) {
      left -= took((int) Math.min(left, batch.numRows() - next));
    }
  }

  /**
   * Scans rows, and copies them.
   *
   * @return whether there are as many, and no row so far lacks a value, but for levels
   */
  public boolean copy(int rows) {
    int copied = 0;
    while (copied < rows && hasNext()) {
      copied += add(rows - copied, copied);
    }
    return copied == rows && !scan.lacksValues();
  }

  /** Scans rows. */
  public void scan(long rows) {
    for (long left = rows; left > 0 && hasNext(); ) {
      left -= add(left, 0);
    }
  }

  private boolean hasNext() {
    while (next == batch.numRows()) {
      if (!batches.hasNext()) {
        return false;
      }
      batch = batches.next();
      next = 0;
    }
    return true;
  }

  private int add(long most, int to) {
    int count = (int) Math.min(most, batch.numRows() - next);
    for (int k = 0; k < at.length; k++) {
      columns.get(k).add(batch.column(at[k]), next, count, to);
    }
    scan.add(columns, to, count);
    return took(count);
  }

  private int took(int count) {
    counter.add(count);
    next += count;
    return count;
  }

  /** Returns the scan of the rows so far. */
  public TableScan scan() {
    return scan;
  }

  /** Returns the numbers of the rows copied last, to be used before the next ones. */
  public double[] numbers(int column) {
    return ((BatchColumn.Numbers) columns.get(column)).values();
  }

  /** Returns the levels of a column. */
  public BatchColumn.Levels levels(int column) {
    return (BatchColumn.Levels) columns.get(column);
  }
}
