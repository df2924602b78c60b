package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of a call by the names of its parameters, matched as R does: those with a name first,
 * the others in order.
 *
 * @param given by parameter
 */
record Arguments(Map<String, Expression> given) {
  /** The parameter for what a function is of, which has no name in a call. */
  private static final String X = "x";

  /**
   * Matches the arguments of a call.
   *
   * @param parameters in order; {@code x} is the first one
   * @return null if they do not match, or x is missing
   */
  static @Nullable Arguments of(Expression.Call call, List<String> parameters) {
    Map<String, Expression> given = new LinkedHashMap<>();
    for (int k = 0; k < call.arguments().size(); k++) {
      String name = call.names().get(k);
      if (!name.isEmpty()
          && (!parameters.contains(name) || given.put(name, call.arguments().get(k)) != null)) {
        return null;
      }
    }
    List<String> left = new ArrayList<>(parameters);
    left.removeAll(given.keySet());
    for (int k = 0; k < call.arguments().size(); k++) {
      if (call.names().get(k).isEmpty()) {
        if (left.isEmpty()) {
          return null;
        }
        given.put(left.remove(0), call.arguments().get(k));
      }
    }
    return given.containsKey(X) ? new Arguments(given) : null;
  }

  /** Functions whose first argument alone names columns. */
  private static final Set<String> OF_FIRST = Set.of("poly", "bs", "ns", "scale");

  /** Returns the arguments of a call in which columns are named. */
  static List<Expression> ofColumns(Expression.Call call) {
    if (OF_FIRST.contains(call.function()) || Factor.FUNCTIONS.contains(call.function())) {
      int named = call.names().indexOf(X);
      int first = named >= 0 ? named : call.names().indexOf("");
      return first < 0 ? List.of() : List.of(call.arguments().get(first));
    }
    if (!Smooth.is(call)) {
      return call.arguments();
    }
    List<Expression> columns = new ArrayList<>();
    for (int k = 0; k < call.arguments().size(); k++) {
      if (call.names().get(k).isEmpty() || call.names().get(k).equals("by")) {
        columns.add(call.arguments().get(k));
      }
    }
    return columns;
  }

  /** Returns what the function is of. */
  Expression x() {
    Expression x = given.get(X);
    if (x == null) {
      throw new IllegalStateException("no x");
    }
    return x;
  }

  boolean has(String parameter) {
    return given.containsKey(parameter);
  }

  /** Returns a whole number in a range; null if there is none. */
  @Nullable Double whole(String parameter, int least, int most) {
    Double value = number(given.get(parameter));
    boolean good = value != null && value >= least && value <= most && value == Math.rint(value);
    return good ? value : null;
  }

  /** Returns a truth; null if it is given and is none. T and F are truths here. */
  @Nullable Boolean truth(String parameter, boolean byDefault) {
    Expression value = given.get(parameter);
    if (value == null) {
      return byDefault;
    }
    return switch (value.label()) {
      case "TRUE", "T" -> true;
      case "FALSE", "F" -> false;
      default -> null;
    };
  }

  /** Returns a number, or those of {@code c()} or {@code seq()}; null if there is none. */
  @Nullable List<Double> numbers(String parameter) {
    Expression value = given.get(parameter);
    if (value instanceof Expression.Call call && call.function().equals("seq")) {
      return sequence(call);
    }
    List<Double> numbers = new ArrayList<>();
    for (Expression one : list(value)) {
      Double number = number(one);
      if (number == null) {
        return null;
      }
      numbers.add(number);
    }
    return value == null ? null : numbers;
  }

  /** Returns texts, numbers among them as text; null if there are none. */
  @Nullable List<String> texts(String parameter) {
    Expression value = given.get(parameter);
    List<String> texts = new ArrayList<>();
    for (Expression one : list(value)) {
      if (one instanceof Expression.Quoted quoted) {
        texts.add(quoted.text());
      } else if (number(one) != null || one instanceof Expression.Literal) {
        texts.add(one.toString());
      } else {
        return null;
      }
    }
    return value == null ? null : texts;
  }

  private static List<Expression> list(@Nullable Expression value) {
    return value instanceof Expression.Call call && call.function().equals("c")
        ? call.arguments()
        : value == null ? List.of() : List.of(value);
  }

  private static @Nullable List<Double> sequence(Expression.Call call) {
    Arguments of = of(call, List.of(X, "to", "by"));
    Double from = of == null ? null : number(of.x());
    Double to = of == null ? null : number(of.given.get("to"));
    Double by = of == null || !of.has("by") ? Double.valueOf(1) : number(of.given.get("by"));
    if (from == null || to == null || by == null || !(by > 0) || !((to - from) / by < 10_000)) {
      return null;
    }
    List<Double> numbers = new ArrayList<>();
    for (int k = 0; from + k * by <= to + 1e-10 * (to - from); k++) {
      numbers.add(from + k * by);
    }
    return numbers;
  }

  private static @Nullable Double number(@Nullable Expression value) {
    if (value instanceof Expression.Constant constant) {
      return constant.value();
    }
    if (value instanceof Expression.Literal literal && !literal.isTruth()) {
      return literal.value();
    }
    if (value instanceof Expression.Call call && call.is("-", 1)) {
      Double positive = number(call.first());
      return positive == null ? null : Double.valueOf(-positive);
    }
    return null;
  }

  /** Returns whether numbers are finite and each is larger than the one before. */
  static boolean areAscending(List<Double> numbers) {
    for (int k = 0; k < numbers.size(); k++) {
      if (!Double.isFinite(numbers.get(k)) || (k > 0 && !(numbers.get(k) > numbers.get(k - 1)))) {
        return false;
      }
    }
    return !numbers.isEmpty();
  }
}
