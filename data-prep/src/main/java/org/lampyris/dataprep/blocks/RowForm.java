package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.Curve;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Layout of an encoded row, little-endian: the response; the weight and the offset, if any; the
 * number of numeric slots that follow as (slot, value), the non-zero ones, or −1 and then all
 * values; the codes of the levels; the keys of groups.
 *
 * @param weighted whether the input has a weight
 * @param trials whether the input has a number of trials, which the label's successes are a share
 *     of and which the weight is multiplied by
 * @param merged whether equal rows become one, with their number as its weight
 * @param offset whether an offset follows
 * @param grouped whether a block of rows ends with its groups
 * @param keys how many keys of levels a row ends with
 * @param curves the curves of features whose number stands for a vector, in one slot, by the
 *     features' places
 */
public record RowForm(
    boolean weighted,
    boolean trials,
    boolean merged,
    boolean offset,
    boolean grouped,
    int keys,
    Map<Integer, Curve> curves)
    implements Serializable {
  /** Marker in place of a number of slots: all values follow. */
  public static final int ALL = -1;

  private static final int SLOT_BYTES = Integer.BYTES + Double.BYTES;

  /** Returns the form of rows as read. */
  public static RowForm of(InputColumns columns) {
    Map<Integer, Curve> curves = new HashMap<>();
    for (int f = 0; f < columns.features().size(); f++) {
      Curve curve = columns.features().get(f).curve();
      if (curve != null) {
        curves.put(f, curve);
      }
    }
    return new RowForm(
        columns.weight() != null,
        columns.labelKind() == LabelKind.SUCCESSES,
        false,
        columns.offset() != null,
        false,
        columns.groups().size(),
        Map.copyOf(curves));
  }

  /** Returns whether a weight follows the response in an encoded row. */
  public boolean storesWeight() {
    return weighted || trials || merged;
  }

  /** Returns the form of rows for merging equal ones. */
  public RowForm merging() {
    return new RowForm(weighted, trials, true, offset, grouped, keys, curves);
  }

  /** Returns the form of the same rows with groups together. */
  public RowForm grouping() {
    return new RowForm(weighted, trials, merged, offset, true, keys, curves);
  }

  /**
   * Returns how many numeric slots a feature has.
   *
   * @param place its place among the features
   */
  int slots(int place, Feature feature) {
    return feature.kind() == FeatureKind.CATEGORICAL
        ? 0
        : curves.containsKey(place) ? 1 : feature.size();
  }

  /** Returns about how many bytes a row takes; with curves, that is at most. */
  public long rowBytes(TableScan scan) {
    int slots = scan.slots();
    long nonzero = scan.nonzero() / Math.max(1, scan.rows()) + 1;
    int numeric = slotBytes(isSparse((int) nonzero, slots) ? (int) nonzero : ALL, slots);
    return headBytes() + Integer.BYTES + numeric + (long) Long.BYTES * keys;
  }

  /** Returns how many bytes come before the number of slots. */
  int headBytes() {
    return Double.BYTES * (1 + (storesWeight() ? 1 : 0) + (offset ? 1 : 0));
  }

  /** Returns the bytes of slots, given their stored number. */
  static int slotBytes(int stored, int slots) {
    return stored == ALL ? Double.BYTES * slots : SLOT_BYTES * stored;
  }

  /** Returns whether slots take fewer bytes without zeros. */
  static boolean isSparse(int nonzero, int slots) {
    return slotBytes(nonzero, slots) < slotBytes(ALL, slots);
  }
}
