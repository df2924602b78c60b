package org.lampyris.executors.table;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.apache.parquet.example.data.Group;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.block.DenseBlock;
import org.lampyris.bounds.block.SparseBlock;
import org.lampyris.bounds.block.Values;
import org.lampyris.bounds.config.UserException;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * A block as it is stored: one row of the Parquet table, its arrays as little-endian bytes.
 *
 * <p>Immutable by convention: arrays are not copied.
 */
public final class PackedBlock implements Serializable {
  static final StructType TYPE =
      new StructType(
          new StructField[] {
            field("block_id", DataTypes.LongType),
            field("rows", DataTypes.IntegerType),
            field("response", DataTypes.BinaryType),
            field("weight", DataTypes.BinaryType),
            field("value", DataTypes.BinaryType),
            field("row_start", DataTypes.BinaryType),
            field("column", DataTypes.BinaryType),
            field("hash", DataTypes.LongType),
            field("offset", DataTypes.BinaryType)
          });

  /** With the groups of the rows. */
  static final StructType GROUPED = TYPE.add(field("groups", DataTypes.BinaryType));

  private final long id;
  private final byte[] response;
  private final byte @Nullable [] weight;
  private final byte[] value;
  private final byte @Nullable [] rowStart;
  private final byte @Nullable [] column;
  private final byte @Nullable [] offset;
  private final byte @Nullable [] groups;

  private PackedBlock(
      long id,
      byte[] response,
      byte @Nullable [] weight,
      byte[] value,
      byte @Nullable [] rowStart,
      byte @Nullable [] column,
      byte @Nullable [] offset,
      byte @Nullable [] groups) {
    this.id = id;
    this.response = response;
    this.weight = weight;
    this.value = value;
    this.rowStart = rowStart;
    this.column = column;
    this.offset = offset;
    this.groups = groups;
  }

  private static StructField field(String name, DataType type) {
    return new StructField(name, type, true, Metadata.empty());
  }

  /**
   * Packs a dense block.
   *
   * @param id the block's number
   * @param features row-major
   * @param response one value a row
   * @param weight one value a row, or null
   * @param offset one value a row, or null
   * @param storage how features are stored
   */
  public static PackedBlock dense(
      long id,
      double[] features,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset,
      Storage storage) {
    return new PackedBlock(
        id,
        bytes(response, response.length),
        bytes(weight),
        bytes(features, features.length, storage),
        null,
        null,
        bytes(offset),
        null);
  }

  /**
   * Packs a sparse block.
   *
   * @param id the block's number
   * @param rowStart where rows begin, and where the last one ends
   * @param column the column of each element; elements after the last row's end are ignored
   * @param value the value of each element; elements after the last row's end are ignored
   * @param response one value a row
   * @param weight one value a row, or null
   * @param offset one value a row, or null
   * @param storage how features are stored
   */
  public static PackedBlock sparse(
      long id,
      int[] rowStart,
      int[] column,
      double[] value,
      double[] response,
      double @Nullable [] weight,
      double @Nullable [] offset,
      Storage storage) {
    int size = rowStart[rowStart.length - 1];
    return new PackedBlock(
        id,
        bytes(response, response.length),
        bytes(weight),
        bytes(value, size, storage),
        bytes(rowStart, rowStart.length),
        bytes(column, size),
        bytes(offset),
        null);
  }

  /** Returns the block with the groups of its rows. */
  public PackedBlock withGroups(GroupRuns runs) {
    return new PackedBlock(id, response, weight, value, rowStart, column, offset, runs.toBytes());
  }

  /**
   * Returns the groups of the rows.
   *
   * @throws IllegalStateException if they have none
   */
  GroupRuns groups() {
    if (groups == null) {
      throw new IllegalStateException("the rows have no groups");
    }
    return GroupRuns.ofBytes(groups);
  }

  /** Returns the block's number. */
  public long id() {
    return id;
  }

  /**
   * Returns the block with its arrays, with floats if the features take 4 bytes each.
   *
   * @param columns how many columns the table has
   */
  public DataBlock toBlock(int columns) {
    double[] y = doubles(response);
    double[] w = weight == null ? null : doubles(weight);
    double[] o = offset == null ? null : doubles(offset);
    if (rowStart == null || column == null) {
      boolean narrow = value.length == (long) Float.BYTES * y.length * columns;
      return new DenseBlock(id, columns, values(narrow), y, w, o);
    }
    int[] at = ints(column);
    boolean narrow = value.length == column.length && at.length > 0;
    return new SparseBlock(id, columns, ints(rowStart), at, values(narrow), y, w, o);
  }

  private Values values(boolean narrow) {
    return narrow ? Values.of(floats(value)) : Values.of(doubles(value));
  }

  /** Returns the hash of all bytes. */
  long hash() {
    long hash = Fingerprint.hash(response, response.length);
    for (byte[] bytes : new byte[][] {weight, value, rowStart, column, offset}) {
      hash = bytes == null ? hash * 31 : Fingerprint.hash(bytes, hash);
    }
    return groups == null ? hash : Fingerprint.hash(groups, hash);
  }

  /** Returns a row of {@link #TYPE}, or of {@link #GROUPED} if the block has groups. */
  Row toRow() {
    int rows = response.length / Double.BYTES;
    return groups == null
        ? RowFactory.create(id, rows, response, weight, value, rowStart, column, hash(), offset)
        : RowFactory.create(
            id, rows, response, weight, value, rowStart, column, hash(), offset, groups);
  }

  /**
   * Returns a stored block.
   *
   * @param row the row of the Parquet table
   * @param folder the table's folder, for the message
   * @throws UserException (data) if its bytes are not those that were written
   */
  static PackedBlock fromGroup(Group row, String folder) {
    byte[] response = binary(row, "response");
    byte[] value = binary(row, "value");
    long id = row.getLong("block_id", 0);
    if (response == null || value == null) {
      throw damaged(id, folder);
    }
    PackedBlock block =
        new PackedBlock(
            id,
            response,
            binary(row, "weight"),
            value,
            binary(row, "row_start"),
            binary(row, "column"),
            binary(row, "offset"),
            binary(row, "groups"));
    return block.checked(row.getLong("hash", 0), folder);
  }

  private static byte @Nullable [] binary(Group row, String name) {
    return row.getType().containsField(name) && row.getFieldRepetitionCount(name) > 0
        ? row.getBinary(name, 0).getBytesUnsafe()
        : null;
  }

  /** Returns this block if its bytes have the hash that was stored with them. */
  private PackedBlock checked(long stored, String folder) {
    if (hash() != stored) {
      throw damaged(id, folder);
    }
    return this;
  }

  private static UserException damaged(long id, String folder) {
    return UserException.data(
        "block "
            + id
            + " is damaged in "
            + folder
            + "; write the table again with the prepare command");
  }

  /** Returns a stored block from a row of {@link #TYPE} or {@link #GROUPED}. */
  static PackedBlock fromRow(Row row, String folder) {
    PackedBlock block =
        new PackedBlock(
            row.getLong(0),
            row.<byte[]>getAs(2),
            row.<byte @Nullable []>getAs(3),
            row.<byte[]>getAs(4),
            row.<byte @Nullable []>getAs(5),
            row.<byte @Nullable []>getAs(6),
            row.<byte @Nullable []>getAs(8),
            row.size() > 9 ? row.<byte @Nullable []>getAs(9) : null);
    return block.checked(row.getLong(7), folder);
  }

  private static byte @Nullable [] bytes(double @Nullable [] values) {
    return values == null ? null : bytes(values, values.length);
  }

  private static byte[] bytes(double[] values, int size) {
    byte[] bytes = new byte[Math.multiplyExact(size, Double.BYTES)];
    little(bytes).asDoubleBuffer().put(values, 0, size);
    return bytes;
  }

  private static byte[] bytes(double[] values, int size, Storage storage) {
    if (storage == Storage.DOUBLE) {
      return bytes(values, size);
    }
    byte[] bytes = new byte[Math.multiplyExact(size, Float.BYTES)];
    FloatBuffer out = little(bytes).asFloatBuffer();
    for (int i = 0; i < size; i++) {
      out.put((float) values[i]);
    }
    return bytes;
  }

  private static byte[] bytes(int[] values, int size) {
    byte[] bytes = new byte[Math.multiplyExact(size, Integer.BYTES)];
    little(bytes).asIntBuffer().put(values, 0, size);
    return bytes;
  }

  private static double[] doubles(byte[] bytes) {
    double[] values = new double[bytes.length / Double.BYTES];
    little(bytes).asDoubleBuffer().get(values);
    return values;
  }

  private static float[] floats(byte[] bytes) {
    float[] values = new float[bytes.length / Float.BYTES];
    little(bytes).asFloatBuffer().get(values);
    return values;
  }

  private static int[] ints(byte[] bytes) {
    int[] values = new int[bytes.length / Integer.BYTES];
    little(bytes).asIntBuffer().get(values);
    return values;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
