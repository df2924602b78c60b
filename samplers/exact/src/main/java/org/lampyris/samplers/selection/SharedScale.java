package org.lampyris.samplers.selection;

import java.io.Serializable;

/**
 * Prior of m coefficients x that a scale ν shrinks together: x_j ~ Laplace(0, ν) given ν, and log ν
 * uniform between log a and log b. ν is integrated out, so with S = Σ|x_j|
 *
 * <pre>p(x) = 1/log(b/a) ∫_a^b (2ν)^(−m) exp(−S/ν) dν/ν.</pre>
 *
 * <p>Korattikara, Chen and Welling (2014), section 6.3, have a = 0 and b = ∞, and the density
 * S^(−m) Γ(m). That one has no finite integral, over S near 0 or over large S, and the posterior
 * has none near 0 either: the likelihood of x = 0 is positive. Both ends are therefore needed.
 *
 * @param least a, above 0, in units of a coefficient
 * @param largest b, above a
 */
record SharedScale(double least, double largest) implements Serializable {
  /** The integrand beyond is below e^−DEPTH times its largest value. */
  private static final double DEPTH = 45;

  /** Step and number of steps to each side of the tanh-sinh rule: errors below 10⁻¹⁰. */
  private static final double STEP = 1.0 / 32;

  private static final int STEPS = 112;

  /**
   * log p(x), natural log, and what x says about ν.
   *
   * @param inverse E[1/ν | x]: −∂ log p/∂S
   * @param variance var[1/ν | x]: ∂² log p/∂S²
   */
  record Value(double logDensity, double inverse, double variance) {}

  /**
   * Evaluates it for m coefficients with the sum S of absolute values. The integrand is log-concave
   * in u = log ν, with its peak at log(S/m).
   */
  Value at(int m, double sum) {
    double low = Math.log(least);
    double high = Math.log(largest);
    double peak = Math.min(high, Math.max(low, Math.log(sum / m)));
    double top = exponent(m, sum, peak);
    double from = end(m, sum, peak, low, top);
    double to = end(m, sum, peak, high, top);
    double mass = 0;
    double first = 0;
    double second = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
      double t = i * STEP;
      double inner = 0.5 * Math.PI * Math.sinh(t);
      double u = 0.5 * (from + to) + 0.5 * (to - from) * Math.tanh(inner);
      double cosh = Math.cosh(inner);
      double weight = 0.5 * (to - from) * STEP * 0.5 * Math.PI * Math.cosh(t) / (cosh * cosh);
      double density = weight * Math.exp(exponent(m, sum, u) - top);
      mass += density;
      first += density * Math.exp(-u);
      second += density * Math.exp(-2 * u);
    }
    double inverse = first / mass;
    return new Value(
        top + Math.log(mass) - m * Math.log(2) - Math.log(high - low),
        inverse,
        Math.max(0, second / mass - inverse * inverse));
  }

  private static double exponent(int m, double sum, double u) {
    return -m * u - sum * Math.exp(-u);
  }

  /** Returns the place between the peak and an end beyond which the integrand is negligible. */
  private static double end(int m, double sum, double peak, double end, double top) {
    double inside = peak;
    double outside = end;
    if (exponent(m, sum, end) > top - DEPTH) {
      return end;
    }
    for (int i = 0; i < 40; i++) {
      double middle = 0.5 * (inside + outside);
      if (exponent(m, sum, middle) > top - DEPTH) {
        inside = middle;
      } else {
        outside = middle;
      }
    }
    return outside;
  }
}
