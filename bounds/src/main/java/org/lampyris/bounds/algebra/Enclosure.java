package org.lampyris.bounds.algebra;

import java.util.Arrays;

/**
 * Taylor polynomial whose coefficients are intervals: at every point of a box, the coefficients of
 * the expansion about this point lie in them. The constant encloses the value, and the coefficient
 * of u₁³, times 3!, the third derivative.
 *
 * <p>After every operation both ends move outward by one unit in the last place, which is more than
 * a rounded sum or product is off by, and the values of functions by {@link Univariate#INFLATION}.
 * So the width at a single point bounds the rounding error, and no exact value is outside.
 *
 * <p>Source: Moore (1966), chapters 3 and 11; Griewank and Walther (2008), section 13.2.
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
      sum.add(i, ((Enclosure) other.plain()).low[i], ((Enclosure) other.plain()).high[i]);
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

  private boolean isZero(int i) {
    return low[i] == 0 && high[i] == 0;
  }

  /** Adds the product of two intervals to a coefficient. */
  private void addProduct(int i, double a, double b, double c, double d) {
    double ac = product(a, c);
    double ad = product(a, d);
    double bc = product(b, c);
    double bd = product(b, d);
    double from = Math.min(Math.min(ac, ad), Math.min(bc, bd));
    double to = Math.max(Math.max(ac, ad), Math.max(bc, bd));
    boolean exact = (a == 1 && b == 1) || (c == 1 && d == 1);
    add(
        i,
        exact || from == 0 ? from : Math.nextDown(from),
        exact || to == 0 ? to : Math.nextUp(to));
  }

  /** Returns a·b, with 0·∞ = 0, as intervals want it; a product that underflows is not 0. */
  private static double product(double a, double b) {
    if (a == 0 || b == 0) {
      return 0;
    }
    double product = a * b;
    return product == 0 ? Math.copySign(Double.MIN_VALUE, a) * Math.signum(b) : product;
  }

  @Override
  public Term times(Term other) {
    return product(this, (Enclosure) other);
  }

  private static Enclosure product(Enclosure a, Enclosure b) {
    Monomials of = a.of;
    Enclosure product = new Enclosure(of);
    for (int p = 0; p < of.target.length; p++) {
      int i = of.left[p];
      int j = of.right[p];
      if (a.isZero(i) || b.isZero(j)) {
        continue; // 0·x adds nothing, and most terms are of few of the variables
      }
      if (i == j && a == b) {
        double least = a.low[i] > 0 ? a.low[i] : a.high[i] < 0 ? -a.high[i] : 0;
        double most = Math.max(-a.low[i], a.high[i]);
        product.addProduct(of.target[p], least, most, least, most);
      } else {
        product.addProduct(of.target[p], a.low[i], a.high[i], b.low[j], b.high[j]);
      }
    }
    return product;
  }

  @Override
  public Term times(double constant) {
    Enclosure product = new Enclosure(of);
    for (int i = 0; i < of.count; i++) {
      product.addProduct(i, low[i], high[i], constant, constant);
    }
    if (constant == -1) { // exact
      for (int i = 0; i < of.count; i++) {
        product.low[i] = -high[i];
        product.high[i] = -low[i];
      }
    }
    return product;
  }

  /** Σ_k f⁽ᵏ⁾(a₀)/k!·(a − a₀)ᵏ, with f⁽ᵏ⁾ enclosed over the constant's interval. */
  @Override
  Term of(Univariate function) {
    double[] from = new double[of.order + 1];
    double[] to = new double[of.order + 1];
    function.enclose(low[0], high[0], of.order, from, to);
    Enclosure sum = new Enclosure(of);
    sum.low[0] = from[0];
    sum.high[0] = to[0];
    Enclosure step = copy();
    step.low[0] = 0;
    step.high[0] = 0;
    Enclosure power = step;
    double factorial = 1;
    for (int k = 1; k <= of.order; k++) {
      factorial *= k;
      double a = k < 2 ? from[k] : Math.nextDown(from[k] / factorial);
      double b = k < 2 ? to[k] : Math.nextUp(to[k] / factorial);
      for (int i = 1; i < of.count; i++) {
        if (!power.isZero(i)) {
          sum.addProduct(i, a, b, power.low[i], power.high[i]);
        }
      }
      power = k < of.order ? product(power, step) : power;
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
