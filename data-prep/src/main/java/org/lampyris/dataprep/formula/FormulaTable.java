package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Table with the columns that a formula adds: later steps see features of numbers, categories and
 * vectors, as if the input had them. Choices that depend on the rows are made in one scan, and
 * stored with the prepared table.
 *
 * @param rows the input's columns that are used, and the formula's
 * @param columns what they are for
 * @param formula what is kept; null where there is no formula
 * @param fault finds, in a job, rows for which the formula computes no finite number
 */
public record FormulaTable(
    Dataset<Row> rows,
    Columns columns,
    TableSchema.@Nullable Formula formula,
    Supplier<Optional<UserException>> fault) {

  /**
   * Expands the formula of a model; without one returns the table unchanged.
   *
   * @param shaped the rows of the input
   * @param like an earlier table whose formula is taken over; null for none
   * @throws UserException if the formula does not go with the table
   */
  public static FormulaTable of(
      Input input,
      Dataset<Row> shaped,
      Columns columns,
      Columns.Model model,
      @Nullable TableSchema like,
      Consumer<String> progress) {
    TableSchema.Formula stored = like == null ? null : like.source().formula();
    String text = model.formula();
    if (like != null && !Objects.equals(text, stored == null ? null : stored.text())) {
      throw UserException.usage(
          "data.like is a table %s, but model.formula is %s. Set the same formula for both."
              .formatted(
                  stored == null ? "without a formula" : "with the formula " + stored.text(),
                  text == null ? "not set" : text));
    }
    if (text == null) {
      return new FormulaTable(shaped, columns, null, Optional::empty);
    }
    InputColumns.requireDistinct(List.of(shaped.columns()), input.name());
    Set<String> others = new LinkedHashSet<>(List.of(shaped.columns()));
    others.removeAll(columns.besides(model));
    others.remove(columns.label());
    Formula formula =
        stored == null
            ? Formula.parse(text).over(List.copyOf(others))
            : Formula.parse(stored.terms());
    Expander expander = new Expander(input.name(), shaped, columns, formula, true, stored);
    Dataset<Row> pruned = expander.pruned(roles(columns, model));
    ModelFrame frame = expander.frame(pruned);
    if (stored == null) {
      InputColumns.requireEncodings(columns, model, frame.categorical());
    }
    TableSchema.Formula kept = stored == null ? expander.look(pruned, frame, text) : stored;
    if (stored == null && frame.multipliesFactors()) {
      kept =
          expander.without(
              kept, expander.absent(pruned, expander.outputs(frame, kept, true), frame));
    }
    List<ModelFrame.Output> outputs = expander.outputs(frame, kept, true);
    progress.accept(said(formula, outputs));
    return new FormulaTable(
        expander.expanded(pruned, frame, outputs, roles(columns, model)),
        expander.featured(outputs),
        kept,
        () -> FormulaScan.Fault.find(input, pruned, frame));
  }

  /**
   * Adds a stored formula's columns to a table of new rows.
   *
   * @param columns what the columns of the earlier table were for
   * @param labelled whether the label is wanted as well, where the formula computes it
   */
  public static Dataset<Row> append(
      Dataset<Row> table,
      Columns columns,
      TableSchema.Formula stored,
      boolean labelled,
      String where) {
    Formula formula = Formula.parse(stored.terms());
    Expander expander = new Expander(where, table, columns, formula, labelled, stored);
    ModelFrame frame = expander.frame(table);
    return expander.expanded(
        table, frame, expander.outputs(frame, stored, false), List.of(table.columns()));
  }

  /**
   * Returns the uses of a model's columns.
   *
   * @param like an earlier table, whose categories are known; null for none
   */
  public static Columns.Uses uses(
      Columns columns, Columns.Model model, @Nullable TableSchema like) {
    Set<String> keys = new HashSet<>(model.groups());
    Set<String> numbers = new HashSet<>();
    Stream.of(columns.groupBy(), columns.orderBy()).filter(Objects::nonNull).forEach(keys::add);
    Stream.of(columns.weight(), model.offset(), model.trials(), columns.orderBy())
        .filter(Objects::nonNull)
        .forEach(numbers::add);
    if (columns.label() != null) {
      (model.labelKind().isClass() ? keys : numbers).add(columns.label());
    }
    Set<String> categories = new HashSet<>(columns.categorical().keySet());
    TableSchema.Formula stored = like == null ? null : like.source().formula();
    if (like != null) {
      like.levels().forEach(of -> keys.add(of.column()));
      categories.addAll(levelsOf(like).keySet());
    }
    String text = stored == null ? model.formula() : stored.terms();
    if (text == null) {
      columns.features().stream().filter(name -> !categories.contains(name)).forEach(numbers::add);
    } else {
      Formula formula = Formula.parse(text);
      Set<String> plain = new HashSet<>();
      factors(formula.fixed(), keys, plain);
      if (!(formula.response() instanceof Expression.Name)) {
        plain.addAll(Formula.namesIn(formula.response()));
      }
      if (formula.offset() != null) {
        plain.addAll(Formula.namesIn(formula.offset()));
      }
      if (plain.contains(Formula.ALL)) {
        keys.stream().filter(name -> !model.groups().contains(name)).forEach(plain::add);
        plain.removeAll(columns.besides(model));
        plain.remove(columns.label());
      }
      plain.removeAll(categories);
      numbers.addAll(plain);
    }
    keys.addAll(categories);
    return new Columns.Uses(keys, numbers);
  }

  /** Collects the columns within factor(), and those elsewhere. */
  private static void factors(Expression of, Set<String> within, Set<String> elsewhere) {
    if (of instanceof Expression.Call call) {
      boolean factor = ModelFrame.FACTORS.contains(call.function());
      call.arguments().forEach(one -> factors(one, within, factor ? within : elsewhere));
    } else if (of instanceof Expression.Name name) {
      elsewhere.add(name.name());
    }
  }

  /** Returns the columns of an earlier table's categories with their levels. */
  static Map<String, List<String>> levelsOf(TableSchema schema) {
    TableSchema.Formula formula = schema.source().formula();
    Map<String, List<String>> levels = new LinkedHashMap<>();
    Stream.concat(
            schema.features().stream().filter(of -> of.kind() == FeatureKind.CATEGORICAL),
            formula == null ? Stream.of() : formula.factors().stream())
        .forEach(of -> levels.putIfAbsent(column(of.name()), of.levels()));
    return levels;
  }

  /** Returns the column of a factor by its label. */
  static String column(String label) {
    for (String function : ModelFrame.FACTORS) {
      if (label.startsWith(function + "(") && label.endsWith(")")) {
        String inner = label.substring(function.length() + 1, label.length() - 1);
        return inner.startsWith("`") ? inner.substring(1, inner.length() - 1) : inner;
      }
    }
    return label;
  }

  /**
   * Returns the rows of a new table with the classes and levels of an earlier one in columns that
   * are only compared.
   *
   * @param groups the levels of more columns, which groups have effects by
   */
  public static Dataset<Row> respelled(
      Dataset<Row> table, Columns.Uses uses, TableSchema like, Map<String, KnownLevels> groups) {
    Map<String, KnownLevels> ofGroups = new LinkedHashMap<>(groups);
    ofGroups.keySet().removeIf(name -> !uses.comparesOnly(name));
    Map<String, KnownLevels> known = new LinkedHashMap<>();
    levelsOf(like).forEach((name, levels) -> known.put(name, KnownLevels.of(levels)));
    if (!like.label().classes().isEmpty()) {
      known.put(like.label().column(), KnownLevels.of(like.label().classes()));
    }
    known.keySet().removeIf(name -> !uses.comparesOnly(name) || ofGroups.containsKey(name));
    return KnownLevels.respelled(KnownLevels.respelled(table, ofGroups, true), known, false);
  }

  /** Returns the columns with another role that are not computed. */
  private static List<String> roles(Columns columns, Columns.Model model) {
    return Stream.concat(Stream.of(columns.label()), columns.besides(model).stream())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private static String said(Formula formula, List<ModelFrame.Output> outputs) {
    List<String> parts = new ArrayList<>(formula.intercept() ? List.of("(Intercept)") : List.of());
    for (ModelFrame.Output output : outputs) {
      Block block = output.block();
      parts.add(
          block != null && output.kind() == FeatureKind.VECTOR
              ? output.name() + " (" + block.names().size() + " columns)"
              : output.kind() == FeatureKind.CATEGORICAL
                  ? output.name() + " (categories)"
                  : output.name());
    }
    return "the formula becomes " + String.join(", ", parts);
  }

  /** Expansion of a formula on a table. */
  private record Expander(
      String where,
      Dataset<Row> table,
      Columns columns,
      Formula formula,
      boolean labelled,
      TableSchema.@Nullable Formula stored) {

    private FeatureKind kind(String name) {
      Set<String> known = new LinkedHashSet<>(List.of(table.columns()));
      if (!known.contains(name)) {
        throw UserException.data(
            "model.formula names '%s', which is not a column of %s; %s"
                .formatted(name, where, NearestName.hint(name, known)));
      }
      Map<String, Categorical> declared = new HashMap<>(columns.categorical());
      if (stored != null) {
        stored.factors().forEach(one -> declared.put(one.name(), Categorical.DEFAULT));
      }
      return InputColumns.featureOf(
              table, columns.withFeatures(List.of(name), declared), name, where)
          .kind();
    }

    /** Returns the used columns, with times as numbers if the formula computes with them. */
    Dataset<Row> pruned(List<String> roles) {
      Set<String> inputs = new LinkedHashSet<>(ModelFrame.inputs(formula, labelled));
      inputs.forEach(this::kindOfLabelToo);
      Set<String> all = new LinkedHashSet<>(inputs);
      Set<String> there = Set.of(table.columns());
      roles.stream().filter(there::contains).forEach(all::add);
      return table.select(
          all.stream().map(name -> InputColumns.column(name)).toArray(Column[]::new));
    }

    private void kindOfLabelToo(String name) {
      if (!name.equals(columns.label())) {
        kind(name);
      }
    }

    ModelFrame frame(Dataset<Row> rows) {
      return new ModelFrame(
          formula, List.of(rows.columns()), this::kind, columns.rules().missing(), labelled);
    }

    /** Scans the rows, if any choice depends on them. */
    TableSchema.Formula look(Dataset<Row> rows, ModelFrame frame, String text) {
      FormulaScan total = new FormulaScan(frame);
      if (!frame.factors().isEmpty() || !frame.bases().isEmpty()) {
        List<Integer> places = new ArrayList<>(frame.factors().values());
        List<Scalar> numbers = new ArrayList<>(frame.bases().values());
        rows.javaRDD()
            .mapPartitions(
                part -> {
                  FormulaScan scan = new FormulaScan(frame);
                  while (part.hasNext()) {
                    scan.add(part.next(), frame, places, numbers);
                  }
                  Iterator<FormulaScan> one = List.of(scan).iterator();
                  return one;
                })
            .collect()
            .forEach(total::merge);
      }
      List<TableSchema.Basis> bases = new ArrayList<>();
      total.numbers(frame).forEach((label, of) -> bases.add(new TableSchema.Basis(label, of)));
      Map<String, Feature> levels =
          total.levels(frame, columns.categorical(), List.of(rows.columns()));
      return new TableSchema.Formula(
          text,
          formula.stored(),
          List.copyOf(levels.values()),
          List.copyOf(bases),
          null,
          frame.smooths(levels));
    }

    /** Looks which columns of the formula are 0 in every row: combinations that do not come. */
    List<String> absent(Dataset<Row> rows, List<ModelFrame.Output> outputs, ModelFrame frame) {
      ArrayList<Block> blocks =
          new ArrayList<>(
              outputs.stream()
                  .filter(ModelFrame.Output::isSparse)
                  .map(one -> Objects.requireNonNull(one.block()))
                  .toList());
      List<BitSet> seen = new ArrayList<>();
      blocks.forEach(block -> seen.add(new BitSet(block.width())));
      for (long[][] part : rows.javaRDD().mapPartitions(new Seen(frame, blocks)).collect()) {
        for (int b = 0; b < seen.size(); b++) {
          seen.get(b).or(BitSet.valueOf(part[b]));
        }
      }
      List<String> absent = new ArrayList<>();
      for (int b = 0; b < seen.size(); b++) {
        List<String> names = blocks.get(b).names();
        for (int k = 0; k < names.size(); k++) {
          if (!seen.get(b).get(k)) {
            absent.add(names.get(k));
          }
        }
      }
      return absent;
    }

    TableSchema.Formula without(TableSchema.Formula all, List<String> absent) {
      return new TableSchema.Formula(
          all.text(), all.terms(), all.factors(), all.bases(), absent, all.smooths());
    }

    List<ModelFrame.Output> outputs(ModelFrame frame, TableSchema.Formula kept, boolean strict) {
      Map<String, Feature> levels =
          kept.factors().stream().collect(Collectors.toMap(Feature::name, Function.identity()));
      Map<String, List<Double>> numbers =
          kept.bases().stream()
              .collect(Collectors.toMap(TableSchema.Basis::name, TableSchema.Basis::numbers));
      return frame.outputs(levels, numbers, kept.leftOut(), strict);
    }

    /** Returns the roles with the formula's features. */
    Columns featured(List<ModelFrame.Output> outputs) {
      List<String> names = outputs.stream().map(ModelFrame.Output::name).toList();
      Map<String, Categorical> kept = new LinkedHashMap<>();
      for (ModelFrame.Output output : outputs) {
        Categorical wish =
            columns
                .categorical()
                .get(output.levelsOf() == null ? output.name() : output.levelsOf());
        if (output.kind() == FeatureKind.CATEGORICAL && wish != null) {
          kept.put(output.name(), wish);
        }
      }
      return columns.withFeatures(names, kept);
    }

    Dataset<Row> expanded(
        Dataset<Row> rows, ModelFrame frame, List<ModelFrame.Output> outputs, List<String> others) {
      List<ModelFrame.Output> made = outputs.stream().filter(one -> !one.isThere()).toList();
      StructType type = rows.schema();
      List<String> names = new ArrayList<>(List.of(rows.columns()));
      for (String name : frame.computed().keySet()) {
        type = type.add(name, DataTypes.DoubleType, true);
        names.add(name);
      }
      for (ModelFrame.Output output : made) {
        type =
            type.add(
                output.name(),
                output.levelsOf() != null
                    ? DataTypes.StringType
                    : output.kind() == FeatureKind.NUMERIC
                        ? DataTypes.DoubleType
                        : output.isSparse()
                            ? VectorCell.TYPE
                            : DataTypes.createArrayType(DataTypes.DoubleType, false),
                true);
        names.add(output.name());
      }
      InputColumns.requireDistinct(names, where + " with the columns of model.formula");
      Expand expand =
          new Expand(
              frame,
              new ArrayList<>(frame.computed().values()),
              new ArrayList<>(made),
              labels(rows));
      Dataset<Row> all =
          made.isEmpty() && frame.computed().isEmpty()
              ? rows
              : rows.mapPartitions(expand, Encoders.row(type));
      Set<String> wanted = new LinkedHashSet<>(others);
      wanted.addAll(frame.computed().keySet());
      outputs.forEach(output -> wanted.add(output.name()));
      wanted.retainAll(Set.of(all.columns()));
      Map<String, List<String>> elements = new HashMap<>();
      for (ModelFrame.Output output : made) {
        Block block = output.block();
        if (block != null && output.kind() == FeatureKind.VECTOR) {
          elements.put(output.name(), block.names());
        }
      }
      return all.select(
          wanted.stream().map(name -> named(name, elements.get(name))).toArray(Column[]::new));
    }

    private static List<String> labels(Dataset<Row> rows) {
      return List.of(rows.columns());
    }

    private static Column named(String name, @Nullable List<String> elements) {
      Column column = InputColumns.column(name);
      return elements == null
          ? column
          : column.as(
              name,
              new MetadataBuilder()
                  .putStringArray(InputColumns.ELEMENTS, elements.toArray(String[]::new))
                  .build());
    }
  }

  /** Finds the columns of blocks that are non-zero in some row of a part, as bits. */
  private record Seen(ModelFrame frame, ArrayList<Block> blocks)
      implements FlatMapFunction<Iterator<Row>, long[][]> {
    @Override
    public Iterator<long[][]> call(Iterator<Row> rows) {
      List<BitSet> seen = new ArrayList<>();
      blocks.forEach(block -> seen.add(new BitSet(block.width())));
      while (rows.hasNext()) {
        Row row = rows.next();
        double[] cells = frame.cells(row);
        if (frame.rule() == Missing.DROP && !frame.isComplete(row, cells)) {
          continue;
        }
        for (int b = 0; b < seen.size(); b++) {
          Block block = blocks.get(b);
          int[] index = new int[block.width()];
          double[] value = new double[block.width()];
          int count = block.write(row, cells, index, value);
          for (int k = 0; k < count; k++) {
            if (value[k] != 0) {
              seen.get(b).set(index[k]);
            }
          }
        }
      }
      return List.<long[][]>of(seen.stream().map(BitSet::toLongArray).toArray(long[][]::new))
          .iterator();
    }
  }

  /** Adds the columns of a formula to rows. */
  private record Expand(
      ModelFrame frame,
      ArrayList<Scalar> computed,
      ArrayList<ModelFrame.Output> outputs,
      List<String> columns)
      implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
      return CollectionConverters.asJava(CollectionConverters.asScala(rows).map(this::expanded));
    }

    private Row expanded(Row row) {
      double[] cells = frame.cells(row);
      Object[] all = new Object[row.size() + computed.size() + outputs.size()];
      int at = 0;
      for (; at < row.size(); at++) {
        all[at] = row.get(at);
      }
      for (Scalar number : computed) {
        double value = number.at(cells);
        all[at++] = Double.isNaN(value) ? null : value;
      }
      for (ModelFrame.Output output : outputs) {
        all[at++] = cell(output, row, cells);
      }
      return RowFactory.create(all);
    }

    private @Nullable Object cell(ModelFrame.Output output, Row row, double[] cells) {
      Block block = output.block();
      if (block == null) {
        Object cell = row.get(columns.indexOf(output.levelsOf()));
        return cell == null || CellText.isMissing(cell) ? null : CellText.level(cell);
      }
      return value(block, output, row, cells);
    }
  }

  /** Returns a feature of a row as a cell; null if it has no value. */
  static @Nullable Object value(Block block, ModelFrame.Output output, Row row, double[] cells) {
    int width = block.width();
    int[] index = new int[width];
    double[] value = new double[width];
    int count = block.write(row, cells, index, value);
    if (count == Block.NONE) {
      return null;
    }
    if (output.kind() == FeatureKind.NUMERIC) {
      return count == 0 ? 0.0 : value[0];
    }
    if (output.isSparse()) {
      return VectorCell.sparse(width, Arrays.copyOf(index, count), Arrays.copyOf(value, count));
    }
    double[] dense = new double[width];
    for (int k = 0; k < count; k++) {
      dense[index[k]] = value[k];
    }
    return dense;
  }
}
