package org.lampyris.dataprep.read;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Rows of Spark's batches of columns. Numeric features are copied and scanned column by column; a
 * row shows the other columns alone, {@link InputColumns#withoutNumbers}.
 */
public final class BatchCells implements Iterator<RowCells> {
  private final Iterator<ColumnarBatch> batches;

  /** The numeric features and the other columns, by their positions in a batch. */
  private final int[] numbers;

  private final int[] others;
  private final RowCells.Reader[] readers;
  private final boolean[] doubles;
  private final RowCells cells;
  private final NumberScan[] scans;
  private final double[][] values;

  private ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0], 0);
  private Iterator<InternalRow> rows = Collections.emptyIterator();

  /** The next row of the batch, and the first whose numbers have not been copied. */
  private int next;

  private int uncopied;

  private final long[] missing;

  /** How many rows have been copied. */
  private int copied;

  private Wish wish = Wish.SKIP;

  private enum Wish {
    SKIP,
    SCAN,
    KEEP
  }

  /**
   * Starts a partition.
   *
   * @param type of the table's rows, as {@link InputColumns#select} lays them out
   * @param at where the batches have these columns
   */
  BatchCells(Iterator<ColumnarBatch> batches, InputColumns columns, StructType type, int[] at) {
    this.batches = batches;
    int head = type.size() - columns.features().size();
    int[] of =
        IntStream.range(head, type.size())
            .filter(k -> columns.features().get(k - head).kind() == FeatureKind.NUMERIC)
            .toArray();
    int[] rest =
        IntStream.range(0, type.size()).filter(k -> Arrays.binarySearch(of, k) < 0).toArray();
    numbers = IntStream.of(of).map(k -> at[k]).toArray();
    others = IntStream.of(rest).map(k -> at[k]).toArray();
    readers =
        IntStream.of(of)
            .mapToObj(k -> Objects.requireNonNull(RowCells.reader(type.apply(k).dataType())))
            .toArray(RowCells.Reader[]::new);
    doubles = new boolean[of.length];
    for (int k = 0; k < of.length; k++) {
      doubles[k] = type.apply(of[k]).dataType() instanceof DoubleType;
    }
    StructType seen = new StructType();
    for (int k : rest) {
      seen = seen.add(type.apply(k));
    }
    cells = new RowCells(seen);
    scans = Stream.generate(NumberScan::new).limit(of.length).toArray(NumberScan[]::new);
    values = new double[of.length][0];
    missing = new long[of.length];
  }

  /** Returns whether the features of a table can be read so. */
  static boolean suits(InputColumns columns, StructType type) {
    int head = type.size() - columns.features().size();
    return IntStream.range(0, columns.features().size())
        .allMatch(
            f ->
                switch (columns.features().get(f).kind()) {
                  case NUMERIC -> RowCells.reader(type.apply(head + f).dataType()) != null;
                  case CATEGORICAL -> true;
                  case VECTOR -> false;
                });
  }

  @Override
  public boolean hasNext() {
    while (next == batch.numRows()) {
      copy();
      if (!batches.hasNext()) {
        return false;
      }
      batch = batches.next();
      ColumnVector[] seen =
          IntStream.of(others).mapToObj(batch::column).toArray(ColumnVector[]::new);
      rows = new ColumnarBatch(seen, batch.numRows()).rowIterator();
      next = 0;
      uncopied = 0;
    }
    return true;
  }

  @Override
  public RowCells next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    next++;
    return cells.at(rows.next());
  }

  /** Begins to keep numbers, of the following rows. */
  public void keep() {
    wish(Wish.KEEP);
  }

  /**
   * Ends with the last row, whose numbers are kept, and scans later ones only.
   *
   * @return the numbers by numeric feature and row, used again for the next rows; null if one of
   *     all that have been scanned is missing
   */
  public double @Nullable [][] kept() {
    wish(Wish.SCAN);
    return Arrays.stream(missing).anyMatch(count -> count > 0) ? null : values;
  }

  private void wish(Wish next) {
    copy();
    wish = next;
    copied = 0;
  }

  private void copy() {
    int count = next - uncopied;
    for (int k = 0; k < values.length && count > 0 && wish != Wish.SKIP; k++) {
      if (values[k].length < copied + count) {
        values[k] = Arrays.copyOf(values[k], copied + count);
      }
      copy(k, count);
      missing[k] += scans[k].add(values[k], copied, copied + count);
    }
    copied += wish == Wish.KEEP ? count : 0;
    uncopied = next;
  }

  private void copy(int number, int count) {
    ColumnVector vector = batch.column(numbers[number]);
    double[] to = values[number];
    boolean plain = doubles[number] && !vector.hasNull();
    for (int n = 0; n < count; n++) {
      int row = uncopied + n;
      to[copied + n] =
          plain
              ? vector.getDouble(row)
              : vector.isNullAt(row)
                  ? Double.NaN
                  : readers[number].of(batch.getRow(row), numbers[number]);
    }
  }

  /**
   * Returns the scan of all columns, once all rows have been scanned.
   *
   * @param rest the scan of the others
   */
  public TableScan scan(InputColumns columns, TableScan rest) {
    copy();
    return rest.with(columns, scans, missing);
  }
}
