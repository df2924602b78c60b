package org.lampyris.dataprep.read;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Function1;

/**
 * Cells of one row of a selected table, by column number. It is a view of Spark's internal rows,
 * which reads numbers without an object for each, once when the view moves to a row.
 */
public final class RowCells {
  /** Number of different texts cached as strings, because levels repeat. */
  private static final int MOST_TEXTS = 1 << 16;

  /** Whole numbers up to this one are the same as doubles. */
  static final double EXACT = 1L << 53;

  /** Reads a primitive number. */
  interface Reader {
    double of(InternalRow row, int column);
  }

  private final DataType[] types;
  private final @Nullable Reader[] readers;

  /** The primitive numbers of the row; NaN if missing. */
  private final double[] numbers;

  /** The last two numbers that were asked for as levels, and their names. */
  private final double[] named;

  private final double[] namedBefore;
  private final String[] names;
  private final String[] namesBefore;

  private final Function1<Object, Object>[] toJava;
  private final Map<UTF8String, String> texts = new HashMap<>();
  private final SelectedRows.RowCounter counter = new SelectedRows.RowCounter();
  private @Nullable InternalRow row;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of functions
  RowCells(StructType type) {
    StructField[] fields = type.fields();
    types = new DataType[fields.length];
    readers = new Reader[fields.length];
    numbers = new double[fields.length];
    toJava = new Function1[fields.length];
    named = new double[fields.length];
    namedBefore = new double[fields.length];
    Arrays.fill(named, Double.NaN);
    Arrays.fill(namedBefore, Double.NaN);
    names = new String[fields.length];
    namesBefore = new String[fields.length];
    Arrays.fill(names, "");
    Arrays.fill(namesBefore, "");
    for (int k = 0; k < fields.length; k++) {
      types[k] = fields[k].dataType();
      readers[k] = reader(types[k]);
      toJava[k] = CatalystTypeConverters.createToScalaConverter(types[k]);
    }
  }

  /** Returns the reader of a type; null if its values are no primitive numbers. */
  static @Nullable Reader reader(DataType type) {
    if (type instanceof DoubleType) {
      return InternalRow::getDouble;
    } else if (type instanceof FloatType) {
      return InternalRow::getFloat;
    } else if (type instanceof LongType) {
      return InternalRow::getLong;
    } else if (type instanceof IntegerType) {
      return InternalRow::getInt;
    } else if (type instanceof ShortType) {
      return InternalRow::getShort;
    } else if (type instanceof ByteType) {
      return InternalRow::getByte;
    } else if (type instanceof BooleanType) {
      return (row, column) -> row.getBoolean(column) ? 1 : 0;
    }
    return null;
  }

  /** Returns the view at every row in turn. */
  Iterator<RowCells> over(Iterator<InternalRow> rows) {
    return ScalaCollections.asJava(ScalaCollections.asScala(rows).map(this::at));
  }

  /** Moves the view to another row. */
  RowCells at(InternalRow next) {
    row = next;
    counter.add();
    for (int k = 0; k < numbers.length; k++) {
      Reader reader = readers[k];
      if (reader != null) {
        numbers[k] = next.isNullAt(k) ? Double.NaN : reader.of(next, k);
      }
    }
    return this;
  }

  /** Returns the counter of the rows so far. */
  SelectedRows.RowCounter counter() {
    return counter;
  }

  private InternalRow row() {
    return Objects.requireNonNull(row);
  }

  /** Returns whether a cell has no value, or is a vector that lacks an element. */
  public boolean isMissing(int column) {
    return readers[column] != null
        ? Double.isNaN(numbers[column])
        : row().isNullAt(column) || CellText.isMissing(value(column));
  }

  /** Returns a cell as a number; NaN if it is not one. */
  public double number(int column) {
    return readers[column] != null ? numbers[column] : CellText.asNumber(value(column));
  }

  /** Returns whether a cell is a number without end. */
  public boolean isInfinite(int column) {
    return readers[column] != null
        ? Double.isInfinite(numbers[column])
        : !(types[column] instanceof StringType)
            && value(column) instanceof Number number
            && Double.isInfinite(number.doubleValue());
  }

  /**
   * Returns the level's name of a cell, or the level for missing values. For numbers with few
   * values, such as labels, the last two names are cached.
   */
  public String level(int column) {
    double number = numbers[column];
    if (readers[column] == null || !(Math.abs(number) < EXACT)) {
      return levelOf(column);
    }
    if (number != named[column]) {
      double other = named[column];
      String nameOfOther = names[column];
      named[column] = namedBefore[column];
      names[column] = namesBefore[column];
      namedBefore[column] = other;
      namesBefore[column] = nameOfOther;
      if (number != named[column]) {
        named[column] = number;
        names[column] = levelOf(column);
      }
    }
    return names[column];
  }

  private String levelOf(int column) {
    return isMissing(column) ? CellText.MISSING : CellText.level(value(column));
  }

  /** Returns a cell that has a value, as {@link org.apache.spark.sql.Row} would give it. */
  public Object value(int column) {
    if (types[column] instanceof StringType) {
      UTF8String text = row().getUTF8String(column);
      String known = texts.get(text);
      if (known != null) {
        return known;
      }
      String first = text.toString();
      if (texts.size() < MOST_TEXTS) {
        texts.put(text.copy(), first);
      }
      return first;
    }
    return toJava[column].apply(row().get(column, types[column]));
  }
}
