package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.dataprep.read.VectorCell;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * Expansion of a formula on a table: the scans that it takes, and the columns that it adds.
 *
 * @param besides the response and other roles that are computed
 * @param stored an earlier formula that is taken over; null for none
 */
record FormulaExpansion(
    String where,
    StructType table,
    Columns columns,
    Formula formula,
    Collection<String> besides,
    TableSchema.@Nullable Formula stored) {
  /** Types whose cells are the numbers that a formula computes with. */
  private static final Set<DataType> NUMBERS =
      Set.of(
          DataTypes.DoubleType,
          DataTypes.FloatType,
          DataTypes.LongType,
          DataTypes.IntegerType,
          DataTypes.ShortType,
          DataTypes.ByteType);

  private void requireColumn(String name) {
    Set<String> known = new LinkedHashSet<>(List.of(table.fieldNames()));
    if (!known.contains(name)) {
      throw UserException.data(
          "model.formula names '%s', which is not a column of %s; %s"
              .formatted(name, where, NearestName.hint(name, known)));
    }
  }

  private FeatureKind kind(String name) {
    requireColumn(name);
    Map<String, Categorical> declared = new HashMap<>(columns.categorical());
    if (stored != null) {
      stored.factors().forEach(one -> declared.put(one.name(), Categorical.DEFAULT));
    }
    return InputColumns.featureOf(table, columns.withFeatures(List.of(name), declared), name, where)
        .kind();
  }

  /** Returns the names of the used columns. */
  List<String> used(List<String> roles) {
    Set<String> inputs = new LinkedHashSet<>(ModelFrame.inputs(formula, besides));
    inputs.forEach(this::requireKind);
    Set<String> all = new LinkedHashSet<>(inputs);
    Set<String> there = Set.of(table.fieldNames());
    roles.stream().filter(there::contains).forEach(all::add);
    return List.copyOf(all);
  }

  /** Refuses a column that cannot be used; the label's kind is looked at later. */
  private void requireKind(String name) {
    if (name.equals(columns.label())) {
      requireColumn(name);
    } else {
      kind(name);
    }
  }

  /** Returns the frame of rows with these columns. */
  ModelFrame frame(List<String> used) {
    return new ModelFrame(formula, used, this::kind, columns.rules().missing(), besides);
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
              "'%s' has levels, and varies by %s %s an intercept; write %s"
                  .formatted(
                      effect,
                      one.group(),
                      formula.intercept() ? "without" : "with",
                      instead(effect, one)));
        }
      }
    }
  }

  /** Returns how the same model is written. */
  private String instead(String effect, Formula.RandomTerm term) {
    String bar = term.correlated() ? "|" : "||";
    String same = "(%s %s %s)".formatted(effect, bar, term.group());
    if (!formula.intercept()) {
      return same + " and leave 0 or -1 out";
    }
    return term.correlated()
        ? same + ", the same effects with the first level's in the intercept"
        : "0 + %s outside the parentheses, too: %1$s then has a column for every level"
            .formatted(effect);
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
          columns.categorical().get(output.levelsOf() == null ? output.name() : output.levelsOf());
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
              columnOf(made, output),
              output.levelsOf() != null
                  ? DataTypes.StringType
                  : output.kind() == FeatureKind.NUMERIC || (narrow && output.ofOne() != null)
                      ? DataTypes.DoubleType
                      : output.isSparse()
                          ? VectorCell.TYPE
                          : DataTypes.createArrayType(DataTypes.DoubleType, false),
              true);
      names.add(columnOf(made, output));
    }
    InputColumns.requireDistinct(names, where + " with the columns of model.formula");
    Expand expand =
        new Expand(
            frame, new ArrayList<>(computed.values()), new ArrayList<>(made), labels(rows), narrow);
    Dataset<Row> all =
        computed.isEmpty()
                && made.stream().allMatch(output -> narrow && isColumn(output.ofOne(), rows))
            ? withColumns(rows, made)
            : rows.mapPartitions(expand, Encoders.row(type));
    Set<String> wanted = new LinkedHashSet<>(others);
    wanted.addAll(computed.keySet());
    outputs.stream()
        .filter(ModelFrame.Output::isThere)
        .forEach(output -> wanted.add(output.name()));
    wanted.retainAll(Set.of(all.columns()));
    return all.select(
        Stream.concat(
                wanted.stream().map(InputColumns::column),
                made.stream().map(output -> named(columnOf(made, output), output)))
            .toArray(Column[]::new));
  }

  /**
   * Returns the column for a feature that is made. It has a name of its own, because the input may
   * have a column of the feature's name with another role.
   */
  private static String columnOf(List<ModelFrame.Output> made, ModelFrame.Output output) {
    return ".feature" + made.indexOf(output);
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
                        .as(columnOf(made, output)));
    return rows.select(Stream.concat(there, more).toArray(Column[]::new));
  }

  private static List<String> labels(Dataset<Row> rows) {
    return List.of(rows.columns());
  }

  /** Returns the column of a feature, with the feature's name and its elements'. */
  private static Column named(String name, ModelFrame.Output output) {
    MetadataBuilder of = new MetadataBuilder().putString(InputColumns.FEATURE, output.name());
    Block block = output.block();
    if (block != null && output.kind() == FeatureKind.VECTOR) {
      of.putStringArray(InputColumns.ELEMENTS, block.names().toArray(String[]::new));
    }
    return InputColumns.column(name).as(name, of.build());
  }

  /** Returns what the rows have shown, by the functions' labels. */
  static Map<String, List<Double>> numbers(TableSchema.Formula kept) {
    return kept.bases().stream()
        .collect(Collectors.toMap(TableSchema.Basis::name, TableSchema.Basis::numbers));
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
