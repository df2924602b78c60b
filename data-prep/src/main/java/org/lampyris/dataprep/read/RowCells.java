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
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The cells of one row of a selected table, by the numbers of their columns: a view of Spark's
 * internal rows, of which numbers are read without an object for each: once, when the view is moved
 * to a row, as all who look at it ask for them.
 */
public final class RowCells {
  /** How many different texts are kept as strings: levels come again and again. */
  private static final int MOST_TEXTS = 1 << 16;

  /** Whole numbers up to this one are the same as doubles. */
  private static final double EXACT = 1L << 53;

  /** Reads a primitive number. */
  private interface Reader {
    double of(InternalRow row, int column);
  }

  private final DataType[] types;
  private final @Nullable Reader[] readers;

  /** The primitive numbers of the row; NaN where there is none. */
  private final double[] numbers;

  /** The numbers whose levels were asked for last, and before that, and their names. */
  private final double[] named;

  private final double[] namedBefore;
  private final String[] names;
  private final String[] namesBefore;

  private final Function1<Object, Object>[] toJava;
  private final Map<UTF8String, String> texts = new HashMap<>();
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

  private static @Nullable Reader reader(DataType type) {
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
    return CollectionConverters.asJava(CollectionConverters.asScala(rows).map(this::at));
  }

  /** Moves the view to another row. */
  RowCells at(InternalRow next) {
    row = next;
    for (int k = 0; k < numbers.length; k++) {
      Reader reader = readers[k];
      if (reader != null) {
        numbers[k] = next.isNullAt(k) ? Double.NaN : reader.of(next, k);
      }
    }
    return this;
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

  /** Returns the number that a cell is; NaN for what is none. */
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
   * Returns the name of the level that a cell stands for; that of what is missing if it is. Of
   * numbers that few rows differ in, such as labels, the names of the last two are kept.
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
