package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lampyris.bounds.config.UserException;

/**
 * The cubic B-splines on knots t_0 &lt; t_1 ≤ … ≤ t_m−1 &lt; t_m without the first one, as R's
 * {@code splines::bs(x, df = k)} has them: k = m + 2, inner knots at the quantiles 1/m, …, (m −
 * 1)/m of x (type 7), outer ones, each four times, at its smallest and largest value. Beyond those
 * the polynomials of the outermost intervals go on.
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
          "%s in model.formula: so many rows have the smallest or the largest number, %s or %s, that inner knots fall there; write a smaller k."
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
