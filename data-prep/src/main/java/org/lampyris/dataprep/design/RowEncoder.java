package org.lampyris.dataprep.design;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.input.CellText;
import org.lampyris.dataprep.input.VectorCell;
import org.lampyris.dataprep.levels.RowLevels;
import org.lampyris.dataprep.scan.TableScan;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Encodes a row of the input into bytes that are the same for the same row: the response, the
 * weight and the offset if there are any, the numeric slots (all of them, or the count and then
 * slot and value of those that are not zero), the codes of the levels, and the keys of groups.
 * One-hot columns are made later, when a block is packed, so that the shuffles move a level as four
 * bytes.
 */
public final class RowEncoder implements Serializable {
  /** The response by class; empty if the label is a number. */
  private final HashMap<String, Double> responses = new HashMap<>();

  private final RowForm form;
  private final int slots;
  private final FeatureKind[] kinds;
  private final int[] size;
  private final ArrayList<HashMap<String, Integer>> codes = new ArrayList<>();
  private final int[] otherCode;
  private final int categorical;
  private final RowLevels groups;

  /**
   * Makes an encoder of the rows of a design.
   *
   * @param groups the columns that groups have effects by
   */
  public RowEncoder(Design design, RowForm form, RowLevels groups) {
    this.groups = groups;
    boolean binary = design.label().kind() == LabelKind.BINARY;
    for (String name : design.label().classes()) {
      int index = responses.size();
      responses.put(name, binary ? 2.0 * index - 1 : index);
    }
    this.form = form;
    List<Feature> features = design.features();
    kinds = features.stream().map(Feature::kind).toArray(FeatureKind[]::new);
    size = features.stream().mapToInt(Feature::size).toArray();
    otherCode = new int[kinds.length];
    int slotCount = 0;
    int categoricalCount = 0;
    for (int f = 0; f < kinds.length; f++) {
      HashMap<String, Integer> levels = new HashMap<>();
      if (kinds[f] == FeatureKind.CATEGORICAL) {
        categoricalCount++;
        features.get(f).levels().forEach(level -> levels.put(level, levels.size()));
        String other = features.get(f).other();
        otherCode[f] = other == null ? -1 : Objects.requireNonNull(levels.get(other));
      } else {
        slotCount += size[f];
      }
      codes.add(levels);
    }
    slots = slotCount;
    categorical = categoricalCount;
  }

  /** Encodes a selected row, in which nothing is missing but levels of {@link CellText#MISSING}. */
  public byte[] encode(Row row) {
    double[] dense = new double[slots];
    int[] codeOf = new int[categorical];
    int at = 1;
    double weight = form.weighted() ? CellText.asNumber(Objects.requireNonNull(row.get(at++))) : 1;
    double shift =
        form.offset() ? CellText.asNumber(Objects.requireNonNull(row.get(at++))) + 0.0 : 0;
    double trials = form.trials() ? CellText.asNumber(Objects.requireNonNull(row.get(at++))) : 1;
    int slot = 0;
    int code = 0;
    for (int f = 0; f < kinds.length; f++) {
      Object cell = row.get(at + f);
      if (cell == null && kinds[f] == FeatureKind.CATEGORICAL) {
        cell = CellText.MISSING;
      }
      Objects.requireNonNull(cell);
      switch (kinds[f]) {
        case NUMERIC -> dense[slot++] = CellText.asNumber(cell) + 0.0;
        case CATEGORICAL -> codeOf[code++] = code(f, level(cell));
        case VECTOR -> {
          int base = slot;
          VectorCell.visit(cell, (index, value) -> dense[base + index] = value + 0.0);
          slot += size[f];
        }
      }
    }
    double response = response(row.get(0)) / trials;
    return bytes(response, weight * trials, shift, dense, codeOf, groups.keys(row));
  }

  private static String level(Object cell) {
    return CellText.isMissing(cell) ? CellText.MISSING : CellText.level(cell);
  }

  private int code(int feature, String level) {
    Integer code = codes.get(feature).get(level);
    return code == null ? otherCode[feature] : code;
  }

  private double response(@Nullable Object cell) {
    if (responses.isEmpty()) {
      return CellText.asNumber(Objects.requireNonNull(cell)) + 0.0;
    }
    String text = CellText.level(Objects.requireNonNull(cell));
    Double response = responses.get(text);
    if (response != null) {
      return response;
    }
    throw UserException.data(
        ("the label is '%s', which it was not at the first look; see that nobody writes"
                + " to the input, and that data.query gives the same rows each time")
            .formatted(text));
  }

  private byte[] bytes(
      double response, double weight, double shift, double[] dense, int[] codeOf, long[] keys) {
    int stored = dense.length;
    if (form.sparse()) {
      stored = 0;
      for (double x : dense) {
        stored += x == 0 ? 0 : 1;
      }
    }
    int head = 8 + (form.storesWeight() ? 8 : 0) + (form.offset() ? 8 : 0);
    int length = head + (form.sparse() ? 4 + 12 * stored : 8 * stored) + 4 * codeOf.length;
    length += Long.BYTES * keys.length;
    byte[] bytes = new byte[length];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putDouble(response);
    if (form.storesWeight()) {
      out.putDouble(weight);
    }
    if (form.offset()) {
      out.putDouble(shift);
    }
    if (form.sparse()) {
      out.putInt(stored);
    }
    for (int s = 0; s < dense.length; s++) {
      if (form.sparse() && dense[s] != 0) {
        out.putInt(s);
      }
      if (!form.sparse() || dense[s] != 0) {
        out.putDouble(dense[s]);
      }
    }
    for (int code : codeOf) {
      out.putInt(code);
    }
    for (long key : keys) {
      out.putLong(key);
    }
    return bytes;
  }

  /** Returns about how many bytes a row takes. */
  public long rowBytes(TableScan scan) {
    long numeric = form.sparse() ? 12 * (scan.nonzero() / scan.rows() + 1) : 8L * scan.slots();
    return 24 + numeric + 4L * kinds.length + (long) Long.BYTES * form.keys();
  }
}
