package org.lampyris.bounds.numeric;

/**
 * Differences between log Γ and its approximations, natural log, without subtracting numbers of the
 * size x log x.
 */
public final class LogGamma {
  /** From here on ten terms of Stirling's series are exact to the last digit. */
  private static final double SERIES_FROM = 10;

  /** B₂, B₄, …, the numbers of Bernoulli. */
  private static final double[] BERNOULLI = {
    1.0 / 6,
    -1.0 / 30,
    1.0 / 42,
    -1.0 / 30,
    5.0 / 66,
    -691.0 / 2730,
    7.0 / 6,
    -3617.0 / 510,
    43867.0 / 798,
    -174611.0 / 330
  };

  /** Coefficients B₂ₖ/2k(2k − 1) of u^(1 − 2k) in S(u), k = 1, 2, …. */
  private static final double[] VALUE = new double[BERNOULLI.length];

  /** −B₂ₖ/2k, likewise for u S′(u); those for u² S″(u) are B₂ₖ. */
  private static final double[] SLOPE = new double[BERNOULLI.length];

  static {
    for (int k = 1; k <= BERNOULLI.length; k++) {
      VALUE[k - 1] = BERNOULLI[k - 1] / (2 * k * (2 * k - 1));
      SLOPE[k - 1] = -BERNOULLI[k - 1] / (2 * k);
    }
  }

  private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

  private LogGamma() {}

  /**
   * Returns log Γ(x + ½) − log Γ(x) for x > 0, as the difference of two Stirling series past 10,
   * reached by Γ(x + 1) = xΓ(x).
   */
  public static double halfStep(double x) {
    double shift = 0;
    double u = x;
    while (u < SERIES_FROM) {
      shift += Math.log1p(0.5 / u);
      u += 1;
    }
    // Stirling: log Γ(u) = (u − ½) log u − u + ½ log 2π + S(u)
    double half = u + 0.5;
    return u * Math.log1p(0.5 / u)
        - 0.5
        + 0.5 * Math.log(u)
        + series(VALUE, half)
        - series(VALUE, u)
        - shift;
  }

  /**
   * Returns S(x) = log Γ(x) − (x − ½) log x + x − ½ log 2π for x > 0: the error of Stirling's
   * formula for log Γ(x), or, with (x + ½) log x, for log x! = log Γ(x + 1). It decreases from +∞
   * at 0 to 0.
   */
  public static double stirlingError(double x) {
    // S(u) − S(u + 1) = (u + ½) log(1 + 1/u) − 1
    double sum = 0;
    double u = x;
    while (u < SERIES_FROM) {
      sum += (u + 0.5) * Math.log1p(1 / u) - 1;
      u += 1;
    }
    return sum + series(VALUE, u);
  }

  /** Returns x S′(x) for x > 0, with S from {@link #stirlingError}. */
  public static double stirlingErrorSlope(double x) {
    double sum = 0;
    double u = x;
    while (u < SERIES_FROM) {
      sum += x * Math.log1p(1 / u) - x / u * ((u + 0.5) / (u + 1));
      u += 1;
    }
    return sum + x / u * series(SLOPE, u);
  }

  /** Returns x² S″(x) for x > 0, with S from {@link #stirlingError}. */
  public static double stirlingErrorCurvature(double x) {
    double sum = 0;
    double u = x;
    while (u < SERIES_FROM) {
      double share = x / u / (u + 1);
      sum += 0.5 * share * share;
      u += 1;
    }
    return sum + x / u * (x / u) * series(BERNOULLI, u);
  }

  /** Returns x³ S‴(x) for x > 0, not positive, with S from {@link #stirlingError}. */
  public static double stirlingErrorThird(double x) {
    double sum = 0;
    double u = x;
    while (u < SERIES_FROM) {
      double share = x / u / (u + 1);
      sum -= share * share * share * (2 * u + 1);
      u += 1;
    }
    double r2 = 1 / (u * u);
    double series = 0;
    for (int k = BERNOULLI.length; k >= 1; k--) {
      series = (2 * k + 1) * BERNOULLI[k - 1] + r2 * series;
    }
    double share = x / u;
    return sum - share * share * share * series / u;
  }

  /**
   * Writes S(x), x S′(x) and x² S″(x) for x > 0, with S from {@link #stirlingError}, at little more
   * than the cost of one.
   *
   * @param out of length 3. Modified.
   */
  public static void stirlingErrors(double x, double[] out) {
    double error = 0;
    double slope = 0;
    double curvature = 0;
    double u = x;
    while (u < SERIES_FROM) {
      double log = Math.log1p(1 / u);
      double share = x / u / (u + 1);
      error += (u + 0.5) * log - 1;
      slope += x * log - share * (u + 0.5);
      curvature += 0.5 * share * share;
      u += 1;
    }
    out[0] = error + series(VALUE, u);
    out[1] = slope + x / u * series(SLOPE, u);
    out[2] = curvature + x / u * (x / u) * series(BERNOULLI, u);
  }

  /**
   * Returns a bound on |d²S/d(log x)²| = |xS′ + x²S″| for all x from {@code least} on, above 0: by
   * Binet's formula S(x) = ∫ k(t)e^−xt dt with 0 ≤ k ≤ 1/12 it is at most ∫ |z² − z| e⁻ᶻ dz / 12x =
   * 0.1006/x, and its largest value is 0.11497.
   */
  public static double stirlingSecond(double least) {
    return Math.min(0.101 / least, 0.115);
  }

  /**
   * Returns a bound on |d³S/d(log x)³| for all x from {@code least} on, above 0: likewise ∫ |z −
   * 3z² + z³| e⁻ᶻ dz / 12x = 0.18194/x, and its largest value is 0.04696.
   */
  public static double stirlingThird(double least) {
    return Math.min(0.182 / least, 0.047);
  }

  /** Returns log Γ(x) for x > 0. */
  public static double of(double x) {
    return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingError(x);
  }

  /** Returns Σ cₖu^(1 − 2k), k = 1, 2, …, for u ≥ {@value #SERIES_FROM}. */
  private static double series(double[] coefficients, double u) {
    double r = 1 / u;
    double r2 = r * r;
    double sum = 0;
    for (int k = coefficients.length - 1; k >= 0; k--) {
      sum = coefficients[k] + r2 * sum;
    }
    return r * sum;
  }
}
