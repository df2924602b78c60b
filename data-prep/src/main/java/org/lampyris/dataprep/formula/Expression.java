package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Part of a formula as written. Its text is the one that R's {@code deparse} gives. */
sealed interface Expression extends Serializable {
  /** Operators written with spaces around them. */
  Set<String> SPACED =
      Set.of("+", "-", "*", "|", "||", "&", "&&", "%in%", "~", "<", "<=", ">", ">=", "==", "!=");

  /** Operators written without spaces. */
  Set<String> CLOSE = Set.of("^", ":", "/", "!", "%%", "%/%");

  /** A number. */
  record Constant(double value) implements Expression {
    @Override
    public String toString() {
      return value == Math.rint(value) && Math.abs(value) < 1e15
          ? BigDecimal.valueOf(value).setScale(0).toPlainString()
          : Double.toString(value);
    }
  }

  /**
   * A word that is a number: TRUE and FALSE, which are 1 and 0, Inf and pi.
   *
   * @param word as it is written
   */
  record Literal(String word, double value) implements Expression {
    private static final Map<String, Double> WORDS =
        Map.of("TRUE", 1.0, "FALSE", 0.0, "Inf", Double.POSITIVE_INFINITY, "pi", Math.PI);

    /** Returns the number of a word; null for other words. */
    static @Nullable Literal of(String word) {
      Double value = WORDS.get(word);
      return value == null ? null : new Literal(word, value);
    }

    /** Returns whether it is TRUE or FALSE. */
    boolean isTruth() {
      return value == 0 || value == 1;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /** A column of the table. */
  record Name(String name) implements Expression {
    private static final String PLAIN = "([A-Za-z\\p{L}]|\\.(?![0-9]))[\\p{L}\\p{N}._]*";

    @Override
    public String toString() {
      return name.matches(PLAIN) ? name : "`" + name + "`";
    }
  }

  /** A text in quotation marks. */
  record Quoted(String text) implements Expression {
    @Override
    public String toString() {
      return "\"" + text + "\"";
    }
  }

  /**
   * An operator or a function with its arguments; parentheses are the function "(".
   *
   * @param names of the arguments that are given by name; empty for the others
   */
  record Call(String function, List<Expression> arguments, List<String> names)
      implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
      names = List.copyOf(names);
    }

    Call(String function, Expression... arguments) {
      this(function, List.of(arguments), Arrays.stream(arguments).map(one -> "").toList());
    }

    boolean is(String name, int count) {
      return function.equals(name) && arguments.size() == count;
    }

    Expression first() {
      return arguments.get(0);
    }

    Expression second() {
      return arguments.get(1);
    }

    @Override
    public String toString() {
      if (function.equals("(")) {
        return "(" + first() + ")";
      }
      boolean operator = SPACED.contains(function) || CLOSE.contains(function);
      if (operator && arguments.size() == 1) {
        return function + first();
      }
      if (operator) {
        String between = SPACED.contains(function) ? " " + function + " " : function;
        return first() + between + second();
      }
      StringBuilder text = new StringBuilder(function).append('(');
      for (int k = 0; k < arguments.size(); k++) {
        String name = names.get(k).isEmpty() ? "" : names.get(k) + " = ";
        text.append(k == 0 ? "" : ", ").append(name).append(arguments.get(k));
      }
      return text.append(')').toString();
    }
  }

  /** Returns the expression with other names. */
  default Expression with(UnaryOperator<Expression> names) {
    if (this instanceof Call call) {
      return new Call(
          call.function,
          call.arguments.stream().map(one -> one.with(names)).collect(Collectors.toList()),
          call.names);
    }
    return this instanceof Name ? names.apply(this) : this;
  }

  /** Returns the name of its column: the text, with a column's own name unchanged. */
  default String label() {
    return this instanceof Name name ? name.name : toString();
  }
}
