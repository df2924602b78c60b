package org.lampyris.dataprep.prepare;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import org.lampyris.executors.table.TableSchema.Label;

/**
 * How the rows of the input become rows of the table: the classes of the label, the levels of
 * categorical features, and the columns, not standardised yet.
 *
 * @param label the label and its classes
 * @param features the features
 * @param columns the columns, the intercept first if there is one
 * @param intercept whether there is one
 * @param numbers what each column holds if it is numeric; null for the intercept and levels
 */
record Design(
    Label label,
    List<Feature> features,
    List<Column> columns,
    boolean intercept,
    List<@Nullable NumberScan> numbers) {

  private static final CategoricalSpec DEFAULTS = new CategoricalSpec(List.of(), null, null, null);

  /**
   * Lays out the columns.
   *
   * @param input the columns of the input
   * @param scan what they hold
   * @param spec the wishes
   * @param like a table whose label classes, levels and vector sizes are taken over; null for none
   * @param libSvm whether vectors' elements are named as LibSVM does
   */
  static Design of(
      InputColumns input,
      TableScan scan,
      PrepareSpec spec,
      @Nullable TableSchema like,
      boolean libSvm) {
    List<Feature> features = new ArrayList<>();
    for (int f = 0; f < input.features().size(); f++) {
      InputColumns.Feature feature = input.features().get(f);
      features.add(
          like != null
              ? like.features().get(f)
              : feature.kind() == FeatureKind.CATEGORICAL
                  ? LevelChoice.of(
                      feature.name(),
                      scan.levels[f].counts,
                      spec.categorical().getOrDefault(feature.name(), DEFAULTS))
                  : new Feature(
                      feature.name(),
                      feature.kind(),
                      scan.numbers.get(f).size(),
                      List.of(),
                      null,
                      null));
    }
    List<Column> columns = new ArrayList<>();
    List<@Nullable NumberScan> numbers = new ArrayList<>();
    if (spec.intercept()) {
      columns.add(
          new Column(TableSchema.INTERCEPT, null, ColumnKind.INTERCEPT, null, null, 0, 1, 1, 1));
      numbers.add(null);
    }
    for (int f = 0; f < features.size(); f++) {
      add(features.get(f), scan.numbers.get(f), libSvm, columns, numbers);
    }
    Label label =
        like == null
            ? LabelClasses.of(spec.label(), spec.labelKind(), scan.label.counts.keySet())
            : new Label(spec.label(), spec.labelKind(), like.label().classes());
    return new Design(label, features, columns, spec.intercept(), numbers);
  }

  private static void add(
      Feature feature,
      List<NumberScan> slots,
      boolean libSvm,
      List<Column> columns,
      List<@Nullable NumberScan> numbers) {
    String name = feature.name();
    if (feature.kind() == FeatureKind.CATEGORICAL) {
      String reference = Objects.requireNonNull(feature.reference());
      for (String level : feature.levels()) {
        if (!level.equals(reference)) {
          String full = name + "[" + level + "]";
          columns.add(new Column(full, name, ColumnKind.LEVEL, level, reference, 0, 1, 0, 1));
          numbers.add(null);
        }
      }
      return;
    }
    for (int k = 0; k < slots.size(); k++) {
      NumberScan slot = slots.get(k);
      String full =
          feature.kind() == FeatureKind.NUMERIC
              ? name
              : libSvm ? name + (k + 1) : name + "[" + k + "]";
      columns.add(new Column(full, name, ColumnKind.NUMERIC, null, null, 0, 1, slot.min, slot.max));
      numbers.add(slot);
    }
  }

  /** Returns the columns' names. */
  List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /** Returns how many elements of the expanded rows are not zero. */
  long nonzero(TableScan scan) {
    long count = scan.nonzero() + (intercept ? scan.rows : 0);
    for (int f = 0; f < features.size(); f++) {
      Feature feature = features.get(f);
      if (feature.kind() == FeatureKind.CATEGORICAL) {
        count += scan.rows - rowsOf(feature, String.valueOf(feature.reference()), scan.levels[f]);
      }
    }
    return count;
  }

  /** Returns how many rows have a level. */
  static long rowsOf(Feature feature, String level, LevelScan scan) {
    if (!level.equals(feature.other())) {
      return scan.counts.getOrDefault(level, 0L);
    }
    long rows = 0;
    for (var entry : scan.counts.entrySet()) {
      if (entry.getKey().equals(level) || !feature.levels().contains(entry.getKey())) {
        rows += entry.getValue();
      }
    }
    return rows;
  }
}
