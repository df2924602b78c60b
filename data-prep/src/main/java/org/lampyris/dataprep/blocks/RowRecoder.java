package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.blocks.RowEncoder.EncodedRows;
import org.lampyris.dataprep.design.Design;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Recoder of encoded rows: inserts the table's responses of classes and codes of levels in place of
 * the order in which {@link RowEncoder} met them, and room for a weight if equal rows are merged.
 */
final class RowRecoder implements Serializable {
  private final RowForm form;
  private final boolean classes;
  private final int slots;
  private final int categorical;

  /** Codes of levels by coded column: the label first if it has classes. */
  private final ArrayList<HashMap<String, Double>> numbers = new ArrayList<>();

  /** Codes of unlisted levels, by coded column. */
  private final double[] others;

  /**
   * Creates a recoder for the rows of a design.
   *
   * @param form the form that rows come to have
   */
  public RowRecoder(Design design, RowForm form) {
    this.form = form;
    List<String> labels = design.label().classes();
    classes = !labels.isEmpty();
    if (classes) {
      boolean binary = design.label().kind() == LabelKind.BINARY;
      HashMap<String, Double> responses = new HashMap<>();
      for (String name : labels) {
        int index = responses.size();
        responses.put(name, binary ? 2.0 * index - 1 : index);
      }
      numbers.add(responses);
    }
    int slotCount = 0;
    for (int f = 0; f < design.features().size(); f++) {
      Feature feature = design.features().get(f);
      slotCount += form.slots(f, feature);
      if (feature.kind() == FeatureKind.CATEGORICAL) {
        HashMap<String, Double> levels = new HashMap<>();
        feature.levels().forEach(level -> levels.put(level, (double) levels.size()));
        numbers.add(levels);
      }
    }
    slots = slotCount;
    categorical = numbers.size() - (classes ? 1 : 0);
    others = new double[numbers.size()];
    Arrays.fill(others, -1);
    int coded = classes ? 1 : 0;
    for (Feature feature : design.features()) {
      if (feature.kind() == FeatureKind.CATEGORICAL) {
        String other = feature.other();
        if (other != null) {
          others[coded] = Objects.requireNonNull(numbers.get(coded).get(other));
        }
        coded++;
      }
    }
  }

  /** Starts with the rows of a partition, without known levels. */
  public Partition begin() {
    return new Partition();
  }

  /** The rows of a partition, in the order in which they were encoded. */
  public final class Partition {
    /** Codes of the encoder's numbers, by coded column. */
    private final double[][] known = new double[numbers.size()][0];

    private final int headBytes = form.headBytes() - (form.merged() ? Double.BYTES : 0);

    /** Learns the levels that come first in the next rows. */
    public void learn(EncodedRows next) {
      for (int c = 0; c < known.length; c++) {
        learn(c, List.of(next.added[c]));
      }
    }

    /**
     * Learns more levels of a coded column.
     *
     * @return the codes of all
     */
    double[] learn(int coded, List<String> more) {
      double[] codes = known[coded];
      int before = codes.length;
      if (!more.isEmpty()) {
        codes = Arrays.copyOf(codes, before + more.size());
        for (int k = 0; k < more.size(); k++) {
          codes[before + k] = numbers.get(coded).getOrDefault(more.get(k), others[coded]);
        }
        known[coded] = codes;
      }
      return codes;
    }

    /** Returns how many levels of a coded column are known. */
    int known(int coded) {
      return known[coded].length;
    }

    /**
     * Recodes consecutive rows in place.
     *
     * @param rows modified
     * @param from where the first one begins
     * @return where the last one ends
     */
    int recode(ByteBuffer rows, int from, int count) {
      int at = from;
      for (int n = 0; n < count; n++) {
        int length = length(rows, at);
        recodeRow(rows, at, length);
        at += length;
      }
      return at;
    }

    /** Returns how many bytes the row takes that begins somewhere. */
    public int length(ByteBuffer encoded, int at) {
      int stored = encoded.getInt(at + headBytes);
      return headBytes
          + Integer.BYTES
          + RowForm.slotBytes(stored, slots)
          + Integer.BYTES * categorical
          + Long.BYTES * form.keys();
    }

    /** Returns the recoded length of a row, given its encoded length. */
    public int lengthAfter(int length) {
      return form.merged() ? length + Double.BYTES : length;
    }

    /**
     * Writes a recoded row.
     *
     * @param at where it begins
     * @param length its {@link #length}
     * @param out where it goes, with room for it
     */
    public void recode(ByteBuffer encoded, int at, int length, ByteBuffer out) {
      int to = out.position();
      if (form.merged()) {
        out.putDouble(encoded.getDouble(at)).putDouble(1);
        copy(encoded, at + Double.BYTES, length - Double.BYTES, out);
      } else {
        copy(encoded, at, length, out);
      }
      recodeRow(out, to, lengthAfter(length));
    }

    /**
     * Recodes a row in place, with room for a weight if it needs one.
     *
     * @param row modified
     */
    private void recodeRow(ByteBuffer row, int at, int length) {
      if (classes) {
        row.putDouble(at, known[0][(int) row.getDouble(at)]);
      }
      int coded = classes ? 1 : 0;
      int codesAt = at + length - Long.BYTES * form.keys() - Integer.BYTES * categorical;
      for (int c = 0; c < categorical; c++) {
        int code = codesAt + Integer.BYTES * c;
        row.putInt(code, (int) known[coded + c][row.getInt(code)]);
      }
    }
  }

  private static void copy(ByteBuffer from, int at, int length, ByteBuffer out) {
    int to = out.position();
    out.put(to, from, at, length).position(to + length);
  }

  /** Returns bytes as all of a table are read and written: little-endian. */
  public static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
