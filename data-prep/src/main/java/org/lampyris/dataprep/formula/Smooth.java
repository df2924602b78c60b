package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.SharedScale;
import org.lampyris.dataprep.formula.Block.FactorBlock;
import org.lampyris.executors.table.TableSchema;

/**
 * A penalised smooth that a formula asks for: {@code s(x, k = 10)}, {@code s(x, by = f)} or {@code
 * t2(x, z, k = 5)}, with P-splines.
 *
 * <p>The names are those of brms: {@code sx_1} for the first unpenalised column, {@code s_sx_1[j]}
 * for the j-th penalised one, {@code sds_sx_1} for the standard deviation that these share.
 *
 * @param function s or t2
 * @param margins the numbers that it is a function of, each with its k
 * @param by a factor, which gives every level a smooth of its own, or a number, which multiplies
 *     the smooth; null for none
 */
record Smooth(String function, List<Basis.Wish> margins, @Nullable Expression by)
    implements Serializable {
  private static final int MOST = 100;
  private static final int MOST_COLUMNS = 100_000;
  private static final int DEFAULT = 10;

  /** As in mgcv, a margin of a product has fewer splines. */
  private static final int DEFAULT_MARGIN = 5;

  private static final Set<String> FUNCTIONS = Set.of("s", "t2");

  Smooth {
    margins = List.copyOf(margins);
  }

  /** Returns whether a variable is a smooth. */
  static boolean is(Expression variable) {
    return variable instanceof Expression.Call call && FUNCTIONS.contains(call.function());
  }

  /**
   * Returns what a call asks for; null if it is of another function.
   *
   * @throws UserException (usage) if an argument is wrong, with what to write
   */
  static @Nullable Smooth of(Expression variable, String text) {
    if (!(variable instanceof Expression.Call call) || !FUNCTIONS.contains(call.function())) {
      return null;
    }
    boolean tensor = call.function().equals("t2");
    List<Expression> numbers = new ArrayList<>();
    Expression k = null;
    Expression by = null;
    for (int a = 0; a < call.arguments().size(); a++) {
      Expression given = call.arguments().get(a);
      String name = call.names().get(a);
      if (name.equals("by") && by == null && !tensor) {
        by = given;
      } else if (k == null
          && (name.equals("k")
              || (name.isEmpty() && a == 1 && given instanceof Expression.Constant && !tensor))) {
        k = given;
      } else if (name.equals("bs")) {
        requirePSpline(call, given, text);
      } else if (name.isEmpty() && numbers.size() < 2 && !(given instanceof Expression.Constant)) {
        numbers.add(given);
      } else {
        throw wrong(call, text);
      }
    }
    if (!tensor && numbers.size() == 2) {
      throw Formula.wrong(
          text,
          "'%s' is a smooth of two columns; write t2(%s, %s)"
              .formatted(call, numbers.get(0), numbers.get(1)));
    }
    if (numbers.size() != (tensor ? 2 : 1)) {
      throw wrong(call, text);
    }
    if (by != null && !isColumn(by)) {
      throw Formula.wrong(
          text, "by in '%s' is no column; write by = f or by = factor(f)".formatted(call));
    }
    if (tensor && numbers.get(0).equals(numbers.get(1))) {
      throw Formula.wrong(
          text, "'%s' names one column twice; write s(%s)".formatted(call, numbers.get(0)));
    }
    int[] sizes = sizes(call, k, numbers.size(), text);
    return new Smooth(
        call.function(),
        IntStream.range(0, sizes.length)
            .mapToObj(i -> new Basis.Wish(numbers.get(i), Basis.Kind.PENALIZED, sizes[i]))
            .toList(),
        by);
  }

  private static boolean isColumn(Expression by) {
    return by instanceof Expression.Name
        || (by instanceof Expression.Call call
            && Factor.FACTORS.contains(call.function())
            && call.arguments().size() == 1
            && call.first() instanceof Expression.Name);
  }

  private static void requirePSpline(Expression.Call call, Expression bs, String text) {
    if (bs.equals(new Expression.Quoted("ps"))) {
      return;
    }
    boolean effects = bs.equals(new Expression.Quoted("re")) && !call.arguments().isEmpty();
    throw Formula.wrong(
        text,
        "bs = %s in '%s' is not available; %s"
            .formatted(
                bs,
                call,
                effects
                    ? "write (1 | %s)".formatted(call.first())
                    : "write bs = \"ps\", a P-spline, or leave bs out"));
  }

  private static int[] sizes(
      Expression.Call call, @Nullable Expression k, int margins, String text) {
    List<Expression> given = k == null ? List.of() : List.of(k);
    if (k instanceof Expression.Call list && list.function().equals("c")) {
      given = list.arguments();
    }
    if (given.size() > 1 && given.size() != margins) {
      throw wrong(call, text);
    }
    int[] sizes = new int[margins];
    for (int i = 0; i < margins; i++) {
      Expression one =
          given.isEmpty()
              ? new Expression.Constant(margins == 1 ? DEFAULT : DEFAULT_MARGIN)
              : given.get(given.size() == 1 ? 0 : i);
      if (!(one instanceof Expression.Constant constant)
          || constant.value() != Math.rint(constant.value())
          || !(constant.value() >= PSpline.LEAST && constant.value() <= MOST)) {
        throw wrong(call, text);
      }
      sizes[i] = (int) constant.value();
    }
    return sizes;
  }

  private static UserException wrong(Expression.Call call, String text) {
    return Formula.wrong(
        text,
        "'%s' is not %s, k from %d to %d"
            .formatted(
                call,
                call.function().equals("t2")
                    ? "t2(x, z), t2(x, z, k = 5) or t2(x, z, k = c(5, 8))"
                    : "s(x), s(x, k = 10) or s(x, by = f)",
                PSpline.LEAST,
                MOST));
  }

  /** Returns the smooth as mgcv calls it: s(x), s(x):z or t2(x, z), without a factor's level. */
  String label() {
    return margins.stream()
            .map(one -> one.of().label())
            .collect(Collectors.joining(", ", function + "(", ")"))
        + (by == null ? "" : ":" + by.label());
  }

  /** Returns a text as brms has it in names of parameters. */
  private static String renamed(String text) {
    return text.replaceAll("[ ()\\[\\],\"'?`]", "")
        .replace("+", "P")
        .replace("-", "M")
        .replace("*", "MU")
        .replace("/", "D")
        .replace("^", "E");
  }

  /**
   * Returns how the columns are called and which share a scale.
   *
   * @param term the term as it stands in the formula
   * @param levels of the factor that it is by; empty if there is none, one smooth for each
   * @throws UserException (data) if there are too many levels
   */
  List<TableSchema.Smooth> listed(String term, List<String> levels) {
    if ((long) levels.size() * margins.get(0).size() > MOST_COLUMNS) {
      throw UserException.data(
          Text.of(
              "%s in model.formula has a smooth for each of %,d levels, which are over %,d columns; let a coefficient vary by level, (1 + %s | %s).",
              term,
              levels.size(),
              MOST_COLUMNS,
              margins.get(0).of(),
              by == null ? "" : String.join("", Formula.namesIn(by))));
    }
    return levels.isEmpty()
        ? List.of(ofLevel(term, null))
        : levels.stream().map(level -> ofLevel(term, level)).toList();
  }

  private TableSchema.Smooth ofLevel(String term, @Nullable String level) {
    String suffix = level == null ? "" : level;
    String column = renamed(label() + suffix);
    String scale = renamed(label().replace(":", "") + suffix);
    int k = margins.get(0).size();
    int other = margins.get(margins.size() - 1).size();
    boolean tensor = margins.size() == 2;
    int free = tensor ? 3 : by != null && level == null ? 2 : 1;
    int[] groups =
        tensor
            ? new int[] {(k - 2) * (other - 2), 2 * (other - 2), 2 * (k - 2)}
            : new int[] {k - 2};
    List<String> names = new ArrayList<>();
    for (int j = 1; j <= free; j++) {
      names.add(column + "_" + j);
    }
    List<SharedScale> scales = new ArrayList<>();
    for (int g = 1; g <= groups.length; g++) {
      String name = "s_" + scale + "_" + g;
      List<String> penalized =
          IntStream.rangeClosed(1, groups[g - 1]).mapToObj(j -> name + "[" + j + "]").toList();
      names.addAll(penalized);
      scales.add(new SharedScale("sds_" + scale + "_" + g, penalized));
    }
    return new TableSchema.Smooth(
        label() + suffix,
        term,
        margins.stream().map(one -> one.of().label()).toList(),
        by == null ? null : by.label(),
        level,
        names,
        scales);
  }

  /**
   * s(x) and s(x, by = f), whose smooth of a level is 0 in rows of other levels.
   *
   * @param column the table's column that x is; null where x is computed
   */
  record OfOne(
      List<String> names,
      Scalar of,
      @Nullable String column,
      PSpline.Columns columns,
      @Nullable FactorBlock by)
      implements Block {
    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      double x = of.at(cells);
      int count = by == null ? 1 : by.write(row, cells, index, value);
      if (Double.isNaN(x) || count == NONE) {
        return NONE;
      }
      int first = by == null ? 0 : index[0] * columns.size();
      columns.write(x, value);
      for (int k = 0; k < columns.size(); k++) {
        index[k] = first + k;
      }
      return columns.size();
    }
  }

  /** s(x, by = z): z, which is z times the constant, and z times every other function. */
  record Multiplied(List<String> names, Scalar of, PSpline.Columns columns, Scalar by)
      implements Block {
    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      double x = of.at(cells);
      double z = by.at(cells);
      if (Double.isNaN(x) || Double.isNaN(z)) {
        return NONE;
      }
      columns.write(x, value);
      for (int k = columns.size(); k >= 0; k--) {
        index[k] = k;
        value[k] = k == 0 ? z : z * value[k - 1];
      }
      return columns.size() + 1;
    }
  }

  /**
   * t2(x, z): with the linear columns u and v and the penalised ones p and q of the margins, first
   * u, v and uv without a penalty, then the three groups p × q, (1, u) × q and p × (1, v) as mgcv's
   * {@code t2} with {@code full = FALSE} orders them, the second factor's index running faster.
   *
   * <p>Only the constant is left out. mgcv centres u, v and uv besides, which moves the intercept
   * alone. It also divides all penalised columns by the largest row sum in the table, which is
   * another unit of the standard deviations.
   *
   * <p>Source: Wood, Scheipl and Faraway (2013), "Straightforward intermediate rank tensor product
   * smoothing in mixed models".
   */
  record Tensor(List<String> names, List<Scalar> of, PSpline.Columns left, PSpline.Columns right)
      implements Block {
    @Override
    public int write(Row row, double[] cells, int[] index, double[] value) {
      double x = of.get(0).at(cells);
      double z = of.get(1).at(cells);
      if (Double.isNaN(x) || Double.isNaN(z)) {
        return NONE;
      }
      double[] a = new double[left.size()];
      double[] b = new double[right.size()];
      left.write(x, a);
      right.write(z, b);
      int at = 0;
      value[at++] = a[0];
      value[at++] = b[0];
      value[at++] = a[0] * b[0];
      for (int i = 1; i < a.length; i++) {
        for (int j = 1; j < b.length; j++) {
          value[at++] = a[i] * b[j];
        }
      }
      for (int i = 0; i < 2; i++) {
        for (int j = 1; j < b.length; j++) {
          value[at++] = (i == 0 ? 1 : a[0]) * b[j];
        }
      }
      for (int i = 1; i < a.length; i++) {
        value[at++] = a[i];
        value[at++] = a[i] * b[0];
      }
      for (int k = 0; k < at; k++) {
        index[k] = k;
      }
      return at;
    }
  }
}
