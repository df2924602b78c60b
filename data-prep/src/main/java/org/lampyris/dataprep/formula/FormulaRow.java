package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Features of single rows whose cells are given by name, by the stored formula of a table or, if it
 * has none, by its columns themselves. What Spark computes for a table of rows, without Spark.
 */
public final class FormulaRow {
  private final TableSchema schema;
  private final List<String> columns;
  private final Set<String> terms;
  private final @Nullable ModelFrame frame;
  private final List<ModelFrame.Output> outputs = new ArrayList<>();
  private final @Nullable Expression offset;
  private final Map<String, Scalar> computed = new HashMap<>();
  private final Set<String> factors = new HashSet<>();
  private final Map<String, List<String>> levels;

  /**
   * Takes the features of a prepared table.
   *
   * @throws org.lampyris.bounds.config.UserException (usage) if a formula of another version is
   *     stored
   */
  public FormulaRow(TableSchema schema) {
    this.schema = schema;
    this.levels = FormulaTable.levelsOf(schema);
    TableSchema.Formula stored = schema.source().formula();
    if (stored == null) {
      columns = schema.features().stream().map(Feature::name).toList();
      terms = Set.copyOf(columns);
      frame = null;
      offset = null;
      return;
    }
    Formula formula = Formula.parse(stored.terms());
    offset = formula.offset();
    List<String> besides = offset == null ? List.of() : List.of(offset.label());
    columns = List.copyOf(ModelFrame.inputs(formula, besides));
    terms = formula.termColumns().orElse(Set.of());
    frame = new ModelFrame(formula, columns, kinds(stored), Missing.REFUSE, besides);
    Map<String, List<Double>> numbers =
        stored.bases().stream()
            .collect(Collectors.toMap(TableSchema.Basis::name, TableSchema.Basis::numbers));
    Map<String, Feature> known =
        stored.factors().stream().collect(Collectors.toMap(Feature::name, Function.identity()));
    outputs.addAll(frame.outputs(known, numbers, stored.leftOut(), false));
    computed.putAll(frame.computed(numbers));
  }

  private Function<String, FeatureKind> kinds(TableSchema.Formula stored) {
    stored.factors().forEach(one -> factors.add(one.name()));
    Set<String> vectors = new HashSet<>();
    for (Feature one : schema.features()) {
      if (one.kind() == FeatureKind.CATEGORICAL) {
        factors.add(one.name());
      } else if (one.kind() == FeatureKind.VECTOR && columns.contains(one.name())) {
        vectors.add(one.name());
      }
    }
    return name ->
        factors.contains(name)
            ? FeatureKind.CATEGORICAL
            : vectors.contains(name) ? FeatureKind.VECTOR : FeatureKind.NUMERIC;
  }

  /** Returns the input's columns that features are computed of, in order. */
  public List<String> columns() {
    return columns.stream().filter(terms::contains).toList();
  }

  /** Returns the input's columns that an offset in the formula is computed of; none without one. */
  public List<String> offsetColumns() {
    return offset == null ? List.of() : List.copyOf(Formula.namesIn(offset));
  }

  /** Returns the levels of the columns that are factors in some term. */
  public Map<String, List<String>> levels() {
    return levels;
  }

  /** Returns the reference level of a factor; its first level if it has none. */
  public String reference(String column) {
    List<Feature> all = new ArrayList<>(schema.features());
    TableSchema.Formula stored = schema.source().formula();
    if (stored != null) {
      all.addAll(stored.factors());
    }
    Optional<String> named =
        all.stream()
            .filter(one -> one.kind() == FeatureKind.CATEGORICAL && one.reference() != null)
            .filter(one -> FormulaTable.columnOf(one.name()).equals(column))
            .map(Feature::reference)
            .findFirst();
    return named.orElseGet(() -> Objects.requireNonNull(levels().get(column)).get(0));
  }

  /**
   * Returns the features of a row, in the order of the table's.
   *
   * @param cells by column: numbers, or the names of levels
   * @return a feature that cannot be computed is null
   */
  public Row features(Map<String, Object> cells) {
    ModelFrame of = frame;
    Row row = row(cells);
    if (of == null) {
      return row;
    }
    double[] numbers = of.cells(row);
    Object[] features = new Object[schema.features().size()];
    for (int f = 0; f < features.length; f++) {
      String name = schema.features().get(f).name();
      for (ModelFrame.Output output : outputs) {
        if (output.name().equals(name)) {
          features[f] = feature(output, row, numbers);
        }
      }
    }
    return RowFactory.create(features);
  }

  private @Nullable Object feature(ModelFrame.Output output, Row row, double[] numbers) {
    Block block = output.block();
    if (block == null) {
      String column = output.levelsOf() == null ? output.name() : output.levelsOf();
      Object cell = row.get(columns.indexOf(column));
      return output.kind() == FeatureKind.CATEGORICAL && cell != null ? CellText.level(cell) : cell;
    }
    int[] index = new int[block.width()];
    double[] value = new double[block.width()];
    int count = block.write(row, numbers, index, value);
    if (count == Block.NONE) {
      return null;
    }
    double[] dense = new double[block.width()];
    for (int k = 0; k < count; k++) {
      dense[index[k]] = value[k];
    }
    return output.kind() == FeatureKind.NUMERIC
        ? dense[0]
        : ScalaCollections.asScala(Arrays.stream(dense).boxed().toList());
  }

  /** Returns the offset in the formula of a row; 0 without one. */
  public double offset(Map<String, Object> cells) {
    if (offset == null || frame == null) {
      return 0;
    }
    Row row = row(cells);
    double[] numbers = frame.cells(row);
    Scalar of = computed.get(offset.label());
    return of == null
        ? numbers[columns.indexOf(((Expression.Name) offset).name())]
        : of.at(numbers);
  }

  /** Returns the cells in the order of the columns, numbers that stand as text as numbers. */
  private Row row(Map<String, Object> cells) {
    Object[] row = new Object[columns.size()];
    for (int k = 0; k < row.length; k++) {
      Object cell = cells.get(columns.get(k));
      Double number = cell instanceof String text ? number(columns.get(k), text) : null;
      row[k] = number == null ? cell : number;
    }
    return RowFactory.create(row);
  }

  /** Returns the number of a text; null for a level, such as "00", that it would not name. */
  private @Nullable Double number(String column, String text) {
    Double number = factors.contains(column) ? null : CellText.number(text);
    if (number == null || CellText.level(number).equals(text)) {
      return number;
    }
    return levels.getOrDefault(column, List.of()).contains(text) ? null : number;
  }
}
