package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.numeric.StableMath;

/** A number that is computed of the cells of a row; true is 1 and false is 0. */
@FunctionalInterface
interface Scalar extends Serializable {
  /** A function that can be sent. */
  @FunctionalInterface
  interface Function extends DoubleUnaryOperator, Serializable {}

  /** A function of two numbers that can be sent. */
  @FunctionalInterface
  interface Binary extends DoubleBinaryOperator, Serializable {}

  /** Functions of one number allowed in a formula, in addition to {@code I}. */
  Map<String, Function> FUNCTIONS =
      Map.ofEntries(
          Map.entry("log", Math::log),
          Map.entry("log2", x -> Math.log(x) / Math.log(2)),
          Map.entry("log10", Math::log10),
          Map.entry("log1p", Math::log1p),
          Map.entry("exp", Math::exp),
          Map.entry("expm1", Math::expm1),
          Map.entry("sqrt", Math::sqrt),
          Map.entry("abs", Math::abs),
          Map.entry("sin", Math::sin),
          Map.entry("cos", Math::cos),
          Map.entry("tan", Math::tan),
          Map.entry("floor", Math::floor),
          Map.entry("ceiling", Math::ceil),
          Map.entry("trunc", x -> x < 0 ? Math.ceil(x) : Math.floor(x)),
          Map.entry("round", Math::rint),
          Map.entry("sign", Math::signum),
          Map.entry("plogis", StableMath::sigmoid),
          Map.entry("qlogis", p -> Math.log(p) - Math.log1p(-p)),
          Map.entry("as.numeric", x -> x),
          Map.entry("as.integer", x -> x < 0 ? Math.ceil(x) : Math.floor(x)));

  /** Operators and functions of two numbers. */
  Map<String, Binary> BINARY =
      Map.ofEntries(
          Map.entry("+", (a, b) -> a + b),
          Map.entry("-", (a, b) -> a - b),
          Map.entry("*", (a, b) -> a * b),
          Map.entry("/", (a, b) -> a / b),
          Map.entry("^", Math::pow),
          Map.entry("%%", (a, b) -> a - Math.floor(a / b) * b),
          Map.entry("%/%", (a, b) -> Math.floor(a / b)),
          Map.entry("log", (a, b) -> Math.log(a) / Math.log(b)),
          Map.entry("round", Scalar::rounded),
          Map.entry("<", (a, b) -> truth(a, b, a < b)),
          Map.entry("<=", (a, b) -> truth(a, b, a <= b)),
          Map.entry(">", (a, b) -> truth(a, b, a > b)),
          Map.entry(">=", (a, b) -> truth(a, b, a >= b)),
          Map.entry("==", (a, b) -> truth(a, b, a == b)),
          Map.entry("!=", (a, b) -> truth(a, b, a != b)),
          Map.entry("&", (a, b) -> truth(a, b, a != 0 && b != 0)),
          Map.entry("&&", (a, b) -> truth(a, b, a != 0 && b != 0)),
          Map.entry("|", (a, b) -> truth(a, b, a != 0 || b != 0)),
          Map.entry("||", (a, b) -> truth(a, b, a != 0 || b != 0)));

  /** Operators whose result is true or false. */
  Set<String> TRUTHS = Set.of("<", "<=", ">", ">=", "==", "!=", "&", "&&", "|", "||", "!", "%in%");

  /** Functions of several numbers. */
  Map<String, Binary> SEVERAL = Map.of("pmin", Math::min, "pmax", Math::max);

  /**
   * Returns the number.
   *
   * @param cells the numbers of the row's columns, NaN for what is missing
   */
  double at(double[] cells);

  private static double truth(double a, double b, boolean is) {
    return Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : is ? 1 : 0;
  }

  private static double rounded(double x, double digits) {
    double unit = Math.pow(10, digits);
    return Math.rint(x * unit) / unit;
  }

  /** Returns whether an expression is true or false, as a comparison is. */
  static boolean isTruth(Expression expression) {
    return expression instanceof Expression.Literal literal
        ? literal.isTruth()
        : expression instanceof Expression.Call call
            && (TRUTHS.contains(call.function())
                || (Set.of("(", "I").contains(call.function())
                    && call.arguments().size() == 1
                    && isTruth(call.first())));
  }

  /**
   * Returns the computation of an expression.
   *
   * @param columns where it finds the columns
   * @throws UserException (usage) if it has an operator or a function that is not known
   */
  static Scalar of(Expression expression, Cells columns, String text) {
    if (expression instanceof Expression.Constant constant) {
      double value = constant.value();
      return cells -> value;
    }
    if (expression instanceof Expression.Literal literal) {
      double value = literal.value();
      return cells -> value;
    }
    if (expression instanceof Expression.Name name) {
      int at = columns.number(name.name());
      return cells -> cells[at];
    }
    if (!(expression instanceof Expression.Call call)) {
      throw Formula.wrong(text, "%s is a text, and a number is due".formatted(expression));
    }
    Scalar special = special(call, columns, text);
    if (special != null) {
      return special;
    }
    if (call.arguments().stream().anyMatch(Expression.Quoted.class::isInstance)
        || Smooth.is(call)) {
      throw UnknownFunction.of(call, text);
    }
    if (SEVERAL.containsKey(call.function()) && call.arguments().size() > 1) {
      Binary two = SEVERAL.get(call.function());
      return call.arguments().stream()
          .map(one -> Scalar.of(one, columns, text))
          .reduce((a, b) -> cells -> two.applyAsDouble(a.at(cells), b.at(cells)))
          .orElseThrow();
    }
    int count = call.arguments().size();
    Binary two = count == 2 ? BINARY.get(call.function()) : null;
    if (two != null) {
      Scalar a = of(call.first(), columns, text);
      Scalar b = of(call.second(), columns, text);
      return cells -> two.applyAsDouble(a.at(cells), b.at(cells));
    }
    if (count != 1) {
      throw UnknownFunction.of(call, text);
    }
    if (Set.of("(", "I", "+").contains(call.function())) {
      return of(call.first(), columns, text);
    }
    Function function =
        switch (call.function()) {
          case "-" -> x -> -x;
          case "!" -> x -> truth(x, x, x == 0);
          default -> FUNCTIONS.get(call.function());
        };
    if (function == null) {
      throw UnknownFunction.of(call, text);
    }
    Scalar x = of(call.first(), columns, text);
    return cells -> function.applyAsDouble(x.at(cells));
  }

  /** Returns what involves text, a condition, or what the rows show; null for all else. */
  private static @Nullable Scalar special(Expression.Call call, Cells columns, String text) {
    if (call.function().equals("ifelse")) {
      return choice(call, columns, text);
    }
    if (call.is("%in%", 2)) {
      return membership(call, columns, text);
    }
    if (call.is("==", 2) || call.is("!=", 2)) {
      Scalar same = sameText(call.first(), call.second(), columns);
      if (same != null) {
        return call.is("==", 2) ? same : cells -> 1 - same.at(cells);
      }
    }
    Basis.Wish wish = Basis.Wish.of(call, text);
    if (wish == null || wish.kind() != Basis.Kind.SCALE) {
      return null;
    }
    Scalar x = of(wish.of(), columns, text);
    List<Double> known = columns.learned(wish);
    if (known == null) {
      return x;
    }
    double center = known.get(0);
    double scale = known.get(1);
    return cells -> (x.at(cells) - center) / scale;
  }

  private static Scalar choice(Expression.Call call, Cells columns, String text) {
    if (call.arguments().size() != 3) {
      throw Formula.wrong(text, "'%s' is not ifelse(condition, yes, no)".formatted(call));
    }
    Scalar condition = of(call.first(), columns, text);
    Scalar yes = of(call.second(), columns, text);
    Scalar no = of(call.arguments().get(2), columns, text);
    return cells -> {
      double is = condition.at(cells);
      return Double.isNaN(is) ? is : is != 0 ? yes.at(cells) : no.at(cells);
    };
  }

  private static Scalar membership(Expression.Call call, Cells columns, String text) {
    List<Expression> of =
        call.second() instanceof Expression.Call list && list.function().equals("c")
            ? list.arguments()
            : List.of(call.second());
    List<Scalar> same = new ArrayList<>();
    for (Expression one : of) {
      Scalar is = sameText(call.first(), one, columns);
      if (is == null) {
        Scalar a = of(call.first(), columns, text);
        Scalar b = of(one, columns, text);
        is = cells -> truth(a.at(cells), b.at(cells), a.at(cells) == b.at(cells));
      }
      same.add(is);
    }
    return same.stream()
        .reduce((a, b) -> cells -> Math.max(a.at(cells), b.at(cells)))
        .orElseThrow();
  }

  /** Returns whether a column has a level; null if the two are no column and a text. */
  private static @Nullable Scalar sameText(Expression a, Expression b, Cells columns) {
    Expression column = a instanceof Expression.Quoted ? b : a;
    Expression level = a instanceof Expression.Quoted ? a : b;
    if (!(column instanceof Expression.Name name) || !(level instanceof Expression.Quoted quoted)) {
      return null;
    }
    int at = columns.isLevel(name.name(), quoted.text());
    return cells -> cells[at];
  }
}
