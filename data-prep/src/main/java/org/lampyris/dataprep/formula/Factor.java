package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.design.LevelChoice;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.executors.table.TableSchema.Feature;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/**
 * A variable with levels: a column, or what a formula makes of columns, as {@code factor(x)},
 * {@code relevel(f, "b")}, {@code C(f, sum)}, {@code cut(x, 3)}, {@code I(x > 3)} or {@code
 * ifelse(x > 3, "high", "low")}.
 *
 * @param label as it is written
 * @param column the column whose cells are its levels; null if they are computed
 * @param of the level of a row
 * @param order the levels in order; null for those that occur, by number or text
 * @param reference the level without a column; null for the first
 * @param contrast how it is coded
 */
record Factor(
    String label,
    @Nullable String column,
    LevelOf of,
    @Nullable List<String> order,
    @Nullable String reference,
    Contrast contrast)
    implements Serializable {
  /** The functions that make a factor of a column, as categorical features are. */
  static final Set<String> FACTORS = Set.of("factor", "as.factor");

  /** The function of a monotonic effect of a column of whole numbers, or of ordered levels. */
  private static final String MONOTONIC = "mo";

  /** The functions whose first argument alone names columns. */
  static final Set<String> FUNCTIONS =
      Set.of("factor", "as.factor", "ordered", "relevel", "C", "cut", MONOTONIC);

  /** Whole numbers, as levels have them. */
  private static final String WHOLE = "-?\\d{1,15}";

  private static final String FALSE = "FALSE";
  private static final String TRUE = "TRUE";

  /** Level of a row. */
  @FunctionalInterface
  interface LevelOf extends Serializable {
    /**
     * Returns the level; null if a value is missing.
     *
     * @param cells the numbers of the row's columns. Not modified.
     */
    @Nullable String at(Row row, double[] cells);
  }

  /** Returns the factor of a column. */
  static Factor of(String column, LevelOf of) {
    return new Factor(column, column, of, null, null, Contrast.TREATMENT);
  }

  /**
   * Returns the factor of an expression; null if it is another kind of variable.
   *
   * @throws UserException (usage) if it is a factor with a wrong argument
   */
  static @Nullable Factor of(Expression expression, Cells columns, String text) {
    String label = expression.toString();
    if (Scalar.isTruth(expression)) {
      Scalar truth = Scalar.of(expression, columns, text);
      return new Factor(
          label,
          null,
          (row, cells) -> {
            double is = truth.at(cells);
            return Double.isNaN(is) ? null : is != 0 ? TRUE : FALSE;
          },
          List.of(FALSE, TRUE),
          null,
          Contrast.TREATMENT);
    }
    if (!(expression instanceof Expression.Call call)) {
      return null;
    }
    LevelOf chosen = text(call, columns, text);
    if (chosen != null) {
      return new Factor(label, null, chosen, null, null, Contrast.TREATMENT);
    }
    return switch (call.function()) {
      case "factor", "as.factor", "ordered" -> made(call, columns, text);
      case "relevel" -> releveled(call, columns, text);
      case "C" -> coded(call, columns, text);
      case MONOTONIC -> monotonic(call, columns, text);
      case "cut" -> cut(call, columns, text);
      default -> null;
    };
  }

  /** Returns the factor that a function is of: a column's, or another function's. */
  private static @Nullable Factor inner(Expression of, Cells columns, String text) {
    if (isMonotonic(of)) {
      throw UnknownFunction.of((Expression.Call) of, text);
    }
    return of instanceof Expression.Name name
        ? of(name.name(), columns.level(name.name()))
        : of(of, columns, text);
  }

  private Factor as(
      Expression.Call call,
      @Nullable List<String> levels,
      @Nullable String first,
      Contrast coding) {
    return new Factor(call.toString(), column, of, levels, first, coding);
  }

  private static Factor made(Expression.Call call, Cells columns, String text) {
    boolean ordered = call.function().equals("ordered");
    Arguments given = Arguments.of(call, List.of("x", "levels", "labels"));
    Factor inner = given == null ? null : inner(given.x(), columns, text);
    List<String> levels = given == null ? null : given.texts("levels");
    List<String> labels = given == null ? null : given.texts("labels");
    if (inner == null
        || given == null
        || given.has("levels") != (levels != null)
        || given.has("labels") != (labels != null)
        || (labels != null && (levels == null || labels.size() != levels.size()))
        || (levels != null && new HashSet<>(levels).size() < levels.size())) {
      throw Formula.wrong(
          text,
          "'%s' is not %s(x), x a column of numbers or text%s"
              .formatted(
                  call,
                  call.function(),
                  call.arguments().size() > 1
                      ? ", with levels = c(\"low\", \"high\"), and labels = c(…) beside levels"
                      : ""));
    }
    Contrast contrast = ordered ? Contrast.POLY : inner.contrast;
    if (levels == null) {
      return inner.as(call, inner.order, inner.reference, contrast);
    }
    Map<String, String> names = new HashMap<>();
    for (int k = 0; k < levels.size(); k++) {
      names.put(levels.get(k), labels == null ? levels.get(k) : labels.get(k));
    }
    LevelOf before = inner.of;
    return new Factor(
        call.toString(),
        inner.column,
        (row, cells) -> names.get(before.at(row, cells)),
        labels == null ? levels : labels.stream().distinct().toList(),
        null,
        contrast);
  }

  private static Factor releveled(Expression.Call call, Cells columns, String text) {
    Arguments given = Arguments.of(call, List.of("x", "ref"));
    Factor inner = given == null ? null : inner(given.x(), columns, text);
    List<String> first = given == null ? null : given.texts("ref");
    if (inner == null || first == null || first.size() != 1) {
      throw Formula.wrong(
          text,
          "'%s' is not relevel(f, ref = \"b\"), f a column of numbers or text".formatted(call));
    }
    return inner.as(call, inner.order, first.get(0), inner.contrast);
  }

  private static Factor coded(Expression.Call call, Cells columns, String text) {
    Arguments given = Arguments.of(call, List.of("x", "contr"));
    Factor inner = given == null ? null : inner(given.x(), columns, text);
    Contrast contrast =
        given == null || !given.has("contr")
            ? Contrast.TREATMENT
            : Contrast.of(given.given().get("contr"));
    if (inner == null || contrast == null) {
      throw Formula.wrong(
          text,
          "'%s' is not C(f, sum), C(f, helmert), C(f, poly) or C(f, treatment), f a column of numbers or text"
              .formatted(call));
    }
    return inner.as(call, inner.order, inner.reference, contrast);
  }

  /** Returns whether a variable is {@code mo(x)}. */
  static boolean isMonotonic(Expression variable) {
    return variable instanceof Expression.Call call && call.function().equals(MONOTONIC);
  }

  private static Factor monotonic(Expression.Call call, Cells columns, String text) {
    Expression x = call.arguments().size() == 1 ? call.first() : call;
    boolean ordered = x instanceof Expression.Call of && of.function().equals("ordered");
    Factor inner = x instanceof Expression.Name || ordered ? inner(x, columns, text) : null;
    if (inner == null || (ordered && inner.order == null)) {
      throw Formula.wrong(
          text,
          "'%s' is not mo(x), x a column of whole numbers, or mo(ordered(x, levels = c(\"low\", \"high\")))"
              .formatted(call));
    }
    return inner.as(call, inner.order, null, Contrast.MONOTONIC);
  }

  /**
   * Refuses levels that are no whole numbers, one after the other.
   *
   * @param place the place of the first row of a level, as a clause
   */
  void requireSteps(List<String> levels, UnaryOperator<String> place) {
    if (contrast != Contrast.MONOTONIC) {
      return;
    }
    Long before = null;
    for (String level : order == null ? levels : List.<String>of()) {
      requireWhole(level, place);
      long number = Long.parseLong(level);
      if (before != null && number > before + 1) {
        throw UserException.data(
            "%s in model.formula: no row has a number between %s and %s. Number the levels without gaps in data.query, as by DENSE_RANK."
                .formatted(label, before, level));
      }
      before = number;
    }
    if (levels.size() < 2) {
      throw UserException.data(
          "%s in model.formula has one level, '%s', in every row. Remove it from the formula."
              .formatted(label, String.join("", levels)));
    }
  }

  /** Refuses a level of a monotonic effect of numbers that is none; see {@link #requireSteps}. */
  void requireWhole(String level, UnaryOperator<String> place) {
    if (contrast == Contrast.MONOTONIC && order == null && !level.matches(WHOLE)) {
      Object instead = column == null ? label : new Expression.Name(column);
      throw UserException.data(
          "%s in model.formula: '%s' is no whole number%s. Write mo(ordered(%s, levels = c(…))), with all levels in order."
              .formatted(label, level, place.apply(level), instead));
    }
  }

  private static Factor cut(Expression.Call call, Cells columns, String text) {
    Cut cut = Cut.of(call, text);
    Scalar x = Scalar.of(cut.of(), columns, text);
    Basis.Wish wish = Cut.wish(call, text);
    List<Double> ends = wish == null ? cut.breaks() : columns.learned(wish);
    if (ends == null) {
      // The rows decide: nothing is known before they are read.
      return new Factor(
          call.toString(), null, (row, cells) -> null, null, null, Contrast.TREATMENT);
    }
    List<String> levels = cut.levels(ends);
    return new Factor(
        call.toString(),
        null,
        (row, cells) -> {
          int interval = cut.interval(x.at(cells), ends);
          return interval < 0 ? null : levels.get(interval);
        },
        levels.stream().distinct().toList(),
        null,
        Contrast.TREATMENT);
  }

  /** Returns the text that {@code ifelse} chooses; null for what is no text. */
  private static @Nullable LevelOf text(Expression expression, Cells columns, String text) {
    if (expression instanceof Expression.Quoted quoted) {
      String level = quoted.text();
      return (row, cells) -> level;
    }
    if (!(expression instanceof Expression.Call call)
        || !call.function().equals("ifelse")
        || call.arguments().size() != 3) {
      return null;
    }
    LevelOf yes = text(call.second(), columns, text);
    LevelOf no = text(call.arguments().get(2), columns, text);
    if (yes == null && no == null) {
      return null;
    }
    LevelOf first = yes == null ? column(call.second(), columns, text) : yes;
    LevelOf second = no == null ? column(call.arguments().get(2), columns, text) : no;
    Scalar condition = Scalar.of(call.first(), columns, text);
    return (row, cells) -> {
      double is = condition.at(cells);
      return Double.isNaN(is) ? null : (is != 0 ? first : second).at(row, cells);
    };
  }

  private static LevelOf column(Expression of, Cells columns, String text) {
    if (!(of instanceof Expression.Name name)) {
      throw Formula.wrong(
          text, "'%s' is no text, and the other choice of ifelse is one".formatted(of));
    }
    return columns.level(name.name());
  }

  /** Returns whether it is coded as categorical features are: by the levels of a column. */
  boolean isPlain() {
    return column != null && order == null && reference == null && contrast == Contrast.TREATMENT;
  }

  /**
   * Returns the levels that occur, in order.
   *
   * @param counts how often each occurs; empty if its levels are computed of what rows have shown
   * @param wish how its column is encoded
   * @throws UserException if there are none, or the reference is none of them
   */
  Feature levels(Map<String, Long> counts, Categorical wish) {
    if (contrast == Contrast.MONOTONIC && order == null) {
      return LevelChoice.of(label, counts, Categorical.DEFAULT);
    }
    if (order == null) {
      Feature found =
          LevelChoice.of(label, counts, reference == null ? wish : wish.withReference(reference));
      return reference == null ? found : feature(first(found.levels()), reference, found.other());
    }
    List<String> levels =
        first(counts.isEmpty() ? order : order.stream().filter(counts::containsKey).toList());
    String first = reference == null ? wish.reference() : reference;
    if (first != null && !levels.contains(first)) {
      throw UserException.data(
          "%s in model.formula has no level '%s'; %s"
              .formatted(label, first, NearestName.hint(first, levels)));
    }
    return feature(levels, first == null ? levels.get(0) : first, null);
  }

  private Feature feature(List<String> levels, String first, @Nullable String other) {
    return new Feature(label, FeatureKind.CATEGORICAL, 1, levels, first, other);
  }

  /** Returns the levels with the reference first, as R's relevel does. */
  private List<String> first(List<String> levels) {
    return reference == null || !levels.contains(reference)
        ? levels
        : Stream.concat(
                Stream.of(reference), levels.stream().filter(level -> !level.equals(reference)))
            .toList();
  }

  /**
   * Returns the column at the bottom of nested functions of factors; null for other expressions.
   */
  static @Nullable String columnOf(Expression expression) {
    if (expression instanceof Expression.Name name) {
      return name.name();
    }
    return expression instanceof Expression.Call call
            && FUNCTIONS.contains(call.function())
            && !call.function().equals("cut")
            && !call.arguments().isEmpty()
        ? columnOf(call.first())
        : null;
  }
}
