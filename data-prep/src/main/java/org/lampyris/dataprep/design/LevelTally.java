package org.lampyris.dataprep.design;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;

/**
 * The levels that some rows have of the columns of {@code model.random}, each with the number of
 * its rows, as bytes: what is kept of them beside the rows, so that the input need not be read
 * again. A plain class, for Kryo's sake.
 */
public final class LevelTally implements Serializable {
  /** Of each column: levels as their number of rows, length and text in UTF-8. */
  private final byte[][] columns;

  private LevelTally(byte[][] columns) {
    this.columns = columns;
  }

  /**
   * Returns the key of a level: the XXH64 of its text in UTF-8. The text is that of categories,
   * numbers without needless digits, so that a table gives the same keys in every format.
   */
  static long key(String level) {
    byte[] text = level.getBytes(StandardCharsets.UTF_8);
    return XXH64.hashUnsafeBytes(text, Platform.BYTE_ARRAY_OFFSET, text.length, 0);
  }

  /** A level of some rows. */
  public record Level(String text, long rows) {}

  /** Counts the levels of rows. */
  public static final class Counting {
    private final List<Map<String, Integer>> counts = new ArrayList<>();

    /** Begins with so many columns. */
    public Counting(int columns) {
      for (int k = 0; k < columns; k++) {
        counts.add(new LinkedHashMap<>());
      }
    }

    /** Counts a row's level of a column, and returns its key. */
    public long add(int column, String level) {
      counts.get(column).merge(level, 1, Integer::sum);
      return key(level);
    }

    /** Returns the levels since the last time, and forgets them. */
    public LevelTally take() {
      byte[][] columns = new byte[counts.size()][];
      for (int k = 0; k < columns.length; k++) {
        columns[k] = bytes(counts.get(k));
        counts.get(k).clear();
      }
      return new LevelTally(columns);
    }

    private static byte[] bytes(Map<String, Integer> counts) {
      List<byte[]> texts =
          counts.keySet().stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
      ByteBuffer out =
          ByteBuffer.allocate(
              texts.stream().mapToInt(text -> 2 * Integer.BYTES + text.length).sum());
      int k = 0;
      for (int rows : counts.values()) {
        byte[] text = texts.get(k++);
        out.putInt(rows).putInt(text.length).put(text);
      }
      return out.array();
    }
  }

  /** Returns how many columns there are. */
  public int columns() {
    return columns.length;
  }

  /** Returns the levels of a column, in the order in which they came. */
  public List<Level> of(int column) {
    List<Level> levels = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(columns[column]);
    while (in.hasRemaining()) {
      long rows = in.getInt();
      byte[] text = new byte[in.getInt()];
      in.get(text);
      levels.add(new Level(new String(text, StandardCharsets.UTF_8), rows));
    }
    return levels;
  }

  /** Returns the levels of a column by their keys. */
  public Map<Long, String> byKey(int column) {
    Map<Long, String> levels = new HashMap<>();
    of(column).forEach(level -> levels.put(key(level.text), level.text));
    return levels;
  }
}
