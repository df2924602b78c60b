package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.design.LevelCounts.LevelTally;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.SelectedRows.Piece;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Encoder of input rows, one after the other, in the form of {@link RowForm}, which also scans
 * them. A level, or the label's class, is encoded by its order of appearance in its column. Its
 * number in the table is known only when all rows have been read, and is inserted by {@link
 * RowRecoder}. One-hot columns are made when a block is packed.
 */
final class RowEncoder {
  /** Scan of the rows so far. */
  final TableScan scan;

  private final @Nullable LevelHashes before;
  private final RowForm form;
  private final boolean classes;
  private final boolean events;
  private final boolean intervals;
  private final FeatureKind[] kinds;
  private final int categorical;
  private final int groupsAt;
  private final long[] keys;
  private final LevelTally.Counting groups;

  /** The numbers of levels by coded column: the label first if it has classes. */
  private final List<HashMap<String, Integer>> codes = new ArrayList<>();

  /** New levels since the last request, by coded column. */
  private final List<List<String>> added = new ArrayList<>();

  private double[] dense = new double[0];
  private final int[] codeOf;
  private ByteBuffer out = buffer(1 << 12);

  /** The rows since the last time. */
  private int rows;

  /**
   * Begins.
   *
   * @param before what stands before each row, by its group; null for nothing
   */
  RowEncoder(InputColumns columns, RowForm form, @Nullable LevelHashes before) {
    this.before = before;
    this.form = form;
    scan = TableScan.begin(columns);
    classes = columns.labelKind().isClass();
    events = columns.labelKind().isTime() && columns.trials() != null;
    intervals = columns.labelKind() == LabelKind.INTERVAL;
    kinds = columns.features().stream().map(InputColumns.Feature::kind).toArray(FeatureKind[]::new);
    categorical =
        (int) Arrays.stream(kinds).filter(kind -> kind == FeatureKind.CATEGORICAL).count();
    codeOf = new int[categorical];
    groupsAt = columns.groupsAt();
    keys = new long[form.keys()];
    groups = new LevelTally.Counting(keys.length);
    for (int c = 0; c < categorical + (classes ? 1 : 0); c++) {
      codes.add(new HashMap<>());
      added.add(new ArrayList<>());
    }
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Scans a row, and appends its encoding if it is usable.
   *
   * @return whether it can: it is not left out, and nothing is missing in it but levels
   */
  boolean add(RowCells row) {
    if (!scan.add(row)) {
      return false;
    }
    rows++;
    if (before != null) {
      byte[] prefix = before.before(row);
      room(prefix.length);
      out.put(prefix);
    }
    encode(row);
    return true;
  }

  private void encode(RowCells row) {
    int at = 1;
    double weight = form.weighted() ? row.number(at++) : 1;
    double shift = form.offset() ? row.number(at++) + 0.0 : 0;
    double trials = form.trials() ? row.number(at++) : 1;
    int event = events ? (int) row.number(at++) : CensoredTime.AT;
    int slots = 0;
    int code = 0;
    int coded = classes ? 1 : 0;
    for (int f = 0; f < kinds.length; f++) {
      switch (kinds[f]) {
        case NUMERIC -> {
          slotRoom(slots + 1);
          dense[slots++] = row.number(at + f) + 0.0;
        }
        case CATEGORICAL -> codeOf[code++] = code(coded++, row.level(at + f));
        case VECTOR -> {
          if (form.curves().containsKey(f)) {
            slotRoom(slots + 1);
            dense[slots++] = row.number(at + f) + 0.0;
            continue;
          }
          int base = slots;
          slots +=
              VectorCell.visit(
                  row.value(at + f),
                  (index, value) -> {
                    slotRoom(base + index + 1);
                    dense[base + index] = value + 0.0;
                  });
          slotRoom(slots);
        }
      }
    }
    double number = classes ? code(0, row.level(0)) : (row.number(0) + 0.0) / trials;
    double response = events ? CensoredTime.response(event, number, shift) : number;
    for (int k = 0; k < keys.length; k++) {
      keys[k] = groups.add(k, row.level(groupsAt + k));
    }
    write(response, weight * trials, intervals ? CensoredTime.offset(event, shift) : shift, slots);
    Arrays.fill(dense, 0, slots, 0);
  }

  /** Makes room for a number of slots; unwritten ones are 0. */
  private void slotRoom(int slots) {
    if (slots > dense.length) {
      dense = Arrays.copyOf(dense, Math.max(2 * dense.length, slots));
    }
  }

  private void room(int bytes) {
    if (out.remaining() < bytes) {
      out = buffer(Math.max(2 * out.capacity(), out.position() + bytes)).put(out.flip());
    }
  }

  private int code(int coded, String level) {
    HashMap<String, Integer> known = codes.get(coded);
    Integer code = known.get(level);
    if (code == null) {
      code = known.size();
      known.put(level, code);
      added.get(coded).add(level);
    }
    return code;
  }

  private void write(double response, double weight, double shift, int slots) {
    int nonzero = 0;
    for (int s = 0; s < slots; s++) {
      nonzero += dense[s] == 0 ? 0 : 1;
    }
    int stored = RowForm.isSparse(nonzero, slots) ? nonzero : RowForm.ALL;
    int length =
        form.headBytes()
            + Integer.BYTES
            + RowForm.slotBytes(stored, slots)
            + Integer.BYTES * categorical
            + Long.BYTES * keys.length;
    room(length);
    out.putDouble(response);
    if (form.storesWeight()) {
      out.putDouble(weight);
    }
    if (form.offset()) {
      out.putDouble(shift);
    }
    out.putInt(stored);
    for (int s = 0; s < slots; s++) {
      if (stored == RowForm.ALL) {
        out.putDouble(dense[s]);
      } else if (dense[s] != 0) {
        out.putInt(s).putDouble(dense[s]);
      }
    }
    for (int code : codeOf) {
      out.putInt(code);
    }
    for (long key : keys) {
      out.putLong(key);
    }
  }

  /** Returns the number of bytes. */
  int size() {
    return out.position();
  }

  /**
   * Returns the rows since the last time, and forgets them.
   *
   * @param piece the piece that all of them are from
   * @param room how many bytes that are 0 come before them
   * @param last whether they are the last ones of a partition
   */
  EncodedRows take(Piece piece, int room, boolean last) {
    byte[] bytes = new byte[room + out.position()];
    out.flip().get(bytes, room, bytes.length - room);
    out.clear();
    String[][] levels =
        added.stream().map(of -> of.toArray(String[]::new)).toArray(String[][]::new);
    added.forEach(List::clear);
    EncodedRows taken =
        new EncodedRows(piece, rows, bytes, levels, groups.take(), last ? scan : null);
    rows = 0;
    return taken;
  }

  /** Some rows of a piece of the input, one after the other. A plain class, for Kryo's sake. */
  static final class EncodedRows implements Serializable {
    /** The piece of all these rows. */
    final Piece piece;

    /** The number of rows. */
    final int rows;

    final byte[] bytes;

    /** The levels that come here first in the partition, by coded column. */
    final String[][] added;

    /** The levels that these rows have of the columns of groups. */
    final LevelTally levels;

    /** Scan of the partition, sent with its last rows; null before. */
    final @Nullable TableScan scan;

    private EncodedRows(
        Piece piece,
        int rows,
        byte[] bytes,
        String[][] added,
        LevelTally levels,
        @Nullable TableScan scan) {
      this.piece = piece;
      this.rows = rows;
      this.bytes = bytes;
      this.added = added;
      this.levels = levels;
      this.scan = scan;
    }
  }
}
