package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
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
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
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
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.Curve;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Table with the columns that a formula adds: later steps see features of numbers, categories and
 * vectors, as if the input had them. Choices that depend on the rows are made in one scan, and
 * stored with the prepared table.
 *
 * @param rows the input's columns that are used, and the formula's
 * @param columns what they are for
 * @param formula what is kept; null where there is no formula
 * @param curves of the features that a number stands for, by their names
 * @param fault finds, in a job, rows for which the formula computes no finite number
 */
public record FormulaTable(
    Dataset<Row> rows,
    Columns columns,
    TableSchema.@Nullable Formula formula,
    Map<String, Curve> curves,
    Supplier<Optional<UserException>> fault) {
  /** Types whose cells are the numbers that a formula computes with. */
  private static final Set<DataType> NUMBERS =
      Set.of(
          DataTypes.DoubleType,
          DataTypes.FloatType,
          DataTypes.LongType,
          DataTypes.IntegerType,
          DataTypes.ShortType,
          DataTypes.ByteType);

  /**
   * Expands the formula of a model; without one returns the table unchanged.
   *
   * @param shaped the rows of the input
   * @param like an earlier table whose formula is taken over; null for none
   * @param narrow whether a smooth of one number is to be that number, with a curve
   * @throws UserException if the formula does not go with the table
   */
  public static FormulaTable of(
      Input input,
      Dataset<Row> shaped,
      Columns columns,
      Columns.Model model,
      @Nullable TableSchema like,
      boolean narrow,
      Consumer<String> progress) {
    TableSchema.Formula stored = like == null ? null : like.source().formula();
    Dataset<Row> weighted = withoutWeight(shaped, columns.weight());
    String text = model.formula();
    if (like != null && !Objects.equals(text, stored == null ? null : stored.text())) {
      throw UserException.usage(
          "data.like is a table %s, but model.formula is %s. Set the same formula for both."
              .formatted(
                  stored == null ? "without a formula" : "with the formula " + stored.text(),
                  text == null ? "not set" : text));
    }
    if (text == null) {
      return new FormulaTable(weighted, columns, null, Map.of(), Optional::empty);
    }
    InputColumns.requireDistinct(List.of(shaped.columns()), input.name());
    Set<String> others = new LinkedHashSet<>(List.of(shaped.columns()));
    others.removeAll(columns.besides(model));
    others.remove(columns.label());
    Formula formula =
        stored == null
            ? Formula.parse(text).over(List.copyOf(others))
            : Formula.parse(stored.terms());
    List<String> besides = formula.besides().stream().map(Expression::label).toList();
    Expander expander = new Expander(input.name(), weighted, columns, formula, besides, stored);
    Dataset<Row> pruned = expander.pruned(roles(columns, model));
    ModelFrame frame = expander.frame(pruned);
    if (stored == null) {
      InputColumns.requireEncodings(columns, model, frame.categorical());
      expander.requireEffects(Formula.parse(text));
    }
    TableSchema.Formula kept = stored == null ? expander.look(pruned, frame, text) : stored;
    if (stored == null && frame.mayBeEmpty()) {
      kept =
          expander.without(
              kept, expander.absent(pruned, expander.outputs(frame, kept, true), frame));
    }
    List<ModelFrame.Output> outputs = expander.outputs(frame, kept, true);
    progress.accept(said(formula, outputs));
    Dataset<Row> expanded =
        expander.expanded(
            pruned, frame, frame.computed(numbers(kept)), outputs, roles(columns, model), narrow);
    Map<String, Curve> curves = new HashMap<>();
    for (ModelFrame.Output output : outputs) {
      Smooth.OfOne smooth = narrow ? output.ofOne() : null;
      if (smooth != null) {
        curves.put(output.name(), smooth.columns().curve());
      }
    }
    return new FormulaTable(
        withoutWeight(expanded, columns.weight()),
        expander.featured(outputs),
        kept,
        curves,
        () -> FormulaScan.Fault.find(input, pruned, frame));
  }

  /** Returns the rows but those of weight 0, which change no likelihood. */
  private static Dataset<Row> withoutWeight(Dataset<Row> rows, @Nullable String weight) {
    if (weight == null || !List.of(rows.columns()).contains(weight)) {
      return rows;
    }
    Column none = InputColumns.column(weight).cast(DataTypes.DoubleType).equalTo(0);
    return rows.filter(functions.not(functions.coalesce(none, functions.lit(false))));
  }

  /** Returns what the rows have shown, by the functions' labels. */
  private static Map<String, List<Double>> numbers(TableSchema.Formula kept) {
    return kept.bases().stream()
        .collect(Collectors.toMap(TableSchema.Basis::name, TableSchema.Basis::numbers));
  }

  /**
   * Adds a stored formula's columns to a table of new rows.
   *
   * @param columns what the columns of the earlier table were for
   * @param besides which are wanted of the label, the trials and the offset, by their names, where
   *     the formula computes them
   */
  public static Dataset<Row> append(
      Dataset<Row> table,
      Columns columns,
      TableSchema.Formula stored,
      Collection<String> besides,
      String where) {
    Formula formula = Formula.parse(stored.terms());
    Expander expander = new Expander(where, table, columns, formula, besides, stored);
    ModelFrame frame = expander.frame(table);
    return expander.expanded(
        table,
        frame,
        frame.computed(numbers(stored)),
        expander.outputs(frame, stored, false),
        List.of(table.columns()),
        false);
  }

  /**
   * Returns the uses of a model's columns.
   *
   * @param like an earlier table, whose categories are known; null for none
   */
  public static Columns.Uses uses(
      Columns columns, Columns.Model model, @Nullable TableSchema like) {
    Set<String> keys = new HashSet<>();
    model.groups().forEach(group -> addGroup(group, keys));
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
      like.levels().forEach(of -> addGroup(of.column(), keys));
      categories.addAll(levelsOf(like).keySet());
    }
    String text = stored == null ? model.formula() : stored.terms();
    if (text == null) {
      columns.features().stream().filter(name -> !categories.contains(name)).forEach(numbers::add);
    } else {
      Formula formula = Formula.parse(text);
      Set<String> plain = new HashSet<>();
      factors(formula.fixed(), keys, plain);
      formula.besides().stream()
          .filter(
              one -> !one.equals(formula.left().response()) || !(one instanceof Expression.Name))
          .forEach(one -> factors(one, keys, plain));
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

  private static void addGroup(String group, Set<String> keys) {
    keys.add(group);
    keys.addAll(GroupKeys.parts(group));
  }

  /** Collects the columns of which only levels matter, as in factor(), and those elsewhere. */
  private static void factors(Expression of, Set<String> within, Set<String> elsewhere) {
    if (of instanceof Expression.Name name) {
      elsewhere.add(name.name());
    } else if (of instanceof Expression.Call call) {
      String column = Factor.columnOf(call);
      boolean compared =
          call.arguments().stream().anyMatch(FormulaTable::isText)
              && Scalar.TRUTHS.contains(call.function());
      for (Expression one : Arguments.ofColumns(call)) {
        factors(one, within, column != null || compared ? within : elsewhere);
      }
    }
  }

  private static boolean isText(Expression of) {
    return of instanceof Expression.Quoted
        || (of instanceof Expression.Call call
            && call.function().equals("c")
            && call.arguments().stream().anyMatch(FormulaTable::isText));
  }

  /** Returns the columns of an earlier table's categories with their levels. */
  static Map<String, List<String>> levelsOf(TableSchema schema) {
    TableSchema.Formula formula = schema.source().formula();
    Map<String, List<String>> levels = new LinkedHashMap<>();
    Stream.concat(
            schema.features().stream().filter(of -> of.kind() == FeatureKind.CATEGORICAL),
            formula == null ? Stream.of() : formula.factors().stream())
        .forEach(of -> levels.putIfAbsent(of.name(), of.levels()));
    if (formula != null) {
      for (String name : List.copyOf(levels.keySet())) {
        // The levels of factor(x) are those of x.
        levels.putIfAbsent(columnOf(name), Objects.requireNonNull(levels.get(name)));
      }
    }
    return levels;
  }

  /** Returns the column whose levels a factor has by its label; the label if there is none. */
  static String columnOf(String label) {
    String column =
        Factor.FUNCTIONS.stream().anyMatch(function -> label.startsWith(function + "("))
            ? Factor.columnOf(FormulaParser.parse(label))
            : null;
    return column == null ? label : column;
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
      Collection<String> besides,
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
      Set<String> inputs = new LinkedHashSet<>(ModelFrame.inputs(formula, besides));
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
          formula, List.of(rows.columns()), this::kind, columns.rules().missing(), besides);
    }

    /** Scans the rows, if any choice depends on them. */
    TableSchema.Formula look(Dataset<Row> rows, ModelFrame frame, String text) {
      FormulaScan total = new FormulaScan(frame);
      if (!frame.factors().isEmpty() || !frame.bases().isEmpty()) {
        List<Factor> factors = new ArrayList<>(frame.factors().values());
        List<Scalar> numbers = new ArrayList<>(frame.bases().values());
        rows.javaRDD()
            .mapPartitions(
                part -> {
                  FormulaScan scan = new FormulaScan(frame);
                  RowCounter counter = new RowCounter();
                  while (part.hasNext()) {
                    Row row = part.next();
                    counter.add();
                    scan.add(row, counter, frame, factors, numbers);
                  }
                  Iterator<FormulaScan> one = List.of(scan).iterator();
                  return one;
                })
            .collect()
            .forEach(total::merge);
      }
      List<TableSchema.Basis> bases = new ArrayList<>();
      Map<String, List<Double>> learned = total.numbers(frame);
      learned.forEach((label, of) -> bases.add(new TableSchema.Basis(label, of)));
      Map<String, Feature> levels = total.levels(frame, columns.categorical(), learned);
      return new TableSchema.Formula(
          text,
          formula.stored(),
          List.copyOf(levels.values()),
          List.copyOf(bases),
          null,
          frame.smooths(levels),
          null);
    }

    /**
     * Refuses factors that vary by group with a column for every level, which has no mean outside.
     */
    void requireEffects(Formula written) {
      for (Formula.RandomTerm one : written.random()) {
        for (String effect : one.effects()) {
          boolean factor = !effect.equals("(Intercept)") && isFactor(effect);
          if (factor && one.effects().contains("(Intercept)") != formula.intercept()) {
            throw Formula.wrong(
                written.text(),
                "'%s' has levels, and varies by %s %s an intercept; write (%1$s | %2$s)%s"
                    .formatted(
                        effect,
                        one.group(),
                        formula.intercept() ? "without" : "with",
                        formula.intercept()
                            ? ", the same effects with the first level's in the intercept"
                            : " and leave 0 or -1 out"));
          }
        }
      }
    }

    private boolean isFactor(String effect) {
      Terms terms = formula.terms();
      return terms.variables().stream()
          .filter(one -> one.label().equals(effect))
          .anyMatch(
              one ->
                  one instanceof Expression.Name name
                      ? kind(name.name()) == FeatureKind.CATEGORICAL
                      : !Smooth.is(one) && Factor.of(one, Cells.UNKNOWN, formula.text()) != null);
    }

    /** Looks which columns of the formula are 0 in every row: combinations that do not come. */
    List<String> absent(Dataset<Row> rows, List<ModelFrame.Output> outputs, ModelFrame frame) {
      ArrayList<Block> blocks =
          new ArrayList<>(
              outputs.stream()
                  .filter(one -> one.isSparse() || one.block() instanceof Block.FactorBlock)
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
          all.text(), all.terms(), all.factors(), all.bases(), absent, all.smooths(), null);
    }

    List<ModelFrame.Output> outputs(ModelFrame frame, TableSchema.Formula kept, boolean strict) {
      Map<String, Feature> levels =
          kept.factors().stream().collect(Collectors.toMap(Feature::name, Function.identity()));
      return frame.outputs(levels, numbers(kept), kept.leftOut(), strict);
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
        Dataset<Row> rows,
        ModelFrame frame,
        Map<String, Scalar> computed,
        List<ModelFrame.Output> outputs,
        List<String> others,
        boolean narrow) {
      List<ModelFrame.Output> made = outputs.stream().filter(one -> !one.isThere()).toList();
      StructType type = rows.schema();
      List<String> names = new ArrayList<>(List.of(rows.columns()));
      for (String name : computed.keySet()) {
        type = type.add(name, DataTypes.DoubleType, true);
        names.add(name);
      }
      for (ModelFrame.Output output : made) {
        type =
            type.add(
                output.name(),
                output.levelsOf() != null
                    ? DataTypes.StringType
                    : output.kind() == FeatureKind.NUMERIC || (narrow && output.ofOne() != null)
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
              new ArrayList<>(computed.values()),
              new ArrayList<>(made),
              labels(rows),
              narrow);
      Dataset<Row> all =
          computed.isEmpty()
                  && made.stream().allMatch(output -> narrow && isColumn(output.ofOne(), rows))
              ? withColumns(rows, made)
              : rows.mapPartitions(expand, Encoders.row(type));
      Set<String> wanted = new LinkedHashSet<>(others);
      wanted.addAll(computed.keySet());
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

    /** Returns whether the x of a smooth is a column of numbers. */
    private static boolean isColumn(Smooth.@Nullable OfOne smooth, Dataset<Row> rows) {
      return smooth != null
          && smooth.column() != null
          && NUMBERS.contains(rows.schema().apply(smooth.column()).dataType());
    }

    /** Returns the rows with the numbers of smooths of their columns. */
    private static Dataset<Row> withColumns(Dataset<Row> rows, List<ModelFrame.Output> made) {
      if (made.isEmpty()) {
        return rows;
      }
      Stream<Column> there = Stream.of(rows.columns()).map(InputColumns::column);
      Stream<Column> more =
          made.stream()
              .map(
                  output ->
                      InputColumns.column(
                              String.valueOf(Objects.requireNonNull(output.ofOne()).column()))
                          .cast(DataTypes.DoubleType)
                          .as(output.name()));
      return rows.select(Stream.concat(there, more).toArray(Column[]::new));
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
      List<String> columns,
      boolean narrow)
      implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
      return ScalaCollections.asJava(ScalaCollections.asScala(rows).map(this::expanded));
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
      Smooth.OfOne smooth = narrow ? output.ofOne() : null;
      if (smooth != null) {
        double x = smooth.of().at(cells);
        return Double.isNaN(x) ? null : x;
      }
      if (block == null) {
        Object cell = row.get(columns.indexOf(output.levelsOf()));
        return cell == null || CellText.isMissing(cell) ? null : CellText.level(cell);
      }
      return value(block, output, row, cells);
    }
  }

  /** Returns a feature of a row as a cell; null if it has no value. */
  private static @Nullable Object value(
      Block block, ModelFrame.Output output, Row row, double[] cells) {
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
