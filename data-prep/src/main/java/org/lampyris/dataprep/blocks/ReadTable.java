package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
import org.lampyris.dataprep.blocks.RowEncoder.EncodedRows;
import org.lampyris.dataprep.design.LevelCounts.LevelTally;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.jobs.PartitionJob;

/** Table that has been read once: its encoded rows, kept in memory or on disk, and their scan. */
final class ReadTable implements AutoCloseable {
  /** Largest number of rows and bytes in a piece: about a block's. */
  private static final int MOST_ROWS = 4096;

  private static final int MOST_BYTES = 4 << 20;

  private final JavaRDD<EncodedRows> encoded;
  private final List<Seen> seen;
  private final TableScan scan;

  /** Whether each row has a prefix. */
  private final boolean prefixed;

  private ReadTable(InputColumns columns, JavaRDD<EncodedRows> encoded, boolean prefixed) {
    this.encoded = encoded;
    this.prefixed = prefixed;
    seen = PartitionJob.run(encoded, new Look());
    scan = TableScan.of(columns, seen.stream().map(part -> part.scan).toList());
  }

  /**
   * Reads a table, in one job.
   *
   * @param form the form of its rows
   * @param before what stands before each row, by its group; null for nothing
   * @param read is added the rows to, as they are read
   */
  static ReadTable of(
      SelectedRows rows,
      InputColumns columns,
      RowForm form,
      @Nullable LevelHashes before,
      LongAccumulator read) {
    JavaRDD<EncodedRows> encoded =
        rows.mapPartitions(
            cells -> new Reading(cells, new RowEncoder(columns, form, before), read));
    encoded.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      return new ReadTable(columns, encoded, before != null);
    } catch (Throwable e) {
      encoded.unpersist(false);
      throw e;
    }
  }

  /** Returns the scan. */
  TableScan scan() {
    return scan;
  }

  /** Returns the recoded rows one by one, each after its prefix. */
  JavaRDD<byte[]> rows(RowRecoder recoder) {
    boolean behind = prefixed;
    return encoded.mapPartitions(parts -> new Recoding(parts, recoder.begin(), behind, null));
  }

  /**
   * Returns the recoded rows one by one, each after its group's prefix.
   *
   * @param group which of the columns of {@code model.random} says which group that is
   * @param columns how many of these there are
   */
  JavaRDD<byte[]> rows(RowRecoder recoder, int group, int columns, LevelHashes before) {
    GroupPrefix of = new GroupPrefix(group, Long.BYTES * (columns - group), before);
    return encoded.mapPartitions(parts -> new Recoding(parts, recoder.begin(), false, of));
  }

  /** Prefixes of rows, by the key at a number of bytes before a row's end. */
  private record GroupPrefix(int column, int fromEnd, LevelHashes before) implements Serializable {
    Map<Long, byte[]> of(LevelTally levels) {
      Map<Long, byte[]> all = new HashMap<>();
      levels.byKey(column).forEach((key, name) -> all.put(key, before.before(name)));
      return all;
    }
  }

  /** Returns the levels of groups, each with its number of rows. */
  JavaRDD<LevelTally> levels() {
    return encoded.map(part -> part.levels);
  }

  /** Returns the name of the group of a column of {@code model.random} that has a key. */
  String group(int column, LevelHashes hashes, byte[] key) {
    return encoded
        .flatMap(part -> part.levels.byKey(column).values().iterator())
        .filter(name -> hashes.isOf(name, key))
        .first();
  }

  /** Returns the kept rows, in pieces; each partition has its own recoder. */
  JavaRDD<EncodedRows> encoded() {
    return encoded;
  }

  /** Returns the content of each partition. */
  List<Seen> seen() {
    return Collections.unmodifiableList(seen);
  }

  /** Releases the kept rows. */
  @Override
  public void close() {
    encoded.unpersist(false);
  }

  /** Encodes the rows of a partition, some of one piece at a time. */
  private static final class Reading implements Iterator<EncodedRows> {
    private final Iterator<RowCells> cells;
    private final RowEncoder encoder;
    private final LongAccumulator read;
    private final SelectedRows.PieceWatch watch = new SelectedRows.PieceWatch();

    /** A row of the next piece, which was read before it could be known to be one. */
    private @Nullable RowCells next;

    private boolean ended;

    Reading(Iterator<RowCells> cells, RowEncoder encoder, LongAccumulator read) {
      this.read = read;
      this.cells = cells;
      this.encoder = encoder;
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
          return take(watch.before());
        }
        next = null;
        rows += encoder.add(row) ? 1 : 0;
      }
      ended = next == null && !cells.hasNext();
      return take(watch.piece());
    }

    private EncodedRows take(Piece piece) {
      EncodedRows taken = encoder.take(piece, 0, ended);
      read.add(taken.rows);
      return taken;
    }
  }

  /** Content of a partition of the input. A plain class, for Kryo's sake. */
  static final class Seen implements Serializable {
    final TableScan scan;

    private final ArrayList<Piece> pieces = new ArrayList<>();
    private final ArrayList<Long> rows = new ArrayList<>();

    private Seen(TableScan scan) {
      this.scan = scan;
    }

    /** Returns the pieces of files that gave rows, in the order in which they were read. */
    public List<Piece> pieces() {
      return Collections.unmodifiableList(pieces);
    }

    /** Returns how many rows each of the pieces gave. */
    public List<Long> rows() {
      return Collections.unmodifiableList(rows);
    }
  }

  /** Goes through a partition. */
  private record Look() implements PartitionJob.Task<EncodedRows, Seen> {
    @Override
    public Seen run(int partition, Iterator<EncodedRows> elements) {
      ArrayList<Piece> pieces = new ArrayList<>();
      ArrayList<Long> rows = new ArrayList<>();
      TableScan scan = null;
      while (elements.hasNext()) {
        EncodedRows of = elements.next();
        if (of.rows > 0) {
          int last = pieces.size() - 1;
          if (last >= 0 && pieces.get(last).equals(of.piece)) {
            rows.set(last, rows.get(last) + of.rows);
          } else {
            pieces.add(of.piece);
            rows.add((long) of.rows);
          }
        }
        scan = of.scan == null ? scan : of.scan;
      }
      if (scan == null) {
        throw new IllegalStateException("partition " + partition + " has no scan at its end");
      }
      Seen seen = new Seen(scan);
      seen.pieces.addAll(pieces);
      seen.rows.addAll(rows);
      return seen;
    }
  }

  /** Gives the rows of a partition one by one. */
  private static final class Recoding implements Iterator<byte[]> {
    private static final byte[] NONE = {};

    private final Iterator<EncodedRows> parts;
    private final RowRecoder.Partition recoder;
    private final boolean prefixed;
    private final @Nullable GroupPrefix group;
    private Map<Long, byte[]> prefixes = Map.of();
    private ByteBuffer part = ByteBuffer.allocate(0);
    private int left;
    private int at;

    Recoding(
        Iterator<EncodedRows> parts,
        RowRecoder.Partition recoder,
        boolean prefixed,
        @Nullable GroupPrefix group) {
      this.parts = parts;
      this.recoder = recoder;
      this.prefixed = prefixed;
      this.group = group;
    }

    @Override
    public boolean hasNext() {
      while (left == 0 && parts.hasNext()) {
        EncodedRows next = parts.next();
        recoder.learn(next);
        if (group != null) {
          prefixes = group.of(next.levels);
        }
        part = RowRecoder.little(next.bytes);
        left = next.rows;
        at = 0;
      }
      return left > 0;
    }

    @Override
    public byte[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      byte[] prefix = NONE;
      if (prefixed) {
        prefix = new byte[LevelHashes.length(part, at)];
        part.get(at, prefix);
        at += prefix.length;
      }
      int length = recoder.length(part, at);
      if (group != null) {
        prefix = prefixes.get(part.getLong(at + length - group.fromEnd));
      }
      if (prefix == null) {
        throw new IllegalStateException("a row has a group that no other row has");
      }
      byte[] row = Arrays.copyOf(prefix, prefix.length + recoder.lengthAfter(length));
      recoder.recode(part, at, length, RowRecoder.little(row).position(prefix.length));
      at += length;
      left--;
      return row;
    }
  }
}
