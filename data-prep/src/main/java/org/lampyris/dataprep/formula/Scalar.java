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

  /** The functions of one number that a formula may have, besides {@code I}. */
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
   * Returns what an expression computes.
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
    Expression.Call call = (Expression.Call) expression;
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

  private static UserException unknown(Expression.Call call, String text) {
    boolean operator =
        Expression.SPACED.contains(call.function()) || Expression.CLOSE.contains(call.function());
    return UserException.usage(
        "model.formula \"%s\": %s in '%s'; %s; compute it in data.query."
            .formatted(
                text,
                operator
                    ? "there is no operator " + call.function() + " of numbers"
                    : "there is no function %s of %d arguments"
                        .formatted(call.function(), call.arguments().size()),
                call,
                operator
                    ? "there are + - * / ^"
                    : NearestName.hint(call.function(), FUNCTIONS.keySet())));
  }
}
