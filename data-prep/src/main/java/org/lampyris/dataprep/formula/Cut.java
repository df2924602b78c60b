package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;

/**
 * Intervals of a number, as R's {@code cut} has them: {@code cut(x, c(0, 1, 5))}, or {@code cut(x,
 * k)}, k of equal width over the range of x, whose ends are moved out by a thousandth of it.
 *
 * @param of x
 * @param breaks the ends in ascending order; empty if the range of x decides them
 * @param count how many intervals
 * @param right whether an interval includes its upper end, and not its lower one
 * @param lowest whether the outermost end that is left out belongs to its interval too
 * @param labels the levels; null for those that R makes of the ends
 * @param digits how many digits of the ends these have at least
 */
record Cut(
    Expression of,
    List<Double> breaks,
    int count,
    boolean right,
    boolean lowest,
    @Nullable List<String> labels,
    int digits)
    implements Serializable {
  private static final int MOST = 1_000;
  private static final int MOST_DIGITS = 12;
  private static final int DIGITS = 3;

  /** As C's %g, which R writes numbers with. */
  private static final int SMALLEST_EXPONENT = -4;

  /**
   * Reads a call.
   *
   * @throws UserException (usage) if an argument is wrong
   */
  static Cut of(Expression.Call call, String text) {
    Arguments given =
        Arguments.of(call, List.of("x", "breaks", "labels", "include.lowest", "right", "dig.lab"));
    List<Double> breaks = given == null ? null : given.numbers("breaks");
    Boolean right = given == null ? null : given.truth("right", true);
    Boolean lowest = given == null ? null : given.truth("include.lowest", false);
    Double digits =
        given == null || !given.has("dig.lab")
            ? Double.valueOf(DIGITS)
            : given.whole("dig.lab", 1, MOST_DIGITS);
    if (given == null || breaks == null || right == null || lowest == null || digits == null) {
      throw wrong(call, text);
    }
    List<Double> ends = breaks.stream().sorted().toList();
    boolean equal = ends.size() == 1;
    double first = ends.isEmpty() ? 0 : ends.get(0);
    boolean good =
        equal
            ? first >= 2 && first <= MOST && first == Math.rint(first)
            : new HashSet<>(ends).size() == ends.size() && !ends.isEmpty();
    int count = equal ? (int) first : ends.size() - 1;
    List<String> labels = given.has("labels") ? given.texts("labels") : null;
    if (!good
        || (given.has("labels") && (labels == null || labels.size() != count))
        || (labels != null && new HashSet<>(labels).size() < count)) {
      throw wrong(call, text);
    }
    return new Cut(
        given.x(), equal ? List.of() : ends, count, right, lowest, labels, digits.intValue());
  }

  private static UserException wrong(Expression.Call call, String text) {
    return Formula.wrong(
        text,
        "'%s' is not cut(x, c(0, 1, 5)) or cut(x, k), k intervals from 2 to %d; labels, right, include.lowest and dig.lab are as in R, a label for each interval"
            .formatted(call, MOST));
  }

  /** Returns the request for the range of x; null if the ends are given. */
  static Basis.@Nullable Wish wish(Expression.Call call, String text) {
    Cut cut = of(call, text);
    return cut.breaks.isEmpty()
        ? new Basis.Wish(call.toString(), cut.of, Basis.Kind.CUT, cut.count, List.of())
        : null;
  }

  /**
   * Returns the ends of intervals of equal width.
   *
   * @throws UserException (data) if all values are the same
   */
  static List<Double> equal(int count, ValueSketch values, String label) {
    double low = values.min();
    double range = values.max() - low;
    if (!(range > 0)) {
      throw UserException.data(
          "%s in model.formula needs different numbers, and all are %s. Leave it out."
              .formatted(label, low));
    }
    List<Double> ends = new ArrayList<>();
    for (int k = 0; k <= count; k++) {
      ends.add(low + k * (range / count));
    }
    ends.set(0, low - range / 1000);
    ends.set(count, values.max() + range / 1000);
    return ends;
  }

  /** Returns the index of the interval of a number; −1 if it is in none. */
  int interval(double x, List<Double> ends) {
    for (int k = 0; k < count; k++) {
      double low = ends.get(k);
      double high = ends.get(k + 1);
      boolean inside = right ? low < x && x <= high : low <= x && x < high;
      boolean end = lowest && (right ? k == 0 && x == low : k == count - 1 && x == high);
      if (inside || end) {
        return k;
      }
    }
    return -1;
  }

  /** Returns the levels. */
  List<String> levels(List<Double> ends) {
    if (labels != null) {
      return labels;
    }
    for (int of = digits; of <= MOST_DIGITS; of++) {
      List<String> texts = new ArrayList<>();
      boolean differ = true;
      for (double end : ends) {
        String text = text(end, of);
        differ &= texts.isEmpty() || !texts.get(texts.size() - 1).equals(text);
        texts.add(text);
      }
      if (differ) {
        return levels(texts, ends.size() - 1);
      }
    }
    return IntStream.rangeClosed(1, count).mapToObj(Integer::toString).toList();
  }

  private List<String> levels(List<String> ends, int intervals) {
    List<String> levels = new ArrayList<>();
    for (int k = 0; k < intervals; k++) {
      boolean first = lowest && right && k == 0;
      boolean last = lowest && !right && k == intervals - 1;
      levels.add(
          (right && !first ? "(" : "[")
              + ends.get(k)
              + ","
              + ends.get(k + 1)
              + (right || last ? "]" : ")"));
    }
    return levels;
  }

  /** Returns a number with some significant digits, as C's %g writes it. */
  static String text(double x, int digits) {
    if (Double.isInfinite(x)) {
      return x > 0 ? "Inf" : "-Inf";
    }
    if (x == 0) {
      return "0";
    }
    BigDecimal rounded =
        new BigDecimal(x)
            .round(new MathContext(digits, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= SMALLEST_EXPONENT && exponent < digits) {
      return rounded.toPlainString();
    }
    return Text.of(
        "%se%s%02d",
        rounded.movePointLeft(exponent).toPlainString(),
        exponent < 0 ? "-" : "+",
        Math.abs(exponent));
  }
}
