package org.lampyris.dataprep.design;

import java.util.ArrayList;
import java.util.List;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Names of the prepared table's columns, as far as the input's header or schema shows before its
 * rows are read.
 *
 * @param columns the columns whose names are known: the intercept, if there is one, the numeric
 *     features and the elements of vectors that have names
 * @param categorical the features that become a column {@code name[level]} for each level but one
 * @param terms the vectors whose elements have names: terms such as {@code poly(x, 2)}
 * @param vectors the features that are other vectors, each of them as many columns as it has
 *     elements
 */
public record FeatureNames(
    List<String> columns, List<String> categorical, List<String> terms, List<String> vectors) {
  /** Copies the lists. */
  public FeatureNames {
    columns = List.copyOf(columns);
    categorical = List.copyOf(categorical);
    terms = List.copyOf(terms);
    vectors = List.copyOf(vectors);
  }

  /** Creates the names of columns without terms. */
  public FeatureNames(List<String> columns, List<String> categorical, List<String> vectors) {
    this(columns, categorical, List.of(), vectors);
  }

  /** Returns the names that follow from these columns. */
  public static FeatureNames of(InputColumns input, boolean intercept) {
    List<String> columns = new ArrayList<>(intercept ? List.of(TableSchema.INTERCEPT) : List.of());
    columns.addAll(named(input, FeatureKind.NUMERIC));
    List<String> terms = new ArrayList<>();
    List<String> vectors = new ArrayList<>();
    for (InputColumns.Feature feature : input.features()) {
      columns.addAll(feature.elements());
      if (feature.kind() == FeatureKind.VECTOR) {
        (feature.elements().isEmpty() ? vectors : terms).add(feature.name());
      }
    }
    return new FeatureNames(columns, named(input, FeatureKind.CATEGORICAL), terms, vectors);
  }

  private static List<String> named(InputColumns input, FeatureKind kind) {
    return input.features().stream()
        .filter(feature -> feature.kind() == kind)
        .map(InputColumns.Feature::name)
        .toList();
  }
}
