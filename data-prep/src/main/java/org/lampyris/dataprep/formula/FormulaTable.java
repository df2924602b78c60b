package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.read.CellCondition;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.Glance;
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.Curve;
import org.lampyris.executors.table.TableSchema;
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
    Formula formula =
        stored == null
            ? over(text, List.of(shaped.columns()), columns, model)
            : Formula.parse(stored.terms());
    List<String> besides = formula.besides().stream().map(Expression::label).toList();
    FormulaExpansion expander =
        new FormulaExpansion(input.name(), weighted.schema(), columns, formula, besides, stored);
    List<String> used = expander.used(roles(columns, model));
    Dataset<Row> pruned =
        weighted.select(used.stream().map(InputColumns::column).toArray(Column[]::new));
    ModelFrame frame = expander.frame(used);
    if (stored == null) {
      InputColumns.requireEncodings(columns, model, frame.categorical());
      expander.requireEffects(Formula.parse(text));
    }
    TableSchema.Formula kept = stored == null ? expander.look(pruned, frame, text) : stored;
    if (stored == null) {
      requireSteps(input, frame, kept);
    }
    if (stored == null && frame.mayBeEmpty()) {
      List<ModelFrame.Output> all = expander.outputs(frame, kept, true);
      kept = expander.without(kept, expander.absent(pruned, all, frame));
      requireSteps(kept, all);
    }
    List<ModelFrame.Output> outputs = expander.outputs(frame, kept, true);
    progress.accept(said(formula, outputs));
    Dataset<Row> expanded =
        expander.expanded(
            pruned,
            frame,
            frame.computed(FormulaExpansion.numbers(kept)),
            outputs,
            roles(columns, model),
            narrow);
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

  /** Returns a formula whose "." stands for all columns that have no other role. */
  private static Formula over(
      String text, List<String> names, Columns columns, Columns.Model model) {
    Set<String> others = new LinkedHashSet<>(names);
    others.removeAll(columns.besides(model));
    others.remove(columns.label());
    return Formula.parse(text).over(List.copyOf(others));
  }

  /**
   * Refuses a formula that does not go with a table, before rows are read: as {@link #of} does, as
   * far as columns' types and the first rows show.
   *
   * @throws UserException if it does not
   */
  public static void require(String text, Glance table, Columns columns, Columns.Model model) {
    Glance.Types types = table.columns();
    Formula formula = over(text, types.names(), columns, model);
    List<Expression> computed =
        formula.besides().stream().filter(one -> !(one instanceof Expression.Name)).toList();
    List<String> besides = formula.besides().stream().map(Expression::label).toList();
    Set<String> needed = new LinkedHashSet<>(ModelFrame.inputs(formula, besides));
    needed.addAll(roles(columns, model));
    computed.forEach(one -> needed.remove(one.label()));
    if (!List.of(types.known().fieldNames()).containsAll(needed)) {
      return; // of types that only Spark knows
    }
    FormulaExpansion expander =
        new FormulaExpansion(table.input(), types.known(), columns, formula, besides, null);
    ModelFrame frame = expander.frame(expander.used(roles(columns, model)));
    InputColumns.requireEncodings(columns, model, frame.categorical());
    expander.requireEffects(Formula.parse(text));
    for (Factor factor : frame.factors().values()) {
      String cell = factor.column() == null ? null : types.odd().get(factor.column());
      if (cell != null) {
        factor.requireWhole(cell, level -> "");
      }
    }
    StructType all = types.known();
    for (Expression one : computed) {
      all = all.add(one.label(), DataTypes.DoubleType);
    }
    InputColumns.requireRoles(all, columns, model, table.input());
    boolean any = formula.intercept() || !formula.terms().terms().isEmpty();
    InputColumns.requireAny(any, table.input());
  }

  /** Refuses levels of monotonic effects that are not one after the other. */
  private static void requireSteps(Input input, ModelFrame frame, TableSchema.Formula kept) {
    kept.factors()
        .forEach(
            of -> {
              Factor factor = frame.factors().get(of.name());
              String column = factor == null ? null : factor.column();
              if (factor != null && column != null) {
                factor.requireSteps(
                    of.levels(), level -> input.first(CellCondition.ofText(column, level)));
              }
            });
  }

  /** Refuses a step of a monotonic effect within a product, of which no row is on the far side. */
  private static void requireSteps(TableSchema.Formula kept, List<ModelFrame.Output> outputs) {
    List<String> names =
        outputs.stream()
            .flatMap(one -> one.block() == null ? Stream.of() : one.block().names().stream())
            .toList();
    kept.factors().stream()
        .filter(of -> of.name().startsWith("mo("))
        .flatMap(of -> MonotonicColumns.of(of.name(), of.levels()).among(names).stream())
        .flatMap(of -> of.columns().stream())
        .filter(Objects.requireNonNull(kept.leftOut())::contains)
        .findFirst()
        .ifPresent(
            column -> {
              throw UserException.data(
                  "The column %s of a monotonic effect in model.formula is 0 in every row, because no row has that level or a higher one together with the other factor. Merge levels in data.query, or leave the product out."
                      .formatted(column));
            });
  }

  /** Returns the rows but those of weight 0, which change no likelihood. */
  private static Dataset<Row> withoutWeight(Dataset<Row> rows, @Nullable String weight) {
    if (weight == null || !List.of(rows.columns()).contains(weight)) {
      return rows;
    }
    Column none = InputColumns.column(weight).cast(DataTypes.DoubleType).equalTo(0);
    return rows.filter(functions.not(functions.coalesce(none, functions.lit(false))));
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
    FormulaExpansion expander =
        new FormulaExpansion(where, table.schema(), columns, formula, besides, stored);
    ModelFrame frame = expander.frame(List.of(table.columns()));
    List<ModelFrame.Output> outputs = expander.outputs(frame, stored, false);
    return expander.expanded(
        table,
        frame,
        frame.computed(FormulaExpansion.numbers(stored)),
        outputs,
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
}
