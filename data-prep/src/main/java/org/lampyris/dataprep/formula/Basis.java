package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

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
    public List<Double> numbers() {
      return List.of();
    }
  }

  /**
   * Request in a formula: {@code poly(x, k)}, {@code poly(x, k, raw = TRUE)}, {@code bs(x, df =
   * k)}, or the number that a {@link Smooth} is a function of.
   *
   * @param of x
   */
  record Wish(Expression of, Kind kind, int size) implements Serializable {
    private static final int MOST = 100;
    private static final int CUBIC = 3;

    /** Returns the request of a call; null for other functions. */
    static @Nullable Wish of(Expression.Call call, String text) {
      boolean poly = call.function().equals("poly");
      if (!poly && !call.function().equals("bs")) {
        return null;
      }
      boolean raw = false;
      Double size = null;
      for (int k = 1; k < call.arguments().size(); k++) {
        String name = call.names().get(k);
        Expression given = call.arguments().get(k);
        boolean second = k == 1 && name.isEmpty();
        if (poly && name.equals("raw") && isTruth(given)) {
          raw = given.label().startsWith("T");
        } else if (size == null
            && (second || name.equals(poly ? "degree" : "df"))
            && given instanceof Expression.Constant constant) {
          size = constant.value();
        } else {
          throw wrong(call, text);
        }
      }
      int least = poly ? 1 : CUBIC;
      if (call.arguments().isEmpty()
          || !call.names().get(0).isEmpty()
          || size == null
          || !(size >= least && size <= MOST)
          || size != Math.rint(size)) {
        throw wrong(call, text);
      }
      Kind kind = poly ? raw ? Kind.POWERS : Kind.ORTHOGONAL : Kind.SPLINE;
      return new Wish(call.first(), kind, size.intValue());
    }

    private static boolean isTruth(Expression given) {
      return List.of("TRUE", "FALSE", "T", "F").contains(given.label());
    }

    private static UserException wrong(Expression.Call call, String text) {
      return Formula.wrong(
          text,
          call.function().equals("poly")
              ? "'%s' is not poly(x, k) or poly(x, k, raw = TRUE), k from 1 to %d"
                  .formatted(call, MOST)
              : "'%s' is not bs(x, df = k), k cubic B-splines, k from %d to %d"
                  .formatted(call, CUBIC, MOST));
    }

    /** Returns the functions, given the numbers that depend on the table. */
    Basis from(List<Double> numbers) {
      return switch (kind) {
        case POWERS -> new Powers(size);
        case ORTHOGONAL -> OrthogonalPolynomials.from(size, numbers);
        case SPLINE -> new CubicSplines(numbers);
        case PENALIZED -> new PSpline(size, numbers, Smooth.name(this));
      };
    }

    /**
     * Returns the functions for these values.
     *
     * @throws UserException (data) if there are too few different ones
     */
    Basis on(ValueSketch values, String label) {
      if (kind == Kind.PENALIZED && values.size() < size) {
        throw UserException.data(
            "%s has %d different numbers, and its smooth in model.formula needs k = %d or more of them; write %sfactor(%1$s)."
                .formatted(
                    of.label(),
                    values.size(),
                    size,
                    values.size() < PSpline.LEAST ? "" : "k = %d, or ".formatted(values.size())));
      }
      if (kind != Kind.POWERS && kind != Kind.PENALIZED && !(values.size() > size)) {
        throw UserException.data(
            "%s in model.formula needs more than %d different numbers, but %s has %d. Write a smaller k, or factor(%s)."
                .formatted(label, size, of, values.size(), of.label()));
      }
      if (kind != Kind.POWERS && Double.isInfinite(values.max() - values.min())) {
        throw UserException.data(
            "%s in model.formula: %s ranges from %s to %s. Drop its infinite values in data.query."
                .formatted(label, of, values.min(), values.max()));
      }
      return switch (kind) {
        case POWERS -> new Powers(size);
        case ORTHOGONAL -> OrthogonalPolynomials.on(size, values);
        case SPLINE -> CubicSplines.on(size, values, label);
        case PENALIZED -> PSpline.on(size, values, label);
      };
    }
  }

  /** Kind of functions. */
  enum Kind {
    POWERS,
    ORTHOGONAL,
    SPLINE,
    PENALIZED
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
    private static final int ORDER = 4;

    public CubicSplines {
      numbers = List.copyOf(numbers);
    }

    static CubicSplines on(int size, ValueSketch values, String label) {
      int intervals = size - ORDER + 2;
      List<Double> knots = new ArrayList<>();
      for (int j = 0; j <= intervals; j++) {
        knots.add(
            j == 0
                ? values.min()
                : j == intervals ? values.max() : values.quantile((double) j / intervals));
      }
      if (intervals > 1
          && !(knots.get(1) > values.min() && knots.get(intervals - 1) < values.max())) {
        throw UserException.data(
            "%s in model.formula: inner knots fall on the smallest or largest number, %s or %s, because many rows have it. Write a smaller k."
                .formatted(label, values.min(), values.max()));
      }
      return new CubicSplines(knots);
    }

    @Override
    public int size() {
      return numbers.size() + ORDER - 3;
    }

    @Override
    public void write(double x, double[] out) {
      int intervals = numbers.size() - 1;
      int interval = 0;
      while (interval < intervals - 1 && x >= numbers.get(interval + 1)) {
        interval++;
      }
      // The values of the four splines that are not zero there, of rising degree.
      double[] b = new double[ORDER];
      b[0] = 1;
      for (int degree = 1; degree < ORDER; degree++) {
        double saved = 0;
        for (int r = 0; r < degree; r++) {
          double right = knot(interval + 1 + r);
          double left = knot(interval + 1 + r - degree);
          double share = b[r] / (right - left);
          b[r] = saved + (right - x) * share;
          saved = (x - left) * share;
        }
        b[degree] = saved;
      }
      Arrays.fill(out, 0, size(), 0);
      for (int r = 0; r < ORDER; r++) {
        if (interval + r > 0) {
          out[interval + r - 1] = b[r];
        }
      }
    }

    private double knot(int index) {
      return numbers.get(Math.max(0, Math.min(numbers.size() - 1, index)));
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
    public List<Double> numbers() {
      List<Double> numbers = new ArrayList<>();
      Arrays.stream(alpha).forEach(numbers::add);
      Arrays.stream(norm).forEach(numbers::add);
      return List.copyOf(numbers);
    }
  }
}
