package org.lampyris.bounds.algebra;

/**
 * Taylor polynomial at a point, truncated: coefficients of {@link Monomials}, so that second
 * derivatives are exact to rounding. Cost of a product: the number of pairs of monomials.
 */
final class Jet extends Term {
  private final Monomials of;
  private final double[] coefficients;

  private Jet(Monomials of, double[] coefficients) {
    this.of = of;
    this.coefficients = coefficients;
  }

  /** Returns variable v at a value. */
  static Jet variable(Monomials of, int v, double value) {
    double[] coefficients = new double[of.count];
    coefficients[0] = value;
    coefficients[1 + v] = 1;
    return new Jet(of, coefficients);
  }

  /** Returns the Taylor coefficient at a place. */
  double coefficient(int place) {
    return coefficients[place];
  }

  @Override
  public boolean isPositive() {
    return coefficients[0] > 0;
  }

  @Override
  double middle() {
    return coefficients[0];
  }

  @Override
  public Term plus(Term other) {
    double[] sum = ((Jet) other.plain()).coefficients.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += coefficients[i];
    }
    return new Jet(of, sum);
  }

  @Override
  public Term plus(double constant) {
    double[] sum = coefficients.clone();
    sum[0] += constant;
    return new Jet(of, sum);
  }

  @Override
  public Term times(Term other) {
    return new Jet(of, product(coefficients, ((Jet) other.plain()).coefficients));
  }

  private double[] product(double[] a, double[] b) {
    double[] product = new double[of.count];
    for (int p = 0; p < of.target.length; p++) {
      product[of.target[p]] += a[of.left[p]] * b[of.right[p]];
    }
    return product;
  }

  @Override
  public Term times(double constant) {
    double[] product = coefficients.clone();
    for (int i = 0; i < product.length; i++) {
      product[i] *= constant;
    }
    return new Jet(of, product);
  }

  /** Σ_k f⁽ᵏ⁾(a₀)/k!·(a − a₀)ᵏ. */
  @Override
  Term of(Univariate function) {
    double[] f = new double[of.order + 1];
    function.write(coefficients[0], of.order, f);
    double[] sum = new double[of.count];
    sum[0] = f[0];
    double[] step = coefficients.clone();
    step[0] = 0;
    double[] power = step;
    double factor = 1;
    for (int k = 1; k <= of.order; k++) {
      factor /= k;
      for (int i = 1; i < sum.length; i++) {
        sum[i] += factor * f[k] * power[i];
      }
      power = k < of.order ? product(power, step) : power;
    }
    return new Jet(of, sum);
  }
}
