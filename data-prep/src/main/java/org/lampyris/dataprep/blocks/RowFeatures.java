package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Columns of a prepared table for a row in the input's format, on the input's scale: 1 for the
 * intercept, numbers unchanged, 1 and 0 for levels.
 */
public final class RowFeatures implements Serializable {
  private final boolean intercept;
  private final String[] names;
  private final FeatureKind[] kinds;
  private final int[] sizes;
  private final @Nullable String[] others;
  private final ArrayList<HashMap<String, Integer>> places = new ArrayList<>();
  private final int width;

  /** Takes the columns of a table. */
  public RowFeatures(TableSchema schema) {
    this.intercept = schema.scaling().intercept();
    this.width = schema.columns().size();
    List<Feature> features = schema.features();
    this.names = features.stream().map(Feature::name).toArray(String[]::new);
    this.kinds = features.stream().map(Feature::kind).toArray(FeatureKind[]::new);
    this.sizes = features.stream().mapToInt(Feature::columns).toArray();
    this.others = features.stream().map(Feature::other).toArray(String[]::new);
    for (Feature feature : features) {
      HashMap<String, Integer> of = new HashMap<>();
      for (String level : feature.levels()) {
        // The reference level has no column, and what is other may be the reference.
        of.put(level, level.equals(feature.reference()) ? -1 : columnsIn(of));
      }
      places.add(of);
    }
  }

  private static int columnsIn(Map<String, Integer> levels) {
    return (int) levels.values().stream().filter(place -> place >= 0).count();
  }

  /** Returns the number of columns. */
  public int width() {
    return width;
  }

  /**
   * Writes a row's columns.
   *
   * @param from where the first feature is in the row
   * @param x of length {@link #width}. Modified.
   * @return whether there is a value of every column: nothing is missing, no level unknown
   */
  public boolean write(Row row, int from, double[] x) {
    int at = 0;
    if (intercept) {
      x[at++] = 1;
    }
    for (int f = 0; f < kinds.length; f++) {
      Object cell = row.get(from + f);
      int size = sizes[f];
      boolean known =
          kinds[f] == FeatureKind.CATEGORICAL
              ? level(f, CellText.isMissing(cell) ? CellText.MISSING : CellText.level(cell), x, at)
              : !CellText.isMissing(cell) && numbers(kinds[f], cell, size, x, at);
      if (!known) {
        return false;
      }
      at += size;
    }
    return true;
  }

  private boolean level(int f, String level, double[] x, int at) {
    Map<String, Integer> of = places.get(f);
    Integer place = of.get(level);
    String other = others[f];
    if (place == null && other != null) {
      place = of.get(other);
    }
    if (place == null) {
      return false;
    }
    Arrays.fill(x, at, at + sizes[f], 0);
    if (place >= 0) {
      x[at + place] = 1;
    }
    return true;
  }

  /**
   * Returns the first column of a row with an unknown level, and the level; empty if there is none.
   *
   * @param from where the first feature is in the row
   */
  public Optional<Map.Entry<String, String>> unknown(Row row, int from) {
    for (int f = 0; f < kinds.length; f++) {
      Object cell = row.get(from + f);
      if (kinds[f] == FeatureKind.CATEGORICAL && !CellText.isMissing(cell)) {
        String level = CellText.level(cell);
        if (others[f] == null && !places.get(f).containsKey(level)) {
          return Optional.of(Map.entry(names[f], level));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean numbers(FeatureKind kind, Object cell, int size, double[] x, int at) {
    Arrays.fill(x, at, at + size, 0);
    if (kind == FeatureKind.NUMERIC) {
      x[at] = CellText.asNumber(cell);
    } else {
      boolean[] beyond = new boolean[1];
      int length =
          VectorCell.visit(
              cell,
              (index, value) -> {
                if (index < size) {
                  x[at + index] = value;
                } else {
                  beyond[0] = true;
                }
              });
      if (beyond[0] || length > size) {
        return false;
      }
    }
    for (int i = at; i < at + size; i++) {
      if (!Double.isFinite(x[i])) {
        return false;
      }
    }
    return true;
  }
}
