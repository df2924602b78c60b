package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.formula.Block.FactorBlock;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** Formula on the columns of a table: its variables and its terms. */
final class ModelFrame implements Serializable {
  private static final double SECONDS_A_DAY = 86_400;

  /** The functions that make a factor of a column. */
  static final Set<String> FACTORS = Set.of("factor", "as.factor");

  /**
   * A variable: a number, functions of one, a factor or, with none of these, a vector.
   *
   * @param plain whether it is a column of the table as it is
   * @param of what a number or several are computed of
   * @param wish which functions of it
   * @param factor the column whose levels it has
   * @param smooth a penalised smooth; null for all other variables
   */
  private record Variable(
      String label,
      boolean plain,
      @Nullable Scalar of,
      Basis.@Nullable Wish wish,
      @Nullable String factor,
      @Nullable OfTable smooth)
      implements Serializable {
    Variable(
        String label,
        boolean plain,
        @Nullable Scalar of,
        Basis.@Nullable Wish wish,
        @Nullable String factor) {
      this(label, plain, of, wish, factor, null);
    }
  }

  /**
   * A smooth of a table's columns.
   *
   * @param of the number of each margin
   * @param by the number that multiplies it; null for none
   * @param levels the variable whose levels have smooths of their own; null for none
   */
  private record OfTable(
      Smooth smooth, List<Scalar> of, @Nullable Scalar by, @Nullable Variable levels)
      implements Serializable {
    OfTable {
      of = List.copyOf(of);
    }
  }

  /**
   * A feature that a term becomes.
   *
   * @param block its columns; null for a column of the table as it is, or for its levels
   * @param levelsOf the column whose text are its levels; null if it is not such a one
   */
  record Output(String name, FeatureKind kind, @Nullable Block block, @Nullable String levelsOf)
      implements Serializable {
    /** Returns whether the table already has it. */
    boolean isThere() {
      return block == null && levelsOf == null;
    }

    /** Returns whether most elements may be zero. */
    boolean isSparse() {
      return kind == FeatureKind.VECTOR
          && (block instanceof Block.Product
              || block instanceof Block.Present
              || (block instanceof Smooth.OfOne smooth && smooth.by() != null));
    }
  }

  /**
   * A number that is computed.
   *
   * @param label its expression, as it is written
   * @param from the columns that it is computed of, by their places in a row
   */
  record Computed(String label, Scalar of, int[] from) implements Serializable {
    /** Returns whether it is not a finite number although all its inputs are. */
    boolean fails(double[] cells) {
      for (int place : from) {
        if (!Double.isFinite(cells[place])) {
          return false;
        }
      }
      return !Double.isFinite(of.at(cells));
    }
  }

  private final List<String> columns;
  private final Missing rule;
  private final ArrayList<Variable> variables = new ArrayList<>();
  private final ArrayList<BitSet> terms = new ArrayList<>();

  /** For each term, the factors coded by contrasts. */
  private final ArrayList<BitSet> contrasts = new ArrayList<>();

  private final LinkedHashMap<String, Scalar> computed = new LinkedHashMap<>();
  private final ArrayList<Computed> numbers = new ArrayList<>();

  /**
   * Reads a formula.
   *
   * @param columns the rows' columns, in order
   * @param kinds what a column is
   * @param labelled whether the left-hand side is wanted, if it is computed
   */
  ModelFrame(
      Formula formula,
      List<String> columns,
      Function<String, FeatureKind> kinds,
      Missing rule,
      boolean labelled) {
    this.columns = List.copyOf(columns);
    this.rule = rule;
    Terms of = formula.terms();
    of.variables().forEach(one -> variables.add(variable(one, formula, kinds)));
    for (int t = 0; t < of.terms().size(); t++) {
      BitSet coded = new BitSet();
      int term = t;
      of.terms().get(t).stream().filter(v -> of.contrasts(term, v)).forEach(coded::set);
      terms.add(of.terms().get(t));
      contrasts.add(coded);
    }
    if (!of.intercept()) {
      codeFirstFactorInFull();
    }
    Expression offset = formula.offset();
    if (labelled && !(formula.response() instanceof Expression.Name)) {
      computed.put(formula.label(), number(formula.response(), formula, kinds));
    }
    if (offset != null && !(offset instanceof Expression.Name)) {
      computed.put(offset.label(), number(offset, formula, kinds));
    }
  }

  /** Without an intercept the first factor of the first term that has one stands for it. */
  private void codeFirstFactorInFull() {
    for (int t = 0; t < terms.size(); t++) {
      for (int v : terms.get(t).stream().toArray()) {
        if (variables.get(v).factor != null) {
          contrasts.get(t).clear(v);
          return;
        }
      }
    }
  }

  private Variable variable(Expression of, Formula formula, Function<String, FeatureKind> kinds) {
    String label = of.label();
    if (of instanceof Expression.Name name) {
      return switch (kinds.apply(name.name())) {
        case NUMERIC -> new Variable(label, true, number(of, formula, kinds), null, null);
        case CATEGORICAL -> new Variable(label, true, null, null, name.name());
        case VECTOR -> new Variable(label, true, null, null, null);
      };
    }
    Expression.Call call = (Expression.Call) of;
    if (FACTORS.contains(call.function())) {
      if (call.arguments().size() != 1
          || !(call.first() instanceof Expression.Name name)
          || kinds.apply(name.name()) == FeatureKind.VECTOR) {
        throw Formula.wrong(
            formula.text(), "'" + call + "' is not factor(x), x a column of numbers or text");
      }
      return new Variable(label, false, null, null, name.name());
    }
    Smooth smooth = Smooth.of(call, formula.text());
    if (smooth != null) {
      return smooth(label, smooth, formula, kinds);
    }
    Basis.Wish wish = Basis.Wish.of(call, formula.text());
    Scalar number = number(wish == null ? of : wish.of(), formula, kinds);
    return new Variable(label, false, number, wish, null);
  }

  private Variable smooth(
      String label, Smooth smooth, Formula formula, Function<String, FeatureKind> kinds) {
    List<Scalar> of = new ArrayList<>();
    smooth.margins().forEach(one -> of.add(number(one.of(), formula, kinds)));
    Variable by = smooth.by() == null ? null : variable(smooth.by(), formula, kinds);
    if (by != null && by.of == null && by.factor == null) {
      throw Formula.wrong(
          formula.text(),
          "by in '%s' is a column of vectors; name an element of it in data.query"
              .formatted(label));
    }
    boolean levels = by != null && by.factor != null;
    OfTable all =
        new OfTable(
            smooth, of, by == null ? null : by.of, levels ? Objects.requireNonNull(by) : null);
    return new Variable(label, false, null, null, null, all);
  }

  private Scalar number(Expression of, Formula formula, Function<String, FeatureKind> kinds) {
    for (String name : Formula.namesIn(of)) {
      if (kinds.apply(name) != FeatureKind.NUMERIC) {
        throw Formula.wrong(
            formula.text(),
            "in '%s', the column '%s' holds %s instead of numbers"
                .formatted(
                    of, name, kinds.apply(name) == FeatureKind.VECTOR ? "vectors" : "categories"));
      }
    }
    Scalar number = Scalar.of(of, columns, formula.text());
    if (!(of instanceof Expression.Name)) {
      int[] from = Formula.namesIn(of).stream().mapToInt(columns::indexOf).toArray();
      numbers.add(new Computed(of.label(), number, from));
    }
    return number;
  }

  /** Returns the numbers that are computed, in the order of the formula. */
  List<Computed> numbers() {
    return numbers;
  }

  /** Returns the columns that the formula needs. */
  static Set<String> inputs(Formula formula, boolean labelled) {
    Set<String> names = new LinkedHashSet<>();
    formula.terms().variables().forEach(one -> names.addAll(columnsIn(one)));
    if (labelled) {
      names.addAll(Formula.namesIn(formula.response()));
    }
    if (formula.offset() != null) {
      names.addAll(Formula.namesIn(formula.offset()));
    }
    return names;
  }

  static Set<String> columnsIn(Expression variable) {
    Smooth smooth = Smooth.of(variable, variable.label());
    if (smooth != null) {
      return smooth.columns();
    }
    return variable instanceof Expression.Call call
            && List.of("poly", "bs").contains(call.function())
            && !call.arguments().isEmpty()
        ? Formula.namesIn(call.first())
        : Formula.namesIn(variable);
  }

  /** Returns the numbers of a row's columns; NaN if missing. */
  double[] cells(Row row) {
    double[] cells = new double[columns.size()];
    for (int k = 0; k < cells.length; k++) {
      Object cell = row.get(k);
      cells[k] = cell == null ? Double.NaN : number(cell);
    }
    return cells;
  }

  /** Returns the number that a cell is, dates and times in days since 1970-01-01, in UTC. */
  private static double number(Object cell) {
    if (cell instanceof Date date) {
      return date.toLocalDate().toEpochDay();
    }
    Instant time =
        cell instanceof Timestamp instant
            ? instant.toInstant()
            : cell instanceof LocalDateTime local ? local.toInstant(ZoneOffset.UTC) : null;
    return time == null
        ? CellText.asNumber(cell)
        : (time.getEpochSecond() + 1e-9 * time.getNano()) / SECONDS_A_DAY;
  }

  /** Returns whether a row has all that the formula computes, and all of its columns. */
  boolean isComplete(Row row, double[] cells) {
    for (int k = 0; k < row.size(); k++) {
      if (CellText.isMissing(row.get(k))) {
        return false;
      }
    }
    for (Variable one : variables) {
      if (one.of != null && Double.isNaN(one.of.at(cells))) {
        return false;
      }
      if (one.smooth != null && one.smooth.of.stream().anyMatch(of -> Double.isNaN(of.at(cells)))) {
        return false;
      }
    }
    return computed.values().stream().noneMatch(of -> Double.isNaN(of.at(cells)));
  }

  Missing rule() {
    return rule;
  }

  /** Returns the computed values other than features: the label and the offset, if any. */
  Map<String, Scalar> computed() {
    return computed;
  }

  /** Returns the columns whose levels the terms need to know, by the variables' labels. */
  Map<String, Integer> factors() {
    Map<String, Integer> factors = new LinkedHashMap<>();
    for (int t = 0; t < terms.size(); t++) {
      for (int v : terms.get(t).stream().toArray()) {
        String column = variables.get(v).factor;
        if (column != null && !isEncoded(t)) {
          factors.put(variables.get(v).label, columns.indexOf(column));
        }
        Variable levels = levelsOf(variables.get(v));
        if (levels != null) {
          factors.put(levels.label, columns.indexOf(Objects.requireNonNull(levels.factor)));
        }
      }
    }
    return factors;
  }

  /** Returns the variable whose levels have smooths of their own; null for all else. */
  private static @Nullable Variable levelsOf(Variable one) {
    return one.smooth == null ? null : one.smooth.levels;
  }

  /** Returns whether some term is a product of factors, whose levels need not all come together. */
  boolean multipliesFactors() {
    return terms.stream()
        .anyMatch(term -> term.stream().filter(v -> variables.get(v).factor != null).count() > 1);
  }

  /** Returns the columns with levels, including features. */
  Set<String> categorical() {
    Set<String> names = new LinkedHashSet<>();
    variables.forEach(
        one -> {
          Variable levels = levelsOf(one);
          String factor = levels == null ? one.factor : levels.factor;
          if (factor != null) {
            names.add(factor);
          }
        });
    return names;
  }

  /** Returns the numbers whose functions depend on the table, by the variables' labels. */
  Map<String, Scalar> bases() {
    Map<String, Scalar> bases = new LinkedHashMap<>();
    for (Variable one : variables) {
      if (one.wish != null && one.of != null && one.wish.kind() != Basis.Kind.POWERS) {
        bases.put(one.label, one.of);
      }
      for (int m = 0; one.smooth != null && m < one.smooth.of.size(); m++) {
        bases.put(Smooth.name(one.smooth.smooth.margins().get(m)), one.smooth.of.get(m));
      }
    }
    return bases;
  }

  /** Returns the requested functions of a name among {@link #bases}. */
  Basis.Wish wish(String label) {
    for (Variable one : variables) {
      if (one.wish != null && one.label.equals(label)) {
        return one.wish;
      }
      if (one.smooth != null) {
        for (Basis.Wish margin : one.smooth.smooth.margins()) {
          if (Smooth.name(margin).equals(label)) {
            return margin;
          }
        }
      }
    }
    throw new NoSuchElementException(label);
  }

  /** Returns the smooths of the formula, those of levels one by one. */
  List<TableSchema.Smooth> smooths(Map<String, Feature> levels) {
    List<TableSchema.Smooth> smooths = new ArrayList<>();
    for (BitSet term : terms) {
      Variable one = variables.get(term.nextSetBit(0));
      if (one.smooth != null) {
        smooths.addAll(listed(one, one.smooth, levels));
      }
    }
    return smooths;
  }

  private static List<TableSchema.Smooth> listed(
      Variable one, OfTable smooth, Map<String, Feature> levels) {
    return smooth.smooth.listed(
        one.label,
        smooth.levels == null
            ? List.of()
            : Objects.requireNonNull(levels.get(smooth.levels.label)).levels());
  }

  /** Returns whether a term is a factor that is coded as categorical features are. */
  private boolean isEncoded(int term) {
    int v = terms.get(term).nextSetBit(0);
    return terms.get(term).cardinality() == 1
        && variables.get(v).factor != null
        && contrasts.get(term).get(v);
  }

  /**
   * Returns the features that the terms become.
   *
   * @param levels of the factors that {@link #factors} asks for, by label
   * @param numbers of the functions that {@link #bases} asks for, by label
   * @param absent the columns of products of factors that are left out
   * @param strict whether an unknown level is an error; else a row has no value then
   */
  List<Output> outputs(
      Map<String, Feature> levels,
      Map<String, List<Double>> numbers,
      Collection<String> absent,
      boolean strict) {
    Set<String> leftOut = new HashSet<>(absent);
    List<Output> outputs = new ArrayList<>();
    for (int t = 0; t < terms.size(); t++) {
      int[] places = terms.get(t).stream().toArray();
      Variable first = variables.get(places[0]);
      if (isEncoded(t)) {
        String column = first.plain ? null : first.factor;
        outputs.add(new Output(first.label, FeatureKind.CATEGORICAL, null, column));
        continue;
      }
      if (places.length == 1 && first.plain && first.factor == null) {
        FeatureKind kind = first.of == null ? FeatureKind.VECTOR : FeatureKind.NUMERIC;
        outputs.add(new Output(first.label, kind, null, null));
        continue;
      }
      Block product = null;
      List<String> labels = new ArrayList<>();
      for (int v : places) {
        Block block = block(variables.get(v), contrasts.get(t).get(v), levels, numbers, strict);
        product = product == null ? block : new Block.Product(product, block);
        labels.add(variables.get(v).label);
      }
      Block all = Block.Present.of(Objects.requireNonNull(product), leftOut, strict);
      List<String> names = all.names();
      String name = names.size() == 1 ? names.get(0) : String.join(":", labels);
      FeatureKind kind = names.size() == 1 ? FeatureKind.NUMERIC : FeatureKind.VECTOR;
      if (!names.isEmpty()) {
        outputs.add(new Output(name, kind, all, null));
      }
    }
    return outputs;
  }

  /** Returns the columns of a smooth. */
  private Block smooth(
      Variable one,
      OfTable of,
      Map<String, Feature> levels,
      Map<String, List<Double>> numbers,
      boolean strict) {
    List<String> names =
        listed(one, of, levels).stream().flatMap(each -> each.columns().stream()).toList();
    PSpline.Form form =
        of.of.size() > 1
            ? PSpline.Form.MARGIN
            : of.by == null ? PSpline.Form.CENTERED : PSpline.Form.WHOLE;
    List<PSpline.Columns> margins = new ArrayList<>();
    for (Basis.Wish margin : of.smooth.margins()) {
      List<Double> known = numbers.getOrDefault(Smooth.name(margin), List.of());
      margins.add(new PSpline(margin.size(), known, one.label).columns(form));
    }
    if (form == PSpline.Form.MARGIN) {
      return new Smooth.Tensor(names, of.of, margins.get(0), margins.get(1));
    }
    if (of.by != null) {
      return new Smooth.Multiplied(names, of.of.get(0), margins.get(0), of.by);
    }
    FactorBlock by =
        of.levels == null ? null : (FactorBlock) block(of.levels, false, levels, numbers, strict);
    return new Smooth.OfOne(names, of.of.get(0), margins.get(0), by);
  }

  private Block block(
      Variable of,
      boolean byContrasts,
      Map<String, Feature> levels,
      Map<String, List<Double>> numbers,
      boolean strict) {
    if (of.smooth != null) {
      return smooth(of, of.smooth, levels, numbers, strict);
    }
    if (of.factor != null) {
      Feature feature = Objects.requireNonNull(levels.get(of.label));
      return new FactorBlock(feature, columns.indexOf(of.factor), byContrasts, rule, strict);
    }
    if (of.of == null) {
      throw Formula.wrong(
          of.label, "a column of vectors cannot be multiplied; name its elements in data.query");
    }
    return of.wish == null
        ? new Block.Numeric(of.label, of.of)
        : new Block.Functions(
            of.label, of.of, of.wish.from(numbers.getOrDefault(of.label, List.of())));
  }
}
