package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellScan.NumberScan;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Column;
import org.lampyris.executors.table.TableSchema.ColumnKind;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import org.lampyris.executors.table.TableSchema.Label;
import org.lampyris.executors.table.TableSchema.Range;

/**
 * Design of a table from the rows of the input: the classes of the label, the levels of categorical
 * features, and the columns, not yet standardised.
 *
 * @param label the label and its classes, numbers by value, text by character. Of two classes, such
 *     as {0, 1}, {−1, +1} or {false, true}, the second one is stored as +1; each class of a softmax
 *     regression is stored as its index
 * @param columns the columns, the intercept first if there is one
 * @param numbers what each column holds if it is numeric; null for the intercept and levels
 */
public record Design(
    Label label,
    List<Feature> features,
    List<Column> columns,
    boolean intercept,
    List<@Nullable NumberScan> numbers) {
  /**
   * Lays out the columns.
   *
   * @param positive the class that is stored as +1; null for the second one
   * @param like a table whose label classes, levels and vector sizes are taken over; null for none
   * @param penalized the columns whose coefficients share a standard deviation
   * @param libSvm whether vectors' elements are named as LibSVM does
   * @throws org.lampyris.bounds.config.UserException if a wish cannot be met
   */
  public static Design of(
      InputColumns input,
      TableScan scan,
      Map<String, Categorical> wishes,
      @Nullable String positive,
      boolean intercept,
      @Nullable TableSchema like,
      Set<String> penalized,
      boolean libSvm) {
    List<Feature> features = like == null ? features(input, scan, wishes) : like.features();
    List<Column> columns = new ArrayList<>();
    List<@Nullable NumberScan> numbers = new ArrayList<>();
    if (intercept) {
      columns.add(Column.intercept());
      numbers.add(null);
    }
    for (int f = 0; f < features.size(); f++) {
      add(features.get(f), scan.numbers(f), penalized, libSvm, columns, numbers);
    }
    List<String> classes =
        like == null
            ? last(
                Stream.concat(scan.classes().stream(), input.classes().stream())
                    .distinct()
                    .sorted(CellText::compareLevels)
                    .toList(),
                positive)
            : like.label().classes();
    return new Design(
        new Label(input.label(), input.labelKind(), classes),
        features,
        columns,
        intercept,
        numbers);
  }

  private static List<Feature> features(
      InputColumns input, TableScan scan, Map<String, Categorical> wishes) {
    List<Feature> features = new ArrayList<>();
    for (InputColumns.Feature feature : input.features()) {
      int f = features.size();
      String name = feature.name();
      features.add(
          feature.kind() == FeatureKind.CATEGORICAL
              ? LevelChoice.of(
                  name, scan.levels(f).counts(), wishes.getOrDefault(name, Categorical.DEFAULT))
              : new Feature(
                  name, feature.kind(), scan.numbers(f).size(), feature.elements(), null, null));
    }
    return features;
  }

  private static void add(
      Feature feature,
      List<NumberScan> slots,
      Set<String> penalized,
      boolean libSvm,
      List<Column> columns,
      List<@Nullable NumberScan> numbers) {
    String name = feature.name();
    if (feature.kind() == FeatureKind.CATEGORICAL) {
      String reference = Objects.requireNonNull(feature.reference());
      for (String level : feature.levels()) {
        if (!level.equals(reference)) {
          String full = name + "[" + level + "]";
          columns.add(
              new Column(full, name, ColumnKind.LEVEL, level, reference, 0, 1, new Range(0, 1)));
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
              : !feature.levels().isEmpty()
                  ? feature.levels().get(k)
                  : libSvm ? name + (k + 1) : name + "[" + k + "]";
      ColumnKind kind = penalized.contains(full) ? ColumnKind.PENALIZED : ColumnKind.NUMERIC;
      columns.add(
          new Column(full, name, kind, null, null, 0, 1, new Range(slot.min(), slot.max())));
      numbers.add(slot);
    }
  }

  /** Returns how many elements of the expanded rows are not zero. */
  public long nonzero(TableScan scan) {
    long count = scan.nonzero() + (intercept ? scan.rows() : 0);
    for (int f = 0; f < features.size(); f++) {
      Feature feature = features.get(f);
      if (feature.kind() == FeatureKind.CATEGORICAL) {
        count += scan.rows() - rowsOf(feature, String.valueOf(feature.reference()), scan.levels(f));
      }
    }
    return count;
  }

  /** Returns how many rows have a level. */
  static long rowsOf(Feature feature, String level, LevelScan scan) {
    if (!level.equals(feature.other())) {
      return scan.rows(level);
    }
    long rows = 0;
    for (var entry : scan.counts().entrySet()) {
      if (entry.getKey().equals(level) || !feature.levels().contains(entry.getKey())) {
        rows += entry.getValue();
      }
    }
    return rows;
  }

  /**
   * Refuses {@code data.positive} without two classes, or if an earlier table has another choice.
   *
   * @throws UserException (usage) that names the remedy
   */
  public static void requirePositive(
      @Nullable String positive, LabelKind kind, @Nullable TableSchema like) {
    if (positive == null) {
      return;
    }
    if (kind != LabelKind.BINARY) {
      throw UserException.usage(
          "data.positive selects one of two classes, but this model.family has no such label."
              + " Remove it.");
    }
    if (like != null && !isClass(like.label().classes().get(1), positive)) {
      throw UserException.usage(
          "data.positive is '%s', but class 1 of the earlier table in data.like is '%s'. Remove data.positive."
              .formatted(positive, like.label().classes().get(1)));
    }
  }

  /**
   * Returns the classes with the one chosen as class 1 last.
   *
   * @throws UserException (data) if it is none of them
   */
  private static List<String> last(List<String> classes, @Nullable String positive) {
    if (positive == null) {
      return classes;
    }
    if (classes.stream().noneMatch(name -> isClass(name, positive))) {
      throw UserException.data(
          "data.positive is '%s', which is not a label; %s"
              .formatted(positive, NearestName.hint(positive, classes)));
    }
    return isClass(classes.get(0), positive) ? List.of(classes.get(1), classes.get(0)) : classes;
  }

  private static boolean isClass(String name, String wanted) {
    Double number = CellText.number(wanted);
    return name.equals(wanted) || (number != null && Objects.equals(number, CellText.number(name)));
  }
}
