package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;

/** A number that is computed of the numbers of a row. */
@FunctionalInterface
interface Scalar extends Serializable {
  /** A function that can be sent. */
  @FunctionalInterface
  interface Function extends DoubleUnaryOperator, Serializable {}

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
          Map.entry("floor", Math::floor),
          Map.entry("ceiling", Math::ceil));

  /**
   * Returns the number.
   *
   * @param cells the numbers of the row's columns, NaN for what is missing
   */
  double at(double[] cells);

  /**
   * Returns the computation of an expression.
   *
   * @param columns the columns that {@code cells} will be of
   * @throws UserException (usage) if it has an operator or a function that is not known
   */
  static Scalar of(Expression expression, List<String> columns, String text) {
    if (expression instanceof Expression.Constant constant) {
      double value = constant.value();
      return cells -> value;
    }
    if (expression instanceof Expression.Name name) {
      int at = columns.indexOf(name.name());
      return cells -> cells[at];
    }
    if (!(expression instanceof Expression.Call call)) {
      throw Formula.wrong(text, "%s is a text, and a number is due".formatted(expression));
    }
    if (call.arguments().stream().anyMatch(Expression.Quoted.class::isInstance)
        || Smooth.is(call)) {
      throw unknown(call, text);
    }
    List<Scalar> of = call.arguments().stream().map(one -> Scalar.of(one, columns, text)).toList();
    if (of.size() == 2) {
      return binary(call, of.get(0), of.get(1), text);
    }
    if (of.size() != 1) {
      throw unknown(call, text);
    }
    Scalar x = of.get(0);
    if (Set.of("(", "I", "+").contains(call.function())) {
      return x;
    }
    if (call.function().equals("-")) {
      return cells -> -x.at(cells);
    }
    Function function = FUNCTIONS.get(call.function());
    if (function == null) {
      throw unknown(call, text);
    }
    return cells -> function.applyAsDouble(x.at(cells));
  }

  private static Scalar binary(Expression.Call call, Scalar a, Scalar b, String text) {
    return switch (call.function()) {
      case "+" -> cells -> a.at(cells) + b.at(cells);
      case "-" -> cells -> a.at(cells) - b.at(cells);
      case "*" -> cells -> a.at(cells) * b.at(cells);
      case "/" -> cells -> a.at(cells) / b.at(cells);
      case "^" -> cells -> Math.pow(a.at(cells), b.at(cells));
      case "log" -> cells -> Math.log(a.at(cells)) / Math.log(b.at(cells));
      default -> throw unknown(call, text);
    };
  }

  /** The functions that make a column, or several, of one. */
  List<String> OF_COLUMNS = List.of("I", "factor", "as.factor", "poly", "s", "t2", "bs", "offset");

  /** Replacements for unsupported functions of R, its packages or Python. */
  Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry(
              "scale",
              "remove it, because model.prior adapts to the column's scale by default; or compute"
                  + " (x - AVG(x) OVER ()) / STDDEV(x) OVER () AS z"),
          Map.entry("ns", "write bs(x, df = k), k cubic B-splines"),
          Map.entry("rcs", "write bs(x, df = k), k cubic B-splines"),
          Map.entry("cut", "compute CASE WHEN x < 1 THEN 'low' ELSE 'high' END AS band"),
          Map.entry("C", "write factor(x), and set its reference in data.categorical.x.reference"),
          Map.entry("relevel", "name the level in data.categorical.x.reference"),
          Map.entry("ordered", "write factor(x), or compute a number for each level"),
          Map.entry("mo", "write factor(x), or compute a number for each level"),
          Map.entry(
              "cbind",
              "set model.family: binomial, with the successes before ~ and the trials in"
                  + " model.trials"),
          Map.entry("te", "write t2(x, z)"),
          Map.entry("ti", "write t2(x, z)"),
          Map.entry("pmin", "compute LEAST(x, 5) AS x5"),
          Map.entry("pmax", "compute GREATEST(x, 5) AS x5"),
          Map.entry("ifelse", "compute CASE WHEN x > 0 THEN 1 ELSE 0 END AS positive"),
          Map.entry("interaction", "write a:b"),
          Map.entry("as.numeric", "compute CAST(x AS DOUBLE) AS number"),
          Map.entry("weights", "set data.weight to the column"));

  /** Returns whether a function with this name exists, for any arguments. */
  static boolean isKnown(String function) {
    return FUNCTIONS.containsKey(function) || OF_COLUMNS.contains(function);
  }

  /**
   * Returns the error about an unknown function.
   *
   * @param where its context, or its number of arguments, for the message
   */
  static UserException unknownFunction(String function, String where, String text) {
    String instead =
        INSTEAD.getOrDefault(
            function,
            NearestName.of(function, FUNCTIONS.keySet())
                .map("did you mean %s? Or compute it"::formatted)
                .orElse("compute it"));
    boolean query = instead.contains("compute");
    return UserException.usage(
        "model.formula \"%s\": there is no function %s%s; %s%s. There are %s of numbers, and %s."
            .formatted(
                Formula.shown(text),
                function,
                where,
                instead,
                query ? " in data.query" : "",
                String.join(", ", FUNCTIONS.keySet().stream().sorted().toList()),
                String.join(", ", OF_COLUMNS)));
  }

  private static UserException unknown(Expression.Call call, String text) {
    boolean operator =
        Expression.SPACED.contains(call.function()) || Expression.CLOSE.contains(call.function());
    if (!operator) {
      String arguments =
          isKnown(call.function()) ? " of %d arguments".formatted(call.arguments().size()) : "";
      return unknownFunction(call.function(), arguments + ", as in '" + call + "'", text);
    }
    return UserException.usage(
        "model.formula \"%s\": there is no operator %s for numbers in '%s'; use + - * / ^, or compute it in data.query."
            .formatted(Formula.shown(text), call.function(), call));
  }
}
