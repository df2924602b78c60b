package org.lampyris.dataprep.formula;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/** Several functions of one number, which become columns. */
interface Basis extends Serializable {
  /** Returns how many functions there are. */
  int size();

  /**
   * Writes their values.
   *
   * @param out of length {@link #size}. Modified.
   */
  void write(double x, double[] out);

  /** Returns what the table decided of them. */
  List<Double> numbers();

  /** Powers x, x², …, of which a table decides nothing. */
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
   * What a formula asks for: {@code poly(x, k)}, {@code poly(x, k, raw = TRUE)}, {@code s(x, k)} or
   * {@code bs(x, df = k)}.
   *
   * @param of x
   */
  record Wish(Expression of, Kind kind, int size) implements Serializable {
    private static final int MOST = 100;
    private static final int CUBIC = 3;

    /** Returns what a call asks for; null if it is of another function. */
    static @Nullable Wish of(Expression.Call call, String text) {
      boolean poly = call.function().equals("poly");
      if (!poly && !call.function().equals("s") && !call.function().equals("bs")) {
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
            && (second || name.equals(poly ? "degree" : "df") || (!poly && name.equals("k")))
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
              : "'%s' is not %s(x, %sk), k cubic B-splines, k from %d to %d"
                  .formatted(
                      call,
                      call.function(),
                      call.function().equals("s") ? "" : "df = ",
                      CUBIC,
                      MOST));
    }

    /** Returns the functions, from what a table decided. */
    Basis from(List<Double> numbers) {
      return switch (kind) {
        case POWERS -> new Powers(size);
        case ORTHOGONAL -> OrthogonalPolynomials.from(size, numbers);
        case SPLINE -> new CubicSplines(numbers);
      };
    }

    /**
     * Returns the functions for these values.
     *
     * @throws UserException (data) if there are too few different ones
     */
    Basis on(ValueSketch values, String label) {
      if (kind != Kind.POWERS && !(values.size() > size)) {
        throw UserException.data(
            "%s in model.formula needs more than %d different numbers, and %s has %d; write a smaller k, or factor(%s)."
                .formatted(label, size, of, values.size(), of.label()));
      }
      if (kind != Kind.POWERS && Double.isInfinite(values.max() - values.min())) {
        throw UserException.data(
            "%s in model.formula: %s ranges from %s to %s; leave out, in data.query, rows where it is infinite."
                .formatted(label, of, values.min(), values.max()));
      }
      return switch (kind) {
        case POWERS -> new Powers(size);
        case ORTHOGONAL -> OrthogonalPolynomials.on(size, values);
        case SPLINE -> CubicSplines.on(size, values, label);
      };
    }
  }

  /** What functions they are. */
  enum Kind {
    POWERS,
    ORTHOGONAL,
    SPLINE
  }
}
