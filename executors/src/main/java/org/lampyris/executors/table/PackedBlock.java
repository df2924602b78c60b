package org.lampyris.executors.table;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.DenseBlock;
import org.lampyris.bounds.rows.SparseBlock;
import org.lampyris.bounds.rows.Values;

/**
 * Stored form of a block: one row of the Parquet table, with its arrays as little-endian bytes.
 *
 * <p>Immutable by convention: arrays are not copied.
 */
public final class PackedBlock implements Serializable {
  /** All columns that a table may have, in the order of the file. */
  private static final MessageType COLUMNS =
      MessageTypeParser.parseMessageType(
          """
          message blocks {
            optional int64 block_id; optional int32 rows; optional binary response;
            optional binary weight; optional binary value; optional binary row_start;
            optional binary column; optional int64 hash; optional binary offset;
            optional binary groups; optional binary keys; optional binary numbers; }
          """);

  /** Positions of the arrays among the columns. */
  private static final int[] FIELDS = {2, 3, 4, 5, 6, 8, 9, 10, 11};

  // Where they are here.
  private static final int RESPONSE = 0;
  private static final int WEIGHT = 1;
  private static final int VALUE = 2;
  private static final int ROW_START = 3;
  private static final int COLUMN = 4;
  private static final int OFFSET = 5;
  private static final int GROUPS = 6;
  private static final int KEYS = 7;
  private static final int NUMBERS = 8;

  private final long id;
  private final byte[] @Nullable [] arrays;

  private PackedBlock(long id, byte[] @Nullable [] arrays) {
    this.id = id;
    this.arrays = arrays;
  }

  /** Packs a block. */
  public static PackedBlock of(DataBlock block) {
    byte[][] arrays = new byte[FIELDS.length][];
    arrays[RESPONSE] = bytes(block.responses());
    arrays[WEIGHT] = optional(block.weights());
    arrays[OFFSET] = optional(block.offsets());
    if (block instanceof SparseBlock sparse) {
      arrays[VALUE] = sparse.values().toBytes();
      arrays[ROW_START] = bytes(sparse.rowStart());
      arrays[COLUMN] = bytes(sparse.column());
    } else if (block instanceof DenseBlock dense) {
      arrays[VALUE] = dense.values().toBytes();
    }
    long[][] keys = block.groups();
    arrays[KEYS] = keys == null ? null : bytes(keys, block.rows());
    return new PackedBlock(block.id(), arrays);
  }

  /**
   * Packs a dense block without columns that follow from numbers.
   *
   * @param kept the other columns
   * @param numbers those of each row, row-major
   */
  public static PackedBlock of(DenseBlock block, int[] kept, double[] numbers) {
    byte[][] arrays = new byte[FIELDS.length][];
    arrays[RESPONSE] = bytes(block.responses());
    arrays[WEIGHT] = optional(block.weights());
    arrays[OFFSET] = optional(block.offsets());
    arrays[VALUE] = block.values().select(block.columns(), kept).toBytes();
    arrays[NUMBERS] = bytes(numbers);
    return new PackedBlock(block.id(), arrays);
  }

  /** Returns whether numbers stand for some of the columns. */
  public boolean hasNumbers() {
    return arrays[NUMBERS] != null;
  }

  /** Returns the block with the groups of its rows. */
  public PackedBlock withGroups(LevelRuns runs) {
    byte[][] all = arrays.clone();
    all[GROUPS] = runs.toBytes();
    return new PackedBlock(id, all);
  }

  /**
   * Returns this block with the rows of another one after its own.
   *
   * @throws IllegalArgumentException if rows lie in groups, or one has what the other has not
   */
  public PackedBlock append(PackedBlock later) {
    byte[][] all = new byte[arrays.length][];
    for (int k = 0; k < all.length; k++) {
      byte[] first = arrays[k];
      byte[] second = later.arrays[k];
      if ((first == null) != (second == null) || (first != null && k == GROUPS)) {
        throw new IllegalArgumentException("blocks have different layouts");
      }
      if (first != null) {
        all[k] =
            k == ROW_START
                ? appended(ints(first), ints(second))
                : k == KEYS
                    ? appended(keys(), later.keys())
                    : ByteBuffer.allocate(Math.addExact(first.length, second.length))
                        .put(first)
                        .put(second)
                        .array();
      }
    }
    return new PackedBlock(id, all);
  }

  /** Returns the joined row starts of a block and the following one. */
  private static byte[] appended(int[] first, int[] second) {
    int end = first[first.length - 1];
    int[] all =
        IntStream.concat(
                Arrays.stream(first), Arrays.stream(second).skip(1).map(start -> end + start))
            .toArray();
    return bytes(all);
  }

  /** Returns the joined keys of a block's levels and of the following one's. */
  private static byte[] appended(long[][] first, long[][] second) {
    if (first.length != second.length) {
      throw new IllegalArgumentException("blocks have different layouts");
    }
    long[][] all = new long[first.length][];
    Arrays.setAll(
        all, g -> LongStream.concat(Arrays.stream(first[g]), Arrays.stream(second[g])).toArray());
    return bytes(all, all[0].length);
  }

  /** Returns the same rows under another number. */
  public PackedBlock numbered(long number) {
    return new PackedBlock(number, arrays);
  }

  /** Returns the number of rows. */
  public int rows() {
    return arrays[RESPONSE].length / Double.BYTES;
  }

  /**
   * Returns the groups of the rows.
   *
   * @throws IllegalStateException if they have none
   */
  LevelRuns groups() {
    if (arrays[GROUPS] == null) {
      throw new IllegalStateException("the rows have no groups");
    }
    return LevelRuns.ofBytes(arrays[GROUPS]);
  }

  /** Returns the block's number. */
  public long id() {
    return id;
  }

  /** Returns the block of a table without numbers, as {@link #toBlock(RowExpansion)}. */
  DataBlock toBlock(int columns) {
    return toBlock(RowExpansion.none(columns));
  }

  /**
   * Returns the block with its arrays, with floats if the features take 4 bytes each.
   *
   * @param expansion the columns of the table
   */
  public DataBlock toBlock(RowExpansion expansion) {
    DataBlock block = ungrouped(expansion);
    return arrays[KEYS] == null ? block : block.grouped(keys());
  }

  private long[][] keys() {
    int rows = rows();
    LongBuffer in = little(arrays[KEYS]).asLongBuffer();
    long[][] keys = new long[in.remaining() / Math.max(1, rows)][rows];
    for (long[] of : keys) {
      in.get(of);
    }
    return keys;
  }

  private DataBlock ungrouped(RowExpansion expansion) {
    int columns = expansion.columns();
    double[] y = doubles(arrays[RESPONSE]);
    double[] w = arrays[WEIGHT] == null ? null : doubles(arrays[WEIGHT]);
    double[] o = arrays[OFFSET] == null ? null : doubles(arrays[OFFSET]);
    if (arrays[NUMBERS] != null) {
      double[] x = doubles(arrays[NUMBERS]);
      Values values =
          expansion.areFloats()
              ? Values.of(expansion.expand(floats(arrays[VALUE]), x))
              : Values.of(expansion.expand(doubles(arrays[VALUE]), x));
      return new DenseBlock(id, columns, values, y, w, o);
    }
    if (arrays[COLUMN] == null) {
      boolean narrow = arrays[VALUE].length == (long) Float.BYTES * y.length * columns;
      return new DenseBlock(id, columns, values(narrow), y, w, o);
    }
    int[] at = ints(arrays[COLUMN]);
    boolean narrow = arrays[VALUE].length == arrays[COLUMN].length && at.length > 0;
    return new SparseBlock(id, columns, ints(arrays[ROW_START]), at, values(narrow), y, w, o);
  }

  private Values values(boolean narrow) {
    return narrow ? Values.of(floats(arrays[VALUE])) : Values.of(doubles(arrays[VALUE]));
  }

  /** Returns the hash of all bytes, which groups and keys that are not there have no part in. */
  long hash() {
    long hash = arrays[RESPONSE].length;
    for (int k = 0; k < arrays.length; k++) {
      if (arrays[k] != null) {
        hash = Fingerprint.hash(arrays[k], hash);
      } else if (k < GROUPS) {
        hash *= 31;
      }
    }
    return hash;
  }

  /**
   * Returns the type of the rows of a table.
   *
   * @param grouped whether blocks have the groups of their rows
   * @param keyed whether they have the keys of levels
   * @param numbered whether numbers stand for columns in some of them
   */
  public static MessageType type(boolean grouped, boolean keyed, boolean numbered) {
    int count = numbered ? 12 : keyed ? 11 : grouped ? 10 : 9;
    return new MessageType(COLUMNS.getName(), COLUMNS.getFields().subList(0, count));
  }

  /** Returns how many bytes the arrays have. */
  long bytes() {
    return Arrays.stream(arrays).filter(Objects::nonNull).mapToLong(array -> array.length).sum();
  }

  /** Returns the cells of the first columns of a table: numbers and arrays, or null. */
  @Nullable Object[] cells(int columns) {
    Object[] cells = new Object[columns];
    cells[0] = id;
    cells[1] = rows();
    cells[7] = hash();
    for (int k = 0; k < arrays.length && FIELDS[k] < columns; k++) {
      cells[FIELDS[k]] = arrays[k];
    }
    return cells;
  }

  /**
   * Returns a stored block.
   *
   * @throws UserException (data) if its bytes are not those that were written
   */
  static PackedBlock fromGroup(Group row, String folder) {
    byte[][] arrays = new byte[FIELDS.length][];
    for (int k = 0; k < arrays.length; k++) {
      String name = COLUMNS.getFieldName(FIELDS[k]);
      if (row.getType().containsField(name) && row.getFieldRepetitionCount(name) > 0) {
        arrays[k] = row.getBinary(name, 0).getBytesUnsafe();
      }
    }
    return new PackedBlock(row.getLong("block_id", 0), arrays)
        .checked(row.getLong("hash", 0), folder);
  }

  /** Returns this block if its bytes have the hash that was stored with them. */
  private PackedBlock checked(long stored, String folder) {
    if (arrays[RESPONSE] == null || arrays[VALUE] == null || hash() != stored) {
      throw UserException.data(
          "block %s is damaged in %s. Write the table again with the prepare command."
              .formatted(id, folder));
    }
    return this;
  }

  private static byte @Nullable [] optional(double @Nullable [] values) {
    return values == null ? null : bytes(values);
  }

  private static byte[] bytes(double[] values) {
    return Values.of(values).toBytes();
  }

  private static byte[] bytes(int[] values) {
    byte[] bytes = new byte[Math.multiplyExact(values.length, Integer.BYTES)];
    little(bytes).asIntBuffer().put(values);
    return bytes;
  }

  private static byte[] bytes(long[][] keys, int rows) {
    byte[] bytes = new byte[Math.multiplyExact(keys.length * Long.BYTES, rows)];
    LongBuffer out = little(bytes).asLongBuffer();
    for (long[] of : keys) {
      out.put(of);
    }
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
