package org.lampyris.bounds.algebra;

import java.util.Arrays;

/**
 * Taylor polynomial whose coefficients are intervals: at every point of a box, the coefficients of
 * the expansion about this point lie in them. The constant encloses the value, and the coefficient
 * of u₁³, times 3!, the third derivative.
 *
 * <p>After every operation both ends move outward: a sum by one unit in the last place, which is more
 * than it is off by, a sum of n products by the bound (n + 1)·2⁻⁵³ Σ|pᵢ| on its rounding, and
 * values of functions by {@link Univariate#INFLATION}. So the width at a single point bounds the
 * rounding error, and no exact value is outside.
 *
 * <p>Source: Moore (1966), chapters 3 and 11; Griewank and Walther (2008), section 13.2;
 * Higham (2002), section 3.1, for sums of products.
 */
final class Enclosure extends Term {
  private final Monomials of;
  private final double[] low;
  private final double[] high;

  private Enclosure(Monomials of) {
    this.of = of;
    this.low = new double[of.count];
    this.high = new double[of.count];
  }

  /** Returns variable v between two ends. */
  static Enclosure variable(Monomials of, int v, double from, double to) {
    Enclosure variable = new Enclosure(of);
    variable.low[0] = from;
    variable.high[0] = to;
    if (of.order > 0) {
      variable.low[1 + v] = 1;
      variable.high[1 + v] = 1;
    }
    return variable;
  }

  /** Returns the lower end of a Taylor coefficient; −∞ if there is none. */
  double low(int place) {
    return Double.isNaN(low[place]) ? Double.NEGATIVE_INFINITY : low[place];
  }

  /** Returns the upper end; +∞ if there is none. */
  double high(int place) {
    return Double.isNaN(high[place]) ? Double.POSITIVE_INFINITY : high[place];
  }

  @Override
  public Term plus(Term other) {
    Enclosure sum = copy();
    for (int i = 0; i < of.count; i++) {
      sum.add(i, ((Enclosure) other).low[i], ((Enclosure) other).high[i]);
    }
    return sum;
  }

  @Override
  public Term plus(double constant) {
    Enclosure sum = copy();
    sum.add(0, constant, constant);
    return sum;
  }

  private Enclosure copy() {
    Enclosure copy = new Enclosure(of);
    System.arraycopy(low, 0, copy.low, 0, of.count);
    System.arraycopy(high, 0, copy.high, 0, of.count);
    return copy;
  }

  /** Adds an interval to a coefficient, outward; sums with 0 are exact. */
  private void add(int i, double from, double to) {
    low[i] = low[i] == 0 ? from : from == 0 ? low[i] : Math.nextDown(low[i] + from);
    high[i] = high[i] == 0 ? to : to == 0 ? high[i] : Math.nextUp(high[i] + to);
  }

  /** Sum of products of intervals, [a, b]·[c, d], whose rounding is taken into account once. */
  private static final class ProductSum {
    private static final double UNIT = 0x1p-53;

    private double from;
    private double to;
    private double sizeFrom;
    private double sizeTo;
    private int terms;
    private boolean aboveZero = true;
    private boolean belowZero = true;

    /** Adds a factor, which is exact, times a product. A product of 0 adds nothing. */
    void add(double factor, double a, double b, double c, double d) {
      if ((a == 0 && b == 0) || (c == 0 && d == 0)) {
        return;
      }
      double least;
      double most;
      if (a >= 0) {
        least = c >= 0 ? a * c : b * c;
        most = d <= 0 ? a * d : b * d;
      } else if (b <= 0) {
        least = d <= 0 ? b * d : a * d;
        most = c >= 0 ? b * c : a * c;
      } else if (c >= 0) {
        least = a * d;
        most = b * d;
      } else if (d <= 0) {
        least = b * c;
        most = a * c;
      } else {
        least = Math.min(a * d, b * c);
        most = Math.max(a * c, b * d);
      }
      aboveZero &= (a >= 0 && c >= 0) || (b <= 0 && d <= 0);
      belowZero &= (a >= 0 && d <= 0) || (b <= 0 && c >= 0);
      from += factor * least;
      to += factor * most;
      sizeFrom += factor * Math.abs(least);
      sizeTo += factor * Math.abs(most);
      terms++;
    }

    /** Writes the sum outward, and begins another. */
    void write(Enclosure out, int i) {
      if (terms > 0) {
        int times = terms == 1 ? 1 : terms + 1;
        double low = Math.nextDown(from - times * (UNIT * sizeFrom + Double.MIN_VALUE));
        double high = Math.nextUp(to + times * (UNIT * sizeTo + Double.MIN_VALUE));
        out.low[i] = aboveZero ? Math.max(0, low) : low;
        out.high[i] = belowZero ? Math.min(0, high) : high;
        from = 0;
        to = 0;
        sizeFrom = 0;
        sizeTo = 0;
        terms = 0;
      }
      aboveZero = true;
      belowZero = true;
    }
  }

  @Override
  public Term times(Term other) {
    return product(this, (Enclosure) other);
  }

  private static Enclosure product(Enclosure a, Enclosure b) {
    Monomials of = a.of;
    Enclosure product = new Enclosure(of);
    ProductSum sum = new ProductSum();
    for (int t = 0; t < of.count; t++) {
      for (int p = of.start[t]; p < of.start[t + 1]; p++) {
        int i = of.left[p];
        int j = of.right[p];
        if (a != b) {
          sum.add(1, a.low[i], a.high[i], b.low[j], b.high[j]);
        } else if (i == j) {
          double least = a.low[i] > 0 ? a.low[i] : a.high[i] < 0 ? -a.high[i] : 0;
          double most = Math.max(-a.low[i], a.high[i]);
          sum.add(1, least, most, least, most);
        } else if (i < j) {
          sum.add(2, a.low[i], a.high[i], a.low[j], a.high[j]);
        }
      }
      sum.write(product, t);
    }
    return product;
  }

  @Override
  public Term times(double constant) {
    Enclosure product = new Enclosure(of);
    boolean exact = Math.abs(constant) == 1;
    for (int i = 0; i < of.count && constant != 0; i++) {
      double a = constant < 0 ? high[i] : low[i];
      double b = constant < 0 ? low[i] : high[i];
      product.low[i] = exact || a == 0 ? a * constant : Math.nextDown(a * constant);
      product.high[i] = exact || b == 0 ? b * constant : Math.nextUp(b * constant);
    }
    return product;
  }

  /** Σ_k f⁽ᵏ⁾(a₀)/k!·(a − a₀)ᵏ, with f⁽ᵏ⁾ enclosed over the constant's interval. */
  @Override
  Term of(Univariate function) {
    int order = of.order;
    double[] from = new double[order + 1];
    double[] to = new double[order + 1];
    function.enclose(low[0], high[0], order, from, to);
    Enclosure sum = new Enclosure(of);
    sum.low[0] = from[0];
    sum.high[0] = to[0];
    if (order == 0) {
      return sum;
    }
    Enclosure step = copy();
    step.low[0] = 0;
    step.high[0] = 0;
    Enclosure[] powers = new Enclosure[order + 1];
    double factorial = 1;
    for (int k = 1; k <= order; k++) {
      powers[k] = k == 1 ? step : product(powers[k - 1], step);
      factorial *= k;
      from[k] = k < 2 ? from[k] : Math.nextDown(from[k] / factorial);
      to[k] = k < 2 ? to[k] : Math.nextUp(to[k] / factorial);
    }
    ProductSum products = new ProductSum();
    for (int i = 1; i < of.count; i++) {
      for (int k = 1; k <= order; k++) {
        products.add(1, from[k], to[k], powers[k].low[i], powers[k].high[i]);
      }
      products.write(sum, i);
    }
    return sum;
  }

  @Override
  public boolean isPositive() {
    return low[0] > 0;
  }

  @Override
  double middle() {
    return 0.5 * (low[0] + high[0]);
  }

  /**
   * {@inheritDoc} It is also d times the mean of (log Φ)′ between a and b, whose coefficients are
   * between the least and the largest. A value alone is left as it is: its width says how it was
   * computed.
   */
  @Override
  Term narrowed(Term a, Term b, Term d) {
    if (of.order == 0) {
      return this;
    }
    Enclosure all = new Enclosure(of);
    for (int i = 0; i < of.count; i++) {
      all.low[i] = Math.min(((Enclosure) a).low[i], ((Enclosure) b).low[i]);
      all.high[i] = Math.max(((Enclosure) a).high[i], ((Enclosure) b).high[i]);
    }
    Enclosure other = (Enclosure) all.of(Univariate.MILLS).times(d);
    Enclosure both = new Enclosure(of);
    for (int i = 0; i < of.count; i++) {
      both.low[i] = Math.max(low(i), other.low(i));
      both.high[i] = Math.min(high(i), other.high(i));
    }
    return both;
  }

  @Override
  public String toString() {
    return Arrays.toString(low) + " … " + Arrays.toString(high);
  }
}
