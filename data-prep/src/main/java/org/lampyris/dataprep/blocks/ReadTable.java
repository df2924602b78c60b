package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.design.LevelTally;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.PartitionJob;

/**
 * A table that has been read, once: its rows, encoded and kept in memory, or on disk where they do
 * not fit, and what was seen in them.
 */
public final class ReadTable implements AutoCloseable {
  /** How many rows and bytes are put together at most: about as many as a block has. */
  private static final int MOST_ROWS = 4096;

  private static final int MOST_BYTES = 4 << 20;

  private final JavaRDD<EncodedRows> encoded;
  private final List<Seen> seen;
  private final TableScan scan;

  private ReadTable(InputColumns columns, JavaRDD<EncodedRows> encoded) {
    this.encoded = encoded;
    seen = PartitionJob.run(encoded, new Seen.Look());
    scan = TableScan.of(columns, seen.stream().map(part -> part.scan).toList());
  }

  /**
   * Reads a table, in one job.
   *
   * @param form the form of its rows
   * @param read is added the rows to, as they are read
   */
  public static ReadTable of(
      SelectedRows rows, InputColumns columns, RowForm form, LongAccumulator read) {
    JavaRDD<EncodedRows> encoded =
        rows.mapPartitions(cells -> new Reading(cells, columns, form, read));
    encoded.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      return new ReadTable(columns, encoded);
    } catch (Throwable e) {
      encoded.unpersist(false);
      throw e;
    }
  }

  /** Returns what was seen. */
  public TableScan scan() {
    return scan;
  }

  /** Returns the rows one by one, as a recoder makes them. */
  public JavaRDD<byte[]> rows(RowRecoder recoder) {
    return encoded.mapPartitions(parts -> new Recoding(parts, recoder.begin(), null));
  }

  /**
   * Returns the rows one by one, as a recoder makes them, each behind a prefix of its group.
   *
   * @param group which of the columns of {@code model.random} says which group that is
   * @param columns how many of these there are
   * @param prefix makes the prefix by the group's name
   */
  public JavaRDD<byte[]> rows(RowRecoder recoder, int group, int columns, Prefix prefix) {
    GroupPrefix of = new GroupPrefix(group, Long.BYTES * (columns - group), prefix);
    return encoded.mapPartitions(parts -> new Recoding(parts, recoder.begin(), of));
  }

  /** Makes what stands before the rows of a group. */
  @FunctionalInterface
  public interface Prefix extends Serializable {
    /** Returns the bytes. */
    byte[] of(String group);
  }

  /** What stands before rows: by the key that begins so many bytes before a row's end. */
  private record GroupPrefix(int column, int fromEnd, Prefix prefix) implements Serializable {
    Map<Long, byte[]> of(LevelTally levels) {
      Map<Long, byte[]> all = new HashMap<>();
      levels.byKey(column).forEach((key, name) -> all.put(key, prefix.of(name)));
      return all;
    }
  }

  /** Returns the levels of groups, each with how many of some rows have it. */
  public JavaRDD<LevelTally> levels() {
    return encoded.map(EncodedRows::levels);
  }

  /** Returns the first group of a column of {@code model.random} that is as wished. */
  public String group(int column, SerializablePredicate wished) {
    return encoded
        .flatMap(part -> part.levels().byKey(column).values().iterator())
        .filter(wished::test)
        .first();
  }

  /** Says of the name of a group whether it is the one. */
  @FunctionalInterface
  public interface SerializablePredicate extends Serializable {
    /** Returns whether it is. */
    boolean test(String group);
  }

  /** Returns the rows as they are kept, in pieces; those of a partition are of its recoder. */
  public JavaRDD<EncodedRows> encoded() {
    return encoded;
  }

  /** Returns what each partition holds. */
  public List<Seen> seen() {
    return Collections.unmodifiableList(seen);
  }

  /** Releases what is kept of the rows. */
  @Override
  public void close() {
    encoded.unpersist(false);
  }

  /** Looks at the rows of a partition and encodes them. */
  private static final class Reading implements Iterator<EncodedRows> {
    private final Iterator<RowCells> cells;
    private final TableScan scan;
    private final RowEncoder encoder;
    private final LongAccumulator read;
    private final SelectedRows.PieceWatch watch = new SelectedRows.PieceWatch();

    /** A row of the next piece, which was read before it could be known to be one. */
    private @Nullable RowCells next;

    private boolean ended;

    Reading(Iterator<RowCells> cells, InputColumns columns, RowForm form, LongAccumulator read) {
      this.read = read;
      this.cells = cells;
      scan = TableScan.begin(columns);
      encoder = new RowEncoder(columns, form);
    }

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public EncodedRows next() {
      if (ended) {
        throw new NoSuchElementException();
      }
      int rows = 0;
      while (rows < MOST_ROWS && encoder.size() < MOST_BYTES && (next != null || cells.hasNext())) {
        RowCells row = next == null ? cells.next() : next;
        if (next == null && watch.hasMoved() && rows > 0) {
          next = row;
          return take(watch.before(), rows, null);
        }
        next = null;
        if (scan.add(row)) {
          encoder.add(row);
          rows++;
        }
      }
      ended = next == null && !cells.hasNext();
      return take(watch.piece(), rows, ended ? scan : null);
    }

    private EncodedRows take(Piece piece, int rows, @Nullable TableScan last) {
      read.add(rows);
      return new EncodedRows(
          piece, rows, encoder.take(), encoder.takeAdded(), encoder.takeLevels(), last);
    }
  }

  /** Gives the rows of a partition one by one. */
  private static final class Recoding implements Iterator<byte[]> {
    private static final byte[] NONE = {};

    private final Iterator<EncodedRows> parts;
    private final RowRecoder.Partition recoder;
    private final @Nullable GroupPrefix group;
    private Map<Long, byte[]> prefixes = Map.of();
    private ByteBuffer part = ByteBuffer.allocate(0);
    private int left;
    private int at;

    Recoding(
        Iterator<EncodedRows> parts, RowRecoder.Partition recoder, @Nullable GroupPrefix group) {
      this.parts = parts;
      this.recoder = recoder;
      this.group = group;
    }

    @Override
    public boolean hasNext() {
      while (left == 0 && parts.hasNext()) {
        EncodedRows next = parts.next();
        recoder.learn(next);
        if (group != null) {
          prefixes = group.of(next.levels());
        }
        part = RowRecoder.little(next.bytes());
        left = next.rows();
        at = 0;
      }
      return left > 0;
    }

    @Override
    public byte[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int length = recoder.length(part, at);
      byte[] prefix =
          group == null ? NONE : prefixes.get(part.getLong(at + length - group.fromEnd));
      if (prefix == null) {
        throw new IllegalStateException("a row of a group that none of these rows has");
      }
      byte[] row = Arrays.copyOf(prefix, prefix.length + recoder.lengthAfter(length));
      recoder.recode(part, at, length, RowRecoder.little(row).position(prefix.length));
      at += length;
      left--;
      return row;
    }
  }

  /** Encodes rows one by one as a recoder makes them, without keeping any. */
  public static final class Singly {
    private final RowEncoder encoder;
    private final RowRecoder.Partition recoder;

    /** Begins with the rows of a partition. */
    public Singly(InputColumns columns, RowForm form, RowRecoder recoder) {
      encoder = new RowEncoder(columns, form);
      this.recoder = recoder.begin();
    }

    /** Returns a row, in which nothing is missing but levels. */
    public byte[] encode(RowCells row) {
      encoder.add(row);
      EncodedRows one =
          new EncodedRows(
              Piece.NONE, 1, encoder.take(), encoder.takeAdded(), encoder.takeLevels(), null);
      return new Recoding(Collections.singleton(one).iterator(), recoder, null).next();
    }
  }
}
