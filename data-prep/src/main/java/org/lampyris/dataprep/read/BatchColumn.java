package org.lampyris.dataprep.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;

/** Cells of one column of Spark's batches, copied and scanned together. */
public abstract sealed class BatchColumn {
  /** A row's view of the column alone. */
  final RowCells cells;

  final DataType type;

  /** In how many rows there is no value. */
  long missing;

  BatchColumn(DataType type) {
    this.type = type;
    cells = new RowCells(new StructType().add("one", type));
  }

  /**
   * Scans rows of a batch, and copies them.
   *
   * @param from the first row
   * @param to where it is copied to
   */
  abstract void add(ColumnVector vector, int from, int count, int to);

  /** Returns whether a copied cell has no value. */
  abstract boolean isMissing(int row);

  /** Copies numbers; NaN if missing. */
  final void numbers(ColumnVector vector, int from, int count, double[] out, int to) {
    boolean full = !vector.hasNull();
    if (full && type instanceof DoubleType) {
      for (int n = 0; n < count; n++) {
        out[to + n] = vector.getDouble(from + n);
      }
    } else if (full && type instanceof FloatType) {
      for (int n = 0; n < count; n++) {
        out[to + n] = vector.getFloat(from + n);
      }
    } else if (full && type instanceof IntegerType) {
      for (int n = 0; n < count; n++) {
        out[to + n] = vector.getInt(from + n);
      }
    } else if (full && type instanceof LongType) {
      for (int n = 0; n < count; n++) {
        out[to + n] = vector.getLong(from + n);
      }
    } else {
      ColumnarBatch rows = alone(vector, from + count);
      for (int n = 0; n < count; n++) {
        boolean none = vector.isNullAt(from + n);
        out[to + n] = none ? Double.NaN : cells.at(rows.getRow(from + n)).number(0);
      }
    }
  }

  static ColumnarBatch alone(ColumnVector vector, int rows) {
    return new ColumnarBatch(new ColumnVector[] {vector}, rows);
  }

  /** Numbers of a column. */
  static final class Numbers extends BatchColumn {
    private final @Nullable NumberScan scan;
    private double[] values = new double[0];

    /**
     * Begins.
     *
     * @param scan null for numbers that are only copied
     */
    Numbers(DataType type, @Nullable NumberScan scan) {
      super(type);
      this.scan = scan;
    }

    @Override
    void add(ColumnVector vector, int from, int count, int to) {
      if (values.length < to + count) {
        values = Arrays.copyOf(values, to + count);
      }
      numbers(vector, from, count, values, to);
      missing += scan == null ? 0 : scan.add(values, to, to + count);
    }

    @Override
    boolean isMissing(int row) {
      return scan != null && Double.isNaN(values[row]);
    }

    double[] values() {
      return values;
    }
  }

  /**
   * Levels of a column, or classes, by their codes. These are numbered in the order in which names
   * are met. The first code means no value, the second one that a value is not counted.
   */
  public static final class Levels extends BatchColumn {
    private static final int UNKNOWN = -1;

    /** The code of values that are infinite, or are too many to be counted. */
    private static final int UNCOUNTED = 1;

    /** Number of texts that are kept with their codes, and of small whole numbers. */
    private static final int MOST_TEXTS = 1 << 16;

    private static final int SMALL = 1 << 10;

    private final LevelScan scan;
    private final RowCounter counter;
    private final boolean hasNumbers;

    /** Whether a missing value counts as a level. */
    private final boolean levelled;

    private final List<String> names = new ArrayList<>(List.of(CellText.MISSING, ""));
    private final Map<String, Integer> codeOf = new HashMap<>();

    /** The counts, by code; null where nothing is counted. */
    private LevelScan.@Nullable Level[] counts = new LevelScan.Level[2];

    /** The codes of texts, of the last batch's dictionary, and of small numbers. */
    private final Map<UTF8String, Coded> texts = new HashMap<>();

    private int[] ofId = new int[0];
    private final int[] ofSmall = new int[SMALL];

    private double[] values = new double[0];
    private int[] codes = new int[0];

    private record Coded(UTF8String text, int code) {}

    Levels(DataType type, LevelScan scan, boolean levelled, RowCounter counter) {
      super(type);
      this.scan = scan;
      this.levelled = levelled;
      this.counter = counter;
      hasNumbers = RowCells.reader(type) != null;
      Arrays.fill(ofSmall, UNKNOWN);
    }

    @Override
    void add(ColumnVector vector, int from, int count, int to) {
      if (codes.length < to + count) {
        codes = Arrays.copyOf(codes, to + count);
      }
      ColumnarBatch rows = alone(vector, from + count);
      if (hasNumbers) {
        codeNumbers(vector, rows, from, count, to);
      } else if (!(type instanceof StringType)) {
        for (int n = 0; n < count; n++) {
          codes[to + n] = code(rows.getRow(from + n), n);
        }
      } else if (vector instanceof WritableColumnVector found && found.hasDictionary()) {
        codeIds(found, rows, from, count, to);
      } else {
        codeTexts(vector, rows, from, count, to);
      }
      for (int n = to; n < to + count; n++) {
        int code = codes[n];
        missing += code == 0 ? 1 : 0;
        LevelScan.Level level = counts[code];
        if (level != null) {
          level.rows++;
        }
      }
    }

    private void codeNumbers(ColumnVector vector, ColumnarBatch rows, int from, int count, int to) {
      if (values.length < count) {
        values = new double[count];
      }
      numbers(vector, from, count, values, 0);
      double last = Double.NaN;
      int lastCode = UNKNOWN;
      for (int n = 0; n < count; n++) {
        double x = values[n];
        int small = x >= 0 && x < SMALL && x == (int) x ? (int) x : SMALL;
        int code = small < SMALL ? ofSmall[small] : x == last ? lastCode : UNKNOWN;
        if (code == UNKNOWN) {
          code = code(rows.getRow(from + n), n);
          if (small < SMALL) {
            ofSmall[small] = code;
          } else if (Math.abs(x) < RowCells.EXACT) {
            last = x;
            lastCode = code;
          }
        }
        codes[to + n] = code;
      }
    }

    /** Looks up each text of a dictionary once: the next batch may have another one. */
    private void codeIds(
        WritableColumnVector vector, ColumnarBatch rows, int from, int count, int to) {
      Arrays.fill(ofId, UNKNOWN);
      WritableColumnVector ids = vector.getDictionaryIds();
      for (int n = 0; n < count; n++) {
        int row = from + n;
        if (vector.isNullAt(row)) {
          codes[to + n] = none(n);
          continue;
        }
        int id = ids.getDictId(row);
        if (id >= ofId.length) {
          int before = ofId.length;
          ofId = Arrays.copyOf(ofId, Math.max(2 * before, id + 1));
          Arrays.fill(ofId, before, ofId.length, UNKNOWN);
        }
        if (ofId[id] == UNKNOWN) {
          ofId[id] = code(vector.getUTF8String(row), rows, row, n).code;
        }
        codes[to + n] = ofId[id];
      }
    }

    private void codeTexts(ColumnVector vector, ColumnarBatch rows, int from, int count, int to) {
      Coded last = null;
      for (int n = 0; n < count; n++) {
        int row = from + n;
        if (vector.isNullAt(row)) {
          codes[to + n] = none(n);
          continue;
        }
        UTF8String text = vector.getUTF8String(row);
        if (last == null || !last.text.equals(text)) {
          last = code(text, rows, row, n);
        }
        codes[to + n] = last.code;
      }
    }

    private Coded code(UTF8String text, ColumnarBatch rows, int row, int n) {
      Coded known = texts.get(text);
      if (known == null) {
        UTF8String copy = text.copy();
        known = new Coded(copy, code(rows.getRow(row), n));
        if (texts.size() < MOST_TEXTS) {
          texts.put(copy, known);
        }
      }
      return known;
    }

    /** Returns the code of any cell, in a row that comes n rows after the counted ones. */
    private int code(InternalRow row, int n) {
      cells.at(row);
      if (cells.isMissing(0)) {
        return none(n);
      }
      if (cells.isInfinite(0)) {
        scan.infinite++;
        return UNCOUNTED;
      }
      String name = cells.level(0);
      Integer known = codeOf.get(name);
      if (known != null) {
        return known;
      }
      LevelScan.Level level = scan.level(name, () -> counter.place(n + 1));
      if (level == null) {
        return UNCOUNTED;
      }
      int code = names.size();
      codeOf.put(name, code);
      names.add(name);
      if (code == counts.length) {
        counts = Arrays.copyOf(counts, 2 * code);
      }
      counts[code] = level;
      return code;
    }

    private int none(int n) {
      if (levelled && counts[0] == null) {
        counts[0] = scan.level(CellText.MISSING, () -> counter.place(n + 1));
      }
      return 0;
    }

    @Override
    boolean isMissing(int row) {
      return codes[row] == 0;
    }

    /** Returns the codes of the rows copied last, to be used before the next ones. */
    public int[] codes() {
      return codes;
    }

    /** Returns the names by their codes. */
    public List<String> names() {
      return names;
    }
  }
}
