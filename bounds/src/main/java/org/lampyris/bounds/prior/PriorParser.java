package org.lampyris.bounds.prior;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a prior as the configuration writes it: a name, and its parameters in brackets, such as
 * {@code normal(0, 2.5)}. Capitals and spaces do not matter; {@code flat} needs no brackets.
 */
public final class PriorParser {
  private static final String FORMS =
      "normal(mean, sd), laplace(location, scale), cauchy(location, scale), student_t(df, location,"
          + " scale), horseshoe(scale, or the prior of one),"
          + " regularized_horseshoe(prior of a scale, slab scale, slab df), uniform(lower, upper), flat, half_normal(scale),"
          + " half_cauchy(scale), half_student_t(df, scale), exponential(rate), gamma(shape, rate),"
          + " log_scale(prior of a scale), dirichlet(alpha)";

  /** The most levels of a monotonic effect, but one. */
  private static final int MOST_LEVELS = 1_000;

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

  /** Returns whether a text names the prior of a simplex. */
  static boolean isDirichlet(String text) {
    return text.strip().toLowerCase(Locale.ROOT).startsWith("dirichlet");
  }

  /**
   * Returns α of a prior of a simplex: one number, or one for each element.
   *
   * @throws IllegalArgumentException if they are not positive numbers in brackets
   */
  static double[] dirichlet(String text) {
    PriorParser parser = new PriorParser(text);
    parser.skipSpace();
    parser.position += "dirichlet".length();
    double[] alpha = parser.parameters(1, MOST_LEVELS);
    parser.skipSpace();
    if (parser.position < text.length()) {
      throw parser.expected("the end");
    }
    if (!Arrays.stream(alpha).allMatch(a -> a > 0 && a < Double.POSITIVE_INFINITY)) {
      throw parser.problem(0, "the numbers of a dirichlet must be above 0", null);
    }
    return alpha;
  }

  private UnivariatePrior parse() {
    UnivariatePrior prior = prior();
    skipSpace();
    if (position < text.length()) {
      throw expected("the end");
    }
    return prior;
  }

  private UnivariatePrior prior() {
    skipSpace();
    int start = position;
    while (position < text.length() && isNamePart(text.charAt(position))) {
      position++;
    }
    if (position == start) {
      throw expected("the name of a prior");
    }
    String name = text.substring(start, position).toLowerCase(Locale.ROOT);
    return switch (name) {
      case "flat" -> flat();
      case "normal" -> read(start, 2, 2, p -> new UnivariatePrior.Normal(p[0], p[1]));
      case "laplace" -> read(start, 2, 2, p -> new UnivariatePrior.Laplace(p[0], p[1]));
      case "cauchy" -> read(start, 2, 2, p -> new UnivariatePrior.Cauchy(p[0], p[1]));
      case "uniform" -> read(start, 2, 2, p -> new UnivariatePrior.Uniform(p[0], p[1]));
      case "student_t" -> read(start, 3, 3, p -> new UnivariatePrior.StudentT(p[0], p[1], p[2]));
      case "horseshoe" -> horseshoe(start);
      case "regularized_horseshoe" -> regularizedHorseshoe(start);
      case "half_normal" -> half(start, 1, p -> new UnivariatePrior.Normal(p[0], p[1]));
      case "half_cauchy" -> half(start, 1, p -> new UnivariatePrior.Cauchy(p[0], p[1]));
      case "half_student_t" -> half(start, 2, p -> new UnivariatePrior.StudentT(p[0], p[1], p[2]));
      case "exponential" -> read(start, 1, 1, p -> new ExponentialPrior(p[0]));
      case "gamma" -> read(start, 2, 2, p -> new GammaPrior(p[0], p[1]));
      case "log_scale" -> logScale(start);
      case "logit_share" -> logitShare(start);
      default -> throw problem(start, "there is no prior named \"" + name + "\"", null);
    };
  }

  private UnivariatePrior flat() {
    if (nextIs('(')) {
      parameters(0, 0);
    }
    return new UnivariatePrior.Flat();
  }

  private UnivariatePrior logScale(int start) {
    accept('(');
    UnivariatePrior ofScale = prior();
    accept(')');
    return made(start, () -> new LogScalePrior(ofScale));
  }

  private UnivariatePrior logitShare(int start) {
    accept('(');
    UnivariatePrior ofShare = prior();
    accept(')');
    if (!(ofShare instanceof UnivariatePrior.Uniform share)) {
      throw problem(start, "logit_share needs a uniform prior", null);
    }
    return made(start, () -> new LogitSharePrior(share));
  }

  private UnivariatePrior horseshoe(int start) {
    int open = position;
    accept('(');
    skipSpace();
    if (position == text.length() || !isNamePart(text.charAt(position))) {
      position = open;
      return read(start, 1, 1, p -> new HorseshoePrior(p[0]));
    }
    UnivariatePrior global = prior();
    accept(')');
    return made(start, () -> new SharedHorseshoe(global, null));
  }

  private UnivariatePrior regularizedHorseshoe(int start) {
    accept('(');
    UnivariatePrior global = prior();
    accept(',');
    double scale = number();
    accept(',');
    double df = number();
    accept(')');
    return made(start, () -> new SharedHorseshoe(global, new SharedHorseshoe.Slab(scale, df)));
  }

  /** Reads a half prior, whose location, before the scale, may be left out. */
  private UnivariatePrior half(int start, int least, Function<double[], UnivariatePrior> make) {
    return read(
        start,
        least,
        least + 1,
        p -> new HalfPrior(make.apply(p.length > least ? p : withLocation(p))));
  }

  private UnivariatePrior read(
      int start, int least, int most, Function<double[], UnivariatePrior> make) {
    double[] p = parameters(least, most);
    return made(start, () -> make.apply(p));
  }

  private UnivariatePrior made(int start, Supplier<UnivariatePrior> make) {
    try {
      return make.get();
    } catch (IllegalArgumentException e) {
      throw problem(start, String.valueOf(e.getMessage()), e);
    }
  }

  /** Inserts the location 0 before the scale, which comes last. */
  private static double[] withLocation(double[] p) {
    double[] all = Arrays.copyOf(p, p.length + 1);
    all[p.length] = p[p.length - 1];
    all[p.length - 1] = 0;
    return all;
  }

  /** Reads numbers in brackets, between {@code least} and {@code most} of them. */
  private double[] parameters(int least, int most) {
    double[] values = new double[most];
    int count = 0;
    accept('(');
    while (count < most && (count < least || nextIs(','))) {
      if (count > 0) {
        accept(',');
      }
      values[count++] = number();
    }
    accept(')');
    return Arrays.copyOf(values, count);
  }

  private boolean nextIs(char c) {
    skipSpace();
    return position < text.length() && text.charAt(position) == c;
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
    return problem(position, "expected " + what + found(), null);
  }

  private String found() {
    return position == text.length()
        ? ", found the end"
        : ", found \"" + text.substring(position) + "\"";
  }

  private IllegalArgumentException problem(int at, String what, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "cannot read the prior \"%s\": at position %s, %s; known forms are %s"
            .formatted(text, at + 1, what, FORMS),
        cause);
  }
}
