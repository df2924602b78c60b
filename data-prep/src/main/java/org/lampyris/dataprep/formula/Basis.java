package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;

/** Several functions of one number, which become columns. */
interface Basis extends Serializable {
  /** Returns the number of functions. */
  int size();

  /**
   * Writes their values.
   *
   * @param out of length {@link #size}. Modified.
   */
  void write(double x, double[] out);

  /** Returns the numbers that depend on the table. */
  List<Double> numbers();

  /** Returns x as a line of the first function; null if that is not linear in x. */
  default TableEffects.@Nullable Line ofFirst() {
    return null;
  }

  /** Powers x, x², …, which do not depend on the table. */
  record Powers(int size) implements Basis {
    @Override
    public void write(double x, double[] out) {
      double power = 1;
      for (int k = 0; k < size; k++) {
        power *= x;
        out[k] = power;
      }
    }

    @Override
    public TableEffects.Line ofFirst() {
      return TableEffects.Line.SAME;
    }

    @Override
    public List<Double> numbers() {
      return List.of();
    }
  }

  /**
   * Request in a formula for functions that may depend on the table: {@code poly(x, k)}, {@code
   * poly(x, k, raw = TRUE)}, {@code bs(x, df = k)}, {@code ns(x, df = k)}, {@code scale(x)}, {@code
   * cut(x, k)}, or the number that a {@link Smooth} is a function of.
   *
   * @param label the request as it is written
   * @param of x
   * @param size how many functions, or intervals
   * @param options inner knots that are given; for {@code scale} whether it centres and divides, 1
   *     or 0
   */
  record Wish(String label, Expression of, Kind kind, int size, List<Double> options)
      implements Serializable {
    private static final int MOST = 100;
    private static final int CUBIC = 3;

    public Wish {
      options = List.copyOf(options);
    }

    /** Creates the request for the number that a smooth is a function of. */
    public Wish(Expression of, Kind kind, int size) {
      this("s(%s, k = %d)".formatted(of, size), of, kind, size, List.of());
    }

    /** Returns the request of a call; null for other functions. */
    static @Nullable Wish of(Expression.Call call, String text) {
      return switch (call.function()) {
        case "poly" -> polynomials(call, text);
        case "bs", "ns" -> splines(call, text);
        case "scale" -> scale(call, text);
        case "cut" -> Cut.wish(call, text);
        default -> null;
      };
    }

    /** Returns the requests in an expression whose numbers depend on the table. */
    static List<Wish> within(Expression expression, String text) {
      List<Wish> all = new ArrayList<>();
      if (expression instanceof Expression.Call call) {
        Wish own = Smooth.is(call) ? null : of(call, text);
        if (own != null && own.isLearned()) {
          all.add(own);
        }
        Arguments.ofColumns(call).forEach(one -> all.addAll(within(one, text)));
      }
      return all;
    }

    /** Returns whether its numbers depend on the table. */
    boolean isLearned() {
      return kind != Kind.POWERS;
    }

    /** Returns whether the first column is linear in x. */
    boolean isLinearFirst() {
      return kind == Kind.POWERS || kind == Kind.ORTHOGONAL || kind == Kind.SCALE;
    }

    /** Returns whether it becomes columns; scale is a number, and cut has levels. */
    boolean hasColumns() {
      return kind != Kind.SCALE && kind != Kind.CUT;
    }

    private static Wish polynomials(Expression.Call call, String text) {
      Arguments given = Arguments.of(call, List.of("x", "degree", "raw"));
      Double degree = given == null ? null : given.whole("degree", 1, MOST);
      Boolean raw = given == null ? null : given.truth("raw", false);
      if (given == null || degree == null || raw == null) {
        throw Formula.wrong(
            text,
            "'%s' is not poly(x, k) or poly(x, k, raw = TRUE), k from 1 to %d%s"
                .formatted(call, MOST, several(call)));
      }
      return raw
          ? new Wish(call.toString(), given.x(), Kind.POWERS, degree.intValue(), List.of())
          : new Wish(
              call.toString(),
              unscaled(given.x(), text),
              Kind.ORTHOGONAL,
              degree.intValue(),
              List.of());
    }

    /**
     * Returns x of {@code scale(x)}: functions that no unit and no origin changes are of either.
     */
    private static Expression unscaled(Expression x, String text) {
      Wish scale = x instanceof Expression.Call call ? of(call, text) : null;
      return scale != null && scale.kind == Kind.SCALE ? scale.of : x;
    }

    private static String several(Expression.Call call) {
      boolean two =
          call.arguments().size() > 1
              && call.names().get(1).isEmpty()
              && call.second() instanceof Expression.Name;
      return two
          ? "; write poly(%s, k) * poly(%s, k) for two columns"
              .formatted(call.first(), call.second())
          : "";
    }

    private static Wish splines(Expression.Call call, String text) {
      boolean natural = call.function().equals("ns");
      int inner = natural ? 1 : CUBIC;
      Arguments given = Arguments.of(call, List.of("x", "df", "knots", "degree"));
      Double size = given == null ? null : given.whole("df", inner, MOST);
      List<Double> knots = given == null ? null : given.numbers("knots");
      boolean cubic =
          given != null && (!given.has("degree") || given.whole("degree", 3, 3) != null);
      boolean inOrder =
          knots != null && Arguments.areAscending(knots) && knots.size() + inner <= MOST;
      if (given == null
          || !cubic
          || (natural && given.has("degree"))
          || given.has("df") == given.has("knots")
          || (given.has("df") ? size == null : !inOrder)) {
        throw Formula.wrong(
            text,
            "'%s' is not %s(x, df = k), k %s, k from %d to %d, or %2$s(x, knots = c(1, 2)) with ascending inner knots"
                .formatted(
                    call,
                    call.function(),
                    natural ? "natural cubic splines" : "cubic B-splines",
                    inner,
                    MOST));
      }
      List<Double> options = size == null && knots != null ? knots : List.of();
      return new Wish(
          call.toString(),
          options.isEmpty() ? unscaled(given.x(), text) : given.x(),
          natural ? Kind.NATURAL : Kind.SPLINE,
          size == null ? options.size() + inner : size.intValue(),
          options);
    }

    private static Wish scale(Expression.Call call, String text) {
      Arguments given = Arguments.of(call, List.of("x", "center", "scale"));
      Boolean center = given == null ? null : given.truth("center", true);
      Boolean scale = given == null ? null : given.truth("scale", true);
      if (given == null || center == null || scale == null) {
        throw Formula.wrong(
            text, "'%s' is not scale(x), with center = FALSE or scale = FALSE".formatted(call));
      }
      return new Wish(
          call.toString(),
          given.x(),
          Kind.SCALE,
          1,
          List.of(center ? 1.0 : 0.0, scale ? 1.0 : 0.0));
    }

    /** Returns the functions, given the numbers that depend on the table. */
    Basis from(List<Double> numbers) {
      return switch (kind) {
        case POWERS -> new Powers(size);
        case ORTHOGONAL -> OrthogonalPolynomials.from(size, numbers);
        case SPLINE -> new CubicSplines(numbers);
        case NATURAL -> new NaturalSplines(numbers);
        case PENALIZED -> new PSpline(size, numbers, label);
        case SCALE, CUT -> throw new IllegalStateException(label + " becomes no columns");
      };
    }

    /**
     * Returns the numbers that depend on the table: what {@link #from} takes, the mean and the
     * standard deviation of {@code scale}, the bounds of {@code cut}'s intervals.
     *
     * @throws UserException (data) if there are too few different values
     */
    List<Double> learned(ValueSketch values) {
      if (kind == Kind.PENALIZED && values.size() < size) {
        throw UserException.data(
            "%s has %d different numbers, and its smooth in model.formula needs k = %d or more of them; write %sfactor(%1$s)."
                .formatted(
                    of.label(),
                    values.size(),
                    size,
                    values.size() < PSpline.LEAST ? "" : "k = %d, or ".formatted(values.size())));
      }
      if ((kind == Kind.ORTHOGONAL || kind == Kind.SPLINE || kind == Kind.NATURAL)
          && !(values.size() > size)) {
        throw UserException.data(
            "%s in model.formula needs more than %d different numbers, but %s has %d. Write a smaller k, or factor(%s)."
                .formatted(label, size, of, values.size(), of.label()));
      }
      if (isLearned() && Double.isInfinite(values.max() - values.min())) {
        throw UserException.data(
            "%s in model.formula: %s ranges from %s to %s. Drop its infinite values in data.query."
                .formatted(label, of, values.min(), values.max()));
      }
      return switch (kind) {
        case POWERS -> List.of();
        case ORTHOGONAL -> OrthogonalPolynomials.on(size, values).numbers();
        case SPLINE, NATURAL -> knots(values);
        case PENALIZED -> PSpline.on(size, values, label).numbers();
        case SCALE -> scale(values);
        case CUT -> Cut.equal(size, values, label);
      };
    }

    private List<Double> scale(ValueSketch values) {
      double sd = options.get(1) == 0 ? 1 : values.sd(options.get(0) != 0);
      if (!(sd > 0 && sd < Double.POSITIVE_INFINITY)) {
        throw UserException.data(
            sd > 0
                ? "%s in model.formula: the squares of %s are larger than a double can hold. Change its unit in data.query."
                    .formatted(label, of)
                : "%s in model.formula: %s is the same in every row. Leave it out."
                    .formatted(label, of));
      }
      return List.of(options.get(0) == 0 ? 0.0 : values.mean(), sd);
    }

    /** Returns the smallest value, the inner knots, and the largest value. */
    private List<Double> knots(ValueSketch values) {
      int intervals = kind == Kind.NATURAL ? size : size - CUBIC + 1;
      List<Double> knots = new ArrayList<>(List.of(values.min()));
      for (int j = 1; j < intervals; j++) {
        knots.add(options.isEmpty() ? values.quantile((double) j / intervals) : options.get(j - 1));
      }
      knots.add(values.max());
      if (intervals > 1
          && !(knots.get(1) > values.min() && knots.get(intervals - 1) < values.max())) {
        throw UserException.data(
            options.isEmpty()
                ? "%s in model.formula: inner knots fall on the smallest or largest number, %s or %s, because many rows have it. Write a smaller k."
                    .formatted(label, values.min(), values.max())
                : "%s in model.formula: knots must lie between the smallest and the largest number, %s and %s. Write other knots."
                    .formatted(label, values.min(), values.max()));
      }
      return knots;
    }
  }

  /** Kind of functions. */
  enum Kind {
    /** x, x², …. */
    POWERS,
    /** Orthogonal polynomials. */
    ORTHOGONAL,
    /** Cubic B-splines. */
    SPLINE,
    /** Natural cubic splines. */
    NATURAL,
    /** B-splines with a penalty. */
    PENALIZED,
    /** x about its mean, in units of its standard deviation. */
    SCALE,
    /** Intervals of equal width. */
    CUT
  }

  /**
   * Cubic B-splines on knots t_0 &lt; t_1 ≤ … ≤ t_m−1 &lt; t_m without the first one, like R's
   * {@code splines::bs(x, df = k)}: k = m + 2, inner knots at the quantiles 1/m, …, (m − 1)/m of x
   * (type 7), outer ones, each four times, at its smallest and largest value. Beyond those the
   * polynomials of the outermost intervals go on.
   *
   * <p>Source: de Boor (1978), <i>A Practical Guide to Splines</i>, chapter X.
   *
   * @param numbers t_0, …, t_m
   */
  record CubicSplines(List<Double> numbers) implements Basis {
    static final int ORDER = 4;

    public CubicSplines {
      numbers = List.copyOf(numbers);
    }

    @Override
    public int size() {
      return numbers.size() + ORDER - 3;
    }

    @Override
    public void write(double x, double[] out) {
      double[] all = values(numbers, x);
      System.arraycopy(all, 1, out, 0, size());
    }

    /** Returns the values of all splines, the first one's included. */
    static double[] values(List<Double> knots, double x) {
      int intervals = knots.size() - 1;
      int interval = 0;
      while (interval < intervals - 1 && x >= knots.get(interval + 1)) {
        interval++;
      }
      // The values of the four splines that are not zero there, of rising degree.
      double[] b = new double[ORDER];
      b[0] = 1;
      for (int degree = 1; degree < ORDER; degree++) {
        double saved = 0;
        for (int r = 0; r < degree; r++) {
          double right = knot(knots, interval + 1 + r);
          double left = knot(knots, interval + 1 + r - degree);
          double share = b[r] / (right - left);
          b[r] = saved + (right - x) * share;
          saved = (x - left) * share;
        }
        b[degree] = saved;
      }
      double[] all = new double[intervals + ORDER - 1];
      System.arraycopy(b, 0, all, interval, ORDER);
      return all;
    }

    private static double knot(List<Double> knots, int index) {
      return knots.get(Math.max(0, Math.min(knots.size() - 1, index)));
    }
  }

  /**
   * Polynomials p_1, …, p_k of degree 1, …, k, orthogonal to each other and to 1 over the rows of a
   * table, Σ_n p_j(x_n)² = 1, like R's {@code poly(x, k)}:
   *
   * <p>q_0 = 1, q_1 = x − α_1, q_j+1 = (x − α_j+1) q_j − (ν_j / ν_j−1) q_j−1, α_j+1 = Σ x q_j² /
   * ν_j, ν_j = Σ q_j², p_j = q_j / √ν_j.
   *
   * <p>Source: Kennedy and Gentle (1980), <i>Statistical Computing</i>, pages 343–4, the recurrence
   * of Stieltjes.
   *
   * @param alpha α_1, …, α_k. Not copied
   * @param norm ν_0, …, ν_k. Not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record OrthogonalPolynomials(double[] alpha, double[] norm) implements Basis {
    static OrthogonalPolynomials from(int size, List<Double> numbers) {
      double[] all = numbers.stream().mapToDouble(x -> x).toArray();
      return new OrthogonalPolynomials(
          Arrays.copyOf(all, size), Arrays.copyOfRange(all, size, all.length));
    }

    static OrthogonalPolynomials on(int size, ValueSketch sketch) {
      double[] x = sketch.values();
      long[] counts = sketch.counts();
      // Where only some values are kept, they stand for all rows.
      double share = (double) sketch.rows() / Arrays.stream(counts).sum();
      double[] alpha = new double[size];
      double[] norm = new double[size + 1];
      double[] before = new double[x.length];
      double[] now = new double[x.length];
      Arrays.fill(now, 1);
      for (int j = 0; j <= size; j++) {
        double center = 0;
        for (int n = 0; n < x.length; n++) {
          double square = share * counts[n] * now[n] * now[n];
          norm[j] += square;
          // About the first value, so that large numbers of little spread keep their digits.
          center += square * (x[n] - x[0]);
        }
        if (j < size) {
          alpha[j] = x[0] + center / norm[j];
          double ratio = j == 0 ? 0 : norm[j] / norm[j - 1];
          for (int n = 0; n < x.length; n++) {
            double next = (x[n] - alpha[j]) * now[n] - ratio * before[n];
            before[n] = now[n];
            now[n] = next;
          }
        }
      }
      return new OrthogonalPolynomials(alpha, norm);
    }

    @Override
    public int size() {
      return alpha.length;
    }

    @Override
    public void write(double x, double[] out) {
      double before = 0;
      double now = 1;
      for (int j = 0; j < alpha.length; j++) {
        double ratio = j == 0 ? 0 : norm[j] / norm[j - 1];
        double next = (x - alpha[j]) * now - ratio * before;
        before = now;
        now = next;
        out[j] = now / Math.sqrt(norm[j + 1]);
      }
    }

    @Override
    public TableEffects.Line ofFirst() {
      return new TableEffects.Line(Math.sqrt(norm[1]), alpha[0]);
    }

    @Override
    public List<Double> numbers() {
      List<Double> numbers = new ArrayList<>();
      Arrays.stream(alpha).forEach(numbers::add);
      Arrays.stream(norm).forEach(numbers::add);
      return List.copyOf(numbers);
    }
  }
}
