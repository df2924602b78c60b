package org.lampyris.dataprep.formula;

import java.util.Arrays;
import java.util.List;

/**
 * Natural cubic splines on knots t_0 &lt; t_1 ≤ … ≤ t_m−1 &lt; t_m, like R's {@code splines::ns(x,
 * df = m)}: cubic B-splines without the first one, combined so that the second derivative is 0 at
 * t_0 and t_m, m functions. Beyond those each is continued by its tangent.
 *
 * <p>With C the second derivatives of the B-splines at both ends and Cᵀ = QR by Householder
 * reflections, the functions are the elements of Qᵀb(x) from the third one on; R's signs are those
 * of LINPACK's dqrdc. Source: Hastie (1992), chapter 7 of Chambers and Hastie, <i>Statistical
 * Models in S</i>.
 */
final class NaturalSplines implements Basis {
  private static final int DEGREE = 3;
  private static final int ENDS = 2;

  private final List<Double> numbers;

  /** Householder vectors, scaled so that the reflection is I − uuᵀ/u_k. */
  private final double[][] reflections;

  /** Of each end the B-splines' values, then their slopes; the first spline's are left out. */
  private final double[][] atEnds;

  /**
   * Takes up the knots.
   *
   * @param numbers t_0, …, t_m
   */
  NaturalSplines(List<Double> numbers) {
    this.numbers = List.copyOf(numbers);
    double[][] curvatures = new double[ENDS][];
    atEnds = new double[2 * ENDS][];
    for (int end = 0; end < ENDS; end++) {
      double x = numbers.get(end == 0 ? 0 : numbers.size() - 1);
      atEnds[2 * end] = derivatives(x, 0);
      atEnds[2 * end + 1] = derivatives(x, 1);
      curvatures[end] = derivatives(x, 2);
    }
    reflections = reflections(curvatures);
  }

  /** Returns the derivatives of an order of all B-splines but the first. */
  private double[] derivatives(double x, int order) {
    double[] all = new double[numbers.size() - 1 + DEGREE];
    Arrays.setAll(all, i -> derivative(i, DEGREE, x, order));
    return Arrays.copyOfRange(all, 1, all.length);
  }

  /** Returns a derivative of B_i by the recurrences of Cox and de Boor. */
  private double derivative(int i, int degree, double x, int order) {
    double left = knot(i);
    double right = knot(i + degree + 1);
    if (degree == 0) {
      boolean last = x == numbers.get(numbers.size() - 1) && right == x && left < right;
      return (left <= x && x < right) || last ? 1 : 0;
    }
    double value = 0;
    double first = knot(i + degree) - left;
    if (first > 0) {
      value +=
          order > 0
              ? degree * derivative(i, degree - 1, x, order - 1) / first
              : (x - left) / first * derivative(i, degree - 1, x, 0);
    }
    double second = right - knot(i + 1);
    if (second > 0) {
      value -=
          order > 0
              ? degree * derivative(i + 1, degree - 1, x, order - 1) / second
              : (x - right) / second * derivative(i + 1, degree - 1, x, 0);
    }
    return value;
  }

  /** Returns a knot of the cubic splines, the outer ones four times. */
  private double knot(int index) {
    return numbers.get(Math.max(0, Math.min(numbers.size() - 1, index - DEGREE)));
  }

  private static double[][] reflections(double[][] columns) {
    double[][] all = new double[columns.length][];
    for (int k = 0; k < columns.length; k++) {
      double[] u = columns[k].clone();
      for (int before = 0; before < k; before++) {
        reflect(all[before], before, u);
      }
      Arrays.fill(u, 0, k, 0);
      double norm = 0;
      for (double x : u) {
        norm = Math.hypot(norm, x);
      }
      double scale = u[k] < 0 ? -norm : norm;
      for (int i = k; i < u.length; i++) {
        u[i] /= scale;
      }
      u[k] += 1;
      all[k] = u;
    }
    return all;
  }

  private static void reflect(double[] u, int k, double[] x) {
    double product = 0;
    for (int i = k; i < x.length; i++) {
      product += u[i] * x[i];
    }
    for (int i = k; i < x.length; i++) {
      x[i] -= product / u[k] * u[i];
    }
  }

  @Override
  public int size() {
    return numbers.size() - 1;
  }

  @Override
  public void write(double x, double[] out) {
    int end = x < numbers.get(0) ? 0 : x > numbers.get(size()) ? 1 : -1;
    double[] b;
    if (end < 0) {
      double[] all = CubicSplines.values(numbers, x);
      b = Arrays.copyOfRange(all, 1, all.length);
    } else {
      b = atEnds[2 * end].clone();
      double beyond = x - numbers.get(end == 0 ? 0 : size());
      for (int i = 0; i < b.length; i++) {
        b[i] += beyond * atEnds[2 * end + 1][i];
      }
    }
    for (int k = 0; k < reflections.length; k++) {
      reflect(reflections[k], k, b);
    }
    System.arraycopy(b, ENDS, out, 0, size());
  }

  @Override
  public List<Double> numbers() {
    return numbers;
  }
}
