package org.lampyris.dataprep.read;

import java.util.Arrays;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.Seq;

/**
 * Vector in a cell: the struct in which Spark ML stores its vectors (type 0: sparse, with size,
 * indices and values; type 1: dense, with values), or an array of numbers.
 */
public final class VectorCell {
  private static final byte SPARSE = 0;

  /** The SQL type that Spark ML's VectorUDT is stored as. */
  public static final StructType TYPE =
      new StructType()
          .add("type", DataTypes.ByteType, false)
          .add("size", DataTypes.IntegerType, true)
          .add("indices", DataTypes.createArrayType(DataTypes.IntegerType, false), true)
          .add("values", DataTypes.createArrayType(DataTypes.DoubleType, false), true);

  /** Receives the elements of a vector that are stored. */
  @FunctionalInterface
  public interface Elements {
    void element(int index, double value);
  }

  private VectorCell() {}

  /** Returns true for a column of vectors. */
  static boolean isVector(DataType type) {
    if (type instanceof ArrayType array) {
      return array.elementType() instanceof NumericType;
    }
    return type instanceof StructType struct
        && Arrays.equals(struct.fieldNames(), TYPE.fieldNames())
        && struct.apply("type").dataType().equals(DataTypes.ByteType)
        && struct.apply("values").dataType() instanceof ArrayType;
  }

  /** Returns a sparse vector as a cell. */
  public static Row sparse(int size, int[] indices, double[] values) {
    return RowFactory.create(SPARSE, size, indices, values);
  }

  /**
   * Passes on the stored elements of a cell in ascending order. Elements that are null come as NaN.
   *
   * @return the vector's size
   */
  public static int visit(Object cell, Elements elements) {
    if (!(cell instanceof Row struct)) {
      return dense((Seq<?>) cell, elements);
    }
    Seq<?> values = struct.getAs(3);
    if (struct.getByte(0) != SPARSE) {
      return dense(values, elements);
    }
    Seq<?> indices = struct.getAs(2);
    for (int k = 0; k < indices.length(); k++) {
      elements.element(((Number) indices.apply(k)).intValue(), number(values.apply(k)));
    }
    return struct.getInt(1);
  }

  /** Returns whether a cell is a vector with an element that is null or NaN. */
  static boolean lacksElement(Object cell) {
    if (!(cell instanceof Row) && !(cell instanceof Seq<?>)) {
      return false;
    }
    boolean[] lacks = new boolean[1];
    visit(cell, (index, value) -> lacks[0] |= Double.isNaN(value));
    return lacks[0];
  }

  private static int dense(Seq<?> values, Elements elements) {
    int size = values.length();
    for (int k = 0; k < size; k++) {
      elements.element(k, number(values.apply(k)));
    }
    return size;
  }

  private static double number(@Nullable Object value) {
    return value == null ? Double.NaN : ((Number) value).doubleValue();
  }
}
