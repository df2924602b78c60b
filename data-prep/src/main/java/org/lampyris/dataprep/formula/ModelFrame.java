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

  /**
   * A variable: a number, functions of one, a factor, a smooth or, with none of these, a vector.
   *
   * @param written as it stands in the formula
   * @param plain whether it is a column of the table as it is
   * @param of what a number or several are computed of
   * @param wish which functions of it
   * @param factor its levels
   * @param smooth a penalised smooth
   */
  private record Variable(
      Expression written,
      boolean plain,
      @Nullable Scalar of,
      Basis.@Nullable Wish wish,
      @Nullable Factor factor,
      @Nullable OfTable smooth)
      implements Serializable {
    String label() {
      return written.label();
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
   * A number that is 1 in rows whose column has a level.
   *
   * @param column the place of the column in a row
   */
  private record LevelTest(int column, String level) implements Serializable {}

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

    /** Returns a smooth whose columns follow from one number; null for all else. */
    Smooth.@Nullable OfOne ofOne() {
      return block instanceof Smooth.OfOne one && one.by() == null ? one : null;
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
  private final String text;
  private final ArrayList<Variable> variables = new ArrayList<>();
  private final ArrayList<BitSet> terms = new ArrayList<>();

  /** For each term, the factors coded by contrasts. */
  private final ArrayList<BitSet> contrasts = new ArrayList<>();

  /** What is computed besides the terms, by the names of the columns. */
  private final LinkedHashMap<String, Expression> computed = new LinkedHashMap<>();

  private final ArrayList<Computed> numbers = new ArrayList<>();
  private final ArrayList<LevelTest> tests = new ArrayList<>();

  /** Requests for functions whose numbers the rows decide, by their labels. */
  private final LinkedHashMap<String, Basis.Wish> wishes = new LinkedHashMap<>();

  /**
   * Reads a formula.
   *
   * @param columns the rows' columns, in order
   * @param kinds what a column is
   * @param besides which are wanted of the label, the trials, the weights and the offset, by their
   *     names
   */
  ModelFrame(
      Formula formula,
      List<String> columns,
      Function<String, FeatureKind> kinds,
      Missing rule,
      Collection<String> besides) {
    this.columns = List.copyOf(columns);
    this.rule = rule;
    this.text = formula.text();
    Terms of = formula.terms();
    of.variables().forEach(one -> variables.add(variable(one, kinds)));
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
    for (Expression one : formula.besides()) {
      if (!(one instanceof Expression.Name) && besides.contains(one.label())) {
        number(one, kinds);
        computed.put(one.label(), one);
      }
    }
  }

  /**
   * Columns of the frame, for expressions that are compiled.
   *
   * @param kinds what a column is; null if it has been checked
   * @param known what the rows have shown, by labels; null before they are read
   * @param used the places of the numbers that are asked for. Modified.
   * @param whole the expression, for messages
   */
  private record FrameCells(
      ModelFrame frame,
      @Nullable Function<String, FeatureKind> kinds,
      @Nullable Map<String, List<Double>> known,
      Set<Integer> used,
      Expression whole)
      implements Cells {
    @Override
    public int number(String column) {
      if (kinds != null && kinds.apply(column) != FeatureKind.NUMERIC) {
        boolean vectors = kinds.apply(column) == FeatureKind.VECTOR;
        throw Formula.wrong(
            frame.text,
            "in '%s', the column '%s' holds %s instead of numbers%s"
                .formatted(
                    whole,
                    column,
                    vectors ? "vectors" : "categories",
                    vectors ? "; name its elements in data.query" : instead(column)));
      }
      int at = frame.columns.indexOf(column);
      used.add(at);
      return at;
    }

    /** Returns what to write instead of a number of categories. */
    private String instead(String column) {
      Expression name = new Expression.Name(column);
      return whole.toString().matches(".*([<>]|==|!=|%in%).*")
          ? "; compare it with a text, as in I(%s == \"a\")".formatted(name)
          : "; write %s as a term of its own, or (1 | %1$s)".formatted(name);
    }

    @Override
    public int isLevel(String column, String level) {
      requireCells(column);
      LevelTest test = new LevelTest(frame.columns.indexOf(column), level);
      if (!frame.tests.contains(test)) {
        frame.tests.add(test);
      }
      return frame.columns.size() + frame.tests.indexOf(test);
    }

    @Override
    public Factor.LevelOf level(String column) {
      requireCells(column);
      int at = frame.columns.indexOf(column);
      boolean levelForMissing = frame.rule == Missing.LEVEL;
      return (row, cells) -> FactorBlock.level(row.get(at), levelForMissing);
    }

    private void requireCells(String column) {
      if (kinds != null && kinds.apply(column) == FeatureKind.VECTOR) {
        throw Formula.wrong(
            frame.text,
            "the column '%s' holds vectors, which have no levels; name an element of it in data.query"
                .formatted(column));
      }
    }

    @Override
    public @Nullable List<Double> learned(Basis.Wish wish) {
      return known == null ? null : known.get(wish.label());
    }
  }

  private Cells checking(Function<String, FeatureKind> kinds, Expression whole) {
    return new FrameCells(this, kinds, null, new LinkedHashSet<>(), whole);
  }

  private Cells knowing(Map<String, List<Double>> numbers, Expression whole) {
    return new FrameCells(this, null, numbers, new LinkedHashSet<>(), whole);
  }

  /** Without an intercept the first factor of the first term that has one stands for it. */
  private void codeFirstFactorInFull() {
    for (int t = 0; t < terms.size(); t++) {
      for (int v : terms.get(t).stream().toArray()) {
        Factor factor = variables.get(v).factor;
        if (factor != null && factor.contrast() != Contrast.MONOTONIC) {
          contrasts.get(t).clear(v);
          return;
        }
      }
    }
  }

  private Variable variable(Expression of, Function<String, FeatureKind> kinds) {
    if (of instanceof Expression.Name name) {
      return switch (kinds.apply(name.name())) {
        case NUMERIC -> new Variable(of, true, number(of, kinds), null, null, null);
        case CATEGORICAL ->
            new Variable(of, true, null, null, column(name.name(), of, kinds), null);
        case VECTOR -> new Variable(of, true, null, null, null, null);
      };
    }
    Smooth smooth = Smooth.of(of, text);
    if (smooth != null) {
      return smooth(of, smooth, kinds);
    }
    Factor factor = Factor.of(of, checking(kinds, of), text);
    if (factor != null) {
      learn(of, kinds);
      return new Variable(of, false, null, null, factor, null);
    }
    Basis.Wish wish = of instanceof Expression.Call call ? Basis.Wish.of(call, text) : null;
    boolean columns = wish != null && wish.hasColumns();
    if (wish != null && columns && wish.isLearned()) {
      wishes.put(wish.label(), wish);
    }
    Scalar number = number(wish != null && columns ? wish.of() : of, kinds);
    return new Variable(of, false, number, columns ? wish : null, null, null);
  }

  private Factor column(String name, Expression of, Function<String, FeatureKind> kinds) {
    return Factor.of(name, checking(kinds, of).level(name));
  }

  private Variable smooth(Expression written, Smooth smooth, Function<String, FeatureKind> kinds) {
    List<Scalar> of = new ArrayList<>();
    for (Basis.Wish margin : smooth.margins()) {
      of.add(number(margin.of(), kinds));
      wishes.put(margin.label(), margin);
    }
    Variable by = smooth.by() == null ? null : variable(smooth.by(), kinds);
    if (by != null && by.of == null && by.factor == null) {
      throw Formula.wrong(
          text,
          "by in '%s' is a column of vectors; name an element of it in data.query"
              .formatted(written));
    }
    boolean levels = by != null && by.factor != null;
    OfTable all =
        new OfTable(
            smooth, of, by == null ? null : by.of, levels ? Objects.requireNonNull(by) : null);
    return new Variable(written, false, null, null, null, all);
  }

  /** Notes which functions within an expression depend on all rows. */
  private void learn(Expression of, Function<String, FeatureKind> kinds) {
    for (Basis.Wish wish : Basis.Wish.within(of, text)) {
      if (!Basis.Wish.within(wish.of(), text).isEmpty()) {
        throw Formula.wrong(
            text,
            "'%s' has a function within that depends on all rows; write the column instead"
                .formatted(wish.label()));
      }
      Scalar.of(wish.of(), checking(kinds, of), text);
      wishes.put(wish.label(), wish);
    }
  }

  private Scalar number(Expression of, Function<String, FeatureKind> kinds) {
    Set<Integer> used = new LinkedHashSet<>();
    Scalar number = Scalar.of(of, new FrameCells(this, kinds, null, used, of), text);
    learn(of, kinds);
    if (!(of instanceof Expression.Name)) {
      int[] from = used.stream().mapToInt(k -> k).toArray();
      numbers.add(new Computed(of.label(), number, from));
    }
    return number;
  }

  /** Returns the numbers that are computed, in the order of the formula. */
  List<Computed> numbers() {
    return numbers;
  }

  /**
   * Returns the columns that the formula needs.
   *
   * @param besides which are wanted of the label, the trials, the weights and the offset
   */
  static Set<String> inputs(Formula formula, Collection<String> besides) {
    Set<String> names = new LinkedHashSet<>();
    formula.terms().variables().forEach(one -> names.addAll(Formula.namesIn(one)));
    formula.besides().stream()
        .filter(one -> besides.contains(one.label()))
        .forEach(one -> names.addAll(Formula.namesIn(one)));
    return names;
  }

  /** Returns the numbers of a row's columns, then those of the tests; NaN if missing. */
  double[] cells(Row row) {
    double[] cells = new double[columns.size() + tests.size()];
    for (int k = 0; k < columns.size(); k++) {
      Object cell = row.get(k);
      cells[k] = cell == null ? Double.NaN : number(cell);
    }
    for (int k = 0; k < tests.size(); k++) {
      LevelTest test = tests.get(k);
      String level = FactorBlock.level(row.get(test.column), rule == Missing.LEVEL);
      cells[columns.size() + k] = level == null ? Double.NaN : level.equals(test.level) ? 1 : 0;
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
      if (one.factor != null
          && one.factor.order() != null
          && one.factor.of().at(row, cells) == null) {
        return false;
      }
      if (one.smooth != null && one.smooth.of.stream().anyMatch(of -> Double.isNaN(of.at(cells)))) {
        return false;
      }
    }
    return numbers.stream().noneMatch(one -> Double.isNaN(one.of.at(cells)));
  }

  Missing rule() {
    return rule;
  }

  /**
   * Returns the computed values other than features, by the names of their columns.
   *
   * @param known what the rows have shown, by labels
   */
  Map<String, Scalar> computed(Map<String, List<Double>> known) {
    Map<String, Scalar> scalars = new LinkedHashMap<>();
    computed.forEach((name, of) -> scalars.put(name, Scalar.of(of, knowing(known, of), text)));
    return scalars;
  }

  /** Returns the factors whose levels the terms need to know, by the variables' labels. */
  Map<String, Factor> factors() {
    Map<String, Factor> factors = new LinkedHashMap<>();
    for (int t = 0; t < terms.size(); t++) {
      for (int v : terms.get(t).stream().toArray()) {
        Factor factor = variables.get(v).factor;
        if (factor != null && !isEncoded(t)) {
          factors.put(variables.get(v).label(), factor);
        }
        Variable levels = levelsOf(variables.get(v));
        if (levels != null) {
          factors.put(levels.label(), Objects.requireNonNull(levels.factor));
        }
      }
    }
    return factors;
  }

  /** Returns a factor of {@link #factors} once the rows have shown what it depends on. */
  Factor factor(String label, Map<String, List<Double>> known) {
    for (Variable one : variables) {
      Variable levels = levelsOf(one);
      Variable of = levels == null ? one : levels;
      if (of.factor != null && of.label().equals(label)) {
        return factor(of, known);
      }
    }
    throw new NoSuchElementException(label);
  }

  private Factor factor(Variable of, Map<String, List<Double>> known) {
    Factor now = of.plain ? null : Factor.of(of.written, knowing(known, of.written), text);
    return now == null ? Objects.requireNonNull(of.factor) : now;
  }

  /** Returns the variable whose levels have smooths of their own; null for all else. */
  private static @Nullable Variable levelsOf(Variable one) {
    return one.smooth == null ? null : one.smooth.levels;
  }

  /**
   * Returns whether columns may be 0 in every row: those of a product of factors, whose levels need
   * not all come together, or of intervals that the range of a number decides.
   */
  boolean mayBeEmpty() {
    boolean intervals = wishes.values().stream().anyMatch(wish -> wish.kind() == Basis.Kind.CUT);
    return intervals
        || terms.stream()
            .anyMatch(
                term -> term.stream().filter(v -> variables.get(v).factor != null).count() > 1);
  }

  /** Returns the columns with levels, including features. */
  Set<String> categorical() {
    Set<String> names = new LinkedHashSet<>();
    variables.forEach(
        one -> {
          Variable levels = levelsOf(one);
          Factor factor = levels == null ? one.factor : levels.factor;
          if (factor != null && factor.column() != null) {
            names.add(factor.column());
          }
        });
    return names;
  }

  /** Returns the numbers whose functions depend on the table, by the functions' labels. */
  Map<String, Scalar> bases() {
    Map<String, Scalar> bases = new LinkedHashMap<>();
    wishes.forEach(
        (label, wish) ->
            bases.put(label, Scalar.of(wish.of(), knowing(Map.of(), wish.of()), text)));
    return bases;
  }

  /** Returns the requested functions of a name among {@link #bases}. */
  Basis.Wish wish(String label) {
    return Objects.requireNonNull(wishes.get(label));
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
        one.label(),
        smooth.levels == null
            ? List.of()
            : Objects.requireNonNull(levels.get(smooth.levels.label())).levels());
  }

  /** Returns whether a term is a factor that is coded as categorical features are. */
  private boolean isEncoded(int term) {
    int v = terms.get(term).nextSetBit(0);
    Factor factor = variables.get(v).factor;
    return terms.get(term).cardinality() == 1
        && factor != null
        && factor.isPlain()
        && contrasts.get(term).get(v);
  }

  /**
   * Returns the features that the terms become.
   *
   * @param levels of the factors that {@link #factors} asks for, by label
   * @param numbers of the functions that {@link #bases} asks for, by label
   * @param absent the columns of products and intervals that are left out
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
        String column = first.plain ? null : Objects.requireNonNull(first.factor).column();
        outputs.add(new Output(first.label(), FeatureKind.CATEGORICAL, null, column));
        continue;
      }
      if (places.length == 1 && first.plain && first.factor == null) {
        FeatureKind kind = first.of == null ? FeatureKind.VECTOR : FeatureKind.NUMERIC;
        outputs.add(new Output(first.label(), kind, null, null));
        continue;
      }
      Block product = null;
      List<String> labels = new ArrayList<>();
      for (int v : places) {
        Block block = block(variables.get(v), contrasts.get(t).get(v), levels, numbers, strict);
        product = product == null ? block : new Block.Product(product, block);
        labels.add(variables.get(v).label());
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
      List<Double> known = numbers.getOrDefault(margin.label(), List.of());
      margins.add(new PSpline(margin.size(), known, one.label()).columns(form));
    }
    if (form == PSpline.Form.MARGIN) {
      return new Smooth.Tensor(names, of.of, margins.get(0), margins.get(1));
    }
    if (of.by != null) {
      return new Smooth.Multiplied(names, of.of.get(0), margins.get(0), of.by);
    }
    FactorBlock by =
        of.levels == null ? null : (FactorBlock) block(of.levels, false, levels, numbers, strict);
    String column =
        of.smooth.margins().get(0).of() instanceof Expression.Name name ? name.name() : null;
    return new Smooth.OfOne(names, of.of.get(0), column, margins.get(0), by);
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
      Factor factor = factor(of, numbers);
      Feature feature = Objects.requireNonNull(levels.get(of.label()));
      boolean coded = byContrasts || factor.contrast() == Contrast.MONOTONIC;
      return new FactorBlock(feature, factor.of(), coded ? factor.contrast() : null, strict);
    }
    if (of.of == null) {
      throw Formula.wrong(
          text,
          "the column '%s' holds vectors and cannot be multiplied; name its elements in data.query"
              .formatted(of.label()));
    }
    return of.wish == null
        ? new Block.Numeric(of.label(), scalar(of, numbers))
        : new Block.Functions(
            of.label(), of.of, of.wish.from(numbers.getOrDefault(of.label(), List.of())));
  }

  /** Returns a number once the rows have shown what it depends on. */
  private Scalar scalar(Variable of, Map<String, List<Double>> known) {
    return of.plain
        ? Objects.requireNonNull(of.of)
        : Scalar.of(of.written, knowing(known, of.written), text);
  }
}
