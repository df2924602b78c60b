package org.lampyris.dataprep.blocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.lampyris.dataprep.design.LevelTally;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.RowCells;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Encodes rows of the input, one after the other, as {@link RowForm} says. A level, or the class of
 * a label, has the number here in which it came among those of its column: which ones there are,
 * and which number they have in the table, is known when all rows have been read, and put in by
 * {@link RowRecoder}. One-hot columns are made when a block is packed.
 */
final class RowEncoder {
  private final RowForm form;
  private final boolean classes;
  private final FeatureKind[] kinds;
  private final int categorical;
  private final int groupsAt;
  private final long[] keys;
  private final LevelTally.Counting groups;

  /** The numbers of levels by coded column: the label first if it has classes. */
  private final List<HashMap<String, Integer>> codes = new ArrayList<>();

  /** Levels that nobody has asked for yet, by coded column. */
  private final List<List<String>> added = new ArrayList<>();

  private double[] dense = new double[0];
  private final int[] codeOf;
  private ByteBuffer out = buffer(1 << 12);

  RowEncoder(InputColumns columns, RowForm form) {
    this.form = form;
    classes = columns.labelKind().isClass();
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

  /** Encodes a row, in which nothing is missing but levels, behind those before it. */
  void add(RowCells row) {
    int at = 1;
    double weight = form.weighted() ? row.number(at++) : 1;
    double shift = form.offset() ? row.number(at++) + 0.0 : 0;
    double trials = form.trials() ? row.number(at++) : 1;
    int slots = 0;
    int code = 0;
    int coded = classes ? 1 : 0;
    for (int f = 0; f < kinds.length; f++) {
      switch (kinds[f]) {
        case NUMERIC -> {
          room(slots + 1);
          dense[slots++] = row.number(at + f) + 0.0;
        }
        case CATEGORICAL -> codeOf[code++] = code(coded++, row.level(at + f));
        case VECTOR -> {
          int base = slots;
          slots +=
              VectorCell.visit(
                  row.value(at + f),
                  (index, value) -> {
                    room(base + index + 1);
                    dense[base + index] = value + 0.0;
                  });
          room(slots);
        }
      }
    }
    double response = classes ? code(0, row.level(0)) : (row.number(0) + 0.0) / trials;
    for (int k = 0; k < keys.length; k++) {
      keys[k] = groups.add(k, row.level(groupsAt + k));
    }
    write(response, weight * trials, shift, slots);
    Arrays.fill(dense, 0, slots, 0);
  }

  /** Makes room for so many slots; what has not been written is 0. */
  private void room(int slots) {
    if (slots > dense.length) {
      dense = Arrays.copyOf(dense, Math.max(2 * dense.length, slots));
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
    if (out.remaining() < length) {
      out = buffer(Math.max(2 * out.capacity(), out.position() + length)).put(out.flip());
    }
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

  /** Returns how many bytes there are. */
  int size() {
    return out.position();
  }

  /** Returns the rows since the last time, and forgets them. */
  byte[] take() {
    return take(0);
  }

  /** Returns the rows since the last time behind so many bytes that are 0, and forgets them. */
  byte[] take(int before) {
    byte[] bytes = new byte[before + out.position()];
    out.flip().get(bytes, before, bytes.length - before);
    out.clear();
    return bytes;
  }

  /** Returns the levels of groups since the last time, and forgets them. */
  LevelTally takeLevels() {
    return groups.take();
  }

  /** Returns the levels since the last time in the order of their numbers, by coded column. */
  String[][] takeAdded() {
    String[][] levels =
        added.stream().map(of -> of.toArray(String[]::new)).toArray(String[][]::new);
    added.forEach(List::clear);
    return levels;
  }
}
