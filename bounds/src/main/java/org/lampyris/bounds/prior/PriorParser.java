package org.lampyris.bounds.prior;

import java.util.Locale;

/**
 * Reads a prior as the configuration writes it: a name, and its parameters in brackets, such as
 * {@code normal(0, 2.5)}. Capitals and spaces do not matter; {@code flat} needs no brackets.
 */
public final class PriorParser {

  private static final String FORMS =
      "normal(mean, sd), laplace(location, scale), cauchy(location, scale),"
          + " student_t(df, location, scale), uniform(lower, upper), flat";

  private final String text;
  private int position;

  private PriorParser(String text) {
    this.text = text;
  }

  /**
   * Returns the prior that the text names.
   *
   * @throws IllegalArgumentException if it names none; the message, one sentence, shows the text,
   *     the position of what is wrong (from 1) and the forms that are known
   */
  public static UnivariatePrior parse(String text) {
    return new PriorParser(text).parse();
  }

  private UnivariatePrior parse() {
    skipSpace();
    int start = position;
    while (position < text.length() && isNamePart(text.charAt(position))) {
      position++;
    }
    if (position == start) {
      throw expected("the name of a prior");
    }
    String name = text.substring(start, position).toLowerCase(Locale.ROOT);
    int count =
        switch (name) {
          case "flat" -> 0;
          case "normal", "laplace", "cauchy", "uniform" -> 2;
          case "student_t" -> 3;
          default -> throw problem(start, "there is no prior named \"" + name + "\"");
        };
    double[] p = parameters(count);
    skipSpace();
    if (position < text.length()) {
      throw expected("the end");
    }
    try {
      return switch (name) {
        case "normal" -> new UnivariatePrior.Normal(p[0], p[1]);
        case "laplace" -> new UnivariatePrior.Laplace(p[0], p[1]);
        case "cauchy" -> new UnivariatePrior.Cauchy(p[0], p[1]);
        case "uniform" -> new UnivariatePrior.Uniform(p[0], p[1]);
        case "student_t" -> new UnivariatePrior.StudentT(p[0], p[1], p[2]);
        default -> new UnivariatePrior.Flat();
      };
    } catch (IllegalArgumentException e) {
      throw problem(start, String.valueOf(e.getMessage()), e);
    }
  }

  private double[] parameters(int count) {
    double[] values = new double[count];
    skipSpace();
    if (count == 0 && position == text.length()) {
      return values;
    }
    accept('(');
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        accept(',');
      }
      values[i] = number();
    }
    accept(')');
    return values;
  }

  private double number() {
    skipSpace();
    int start = position;
    while (position < text.length() && isNumberPart(text.charAt(position))) {
      position++;
    }
    try {
      return Double.parseDouble(text.substring(start, position));
    } catch (NumberFormatException e) {
      position = start;
      throw problem(start, "expected a number" + found(), e);
    }
  }

  private void accept(char c) {
    skipSpace();
    if (position == text.length() || text.charAt(position) != c) {
      throw expected("\"" + c + "\"");
    }
    position++;
  }

  private void skipSpace() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private static boolean isNamePart(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** Letters but e and E are left out: Java would also read "1d", "0x1p3", "NaN" and "Infinity". */
  private static boolean isNumberPart(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == 'e' || c == 'E';
  }

  private IllegalArgumentException expected(String what) {
    return problem(position, "expected " + what + found());
  }

  private String found() {
    return position == text.length()
        ? ", found the end"
        : ", found \"" + text.substring(position) + "\"";
  }

  private IllegalArgumentException problem(int at, String what) {
    return new IllegalArgumentException(message(at, what));
  }

  private IllegalArgumentException problem(int at, String what, Throwable cause) {
    return new IllegalArgumentException(message(at, what), cause);
  }

  private String message(int at, String what) {
    return "cannot read the prior \""
        + text
        + "\": at position "
        + (at + 1)
        + ", "
        + what
        + "; known forms are "
        + FORMS;
  }
}
