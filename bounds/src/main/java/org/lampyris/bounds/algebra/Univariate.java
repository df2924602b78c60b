package org.lampyris.bounds.algebra;

import java.util.Arrays;
import org.apache.commons.numbers.gamma.Erfc;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.bounds.numeric.NormalTail;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Function of one variable: its derivatives f, f′, f″ and f‴ at a point, and the points where a
 * derivative has a local extreme. Between those a derivative is monotone, so that its values at the
 * ends of an interval and at the extremes inside enclose it.
 */
abstract class Univariate {
  /** By how much a computed derivative may be off: relative to itself or to {@link #floor}. */
  static final double INFLATION = 0x1p-48;

  static final Univariate EXP =
      new Univariate(0, 0, Double.NEGATIVE_INFINITY) {
        @Override
        void write(double x, int order, double[] out) {
          Arrays.fill(out, StableMath.exp(x));
        }
      };

  static final Univariate EXPM1 =
      new Univariate(0, 0, Double.NEGATIVE_INFINITY) {
        @Override
        void write(double x, int order, double[] out) {
          Arrays.fill(out, StableMath.exp(x));
          out[0] = Math.expm1(x);
        }
      };

  static final Univariate LOG =
      new Univariate(0, 0, 0) {
        @Override
        void write(double x, int order, double[] out) {
          logarithm(Math.log(x), x, order, out);
        }
      };

  static final Univariate LOG1P =
      new Univariate(0, 0, -1) {
        @Override
        void write(double x, int order, double[] out) {
          logarithm(Math.log1p(x), 1 + x, order, out);
        }
      };

  /** log(1 + x²); the extremes of f‴ are ±(√2 ± 1). */
  static final Univariate LOG1P_SQUARE =
      new Univariate(
          1,
          1,
          Double.NEGATIVE_INFINITY,
          new double[] {0},
          new double[] {-1, 1},
          new double[] {-Math.sqrt(3), 0, Math.sqrt(3)},
          new double[] {-Math.sqrt(2) - 1, 1 - Math.sqrt(2), Math.sqrt(2) - 1, Math.sqrt(2) + 1}) {
        @Override
        void write(double x, int order, double[] out) {
          double square = x * x;
          out[0] = Math.log1p(square);
          if (order > 0) {
            double q = 1 / (1 + square);
            double at = q == 0 ? 0 : x;
            double[] of = {
              2 * at * q, 2 * (1 - at * at) * q * q, 4 * at * (at * at - 3) * q * q * q
            };
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  /** On one side of 0. */
  static final Univariate RECIPROCAL =
      new Univariate(0, 0, Double.NEGATIVE_INFINITY) {
        @Override
        void write(double x, int order, double[] out) {
          double value = 1 / x;
          for (int k = 0; k <= order; k++) {
            out[k] = value;
            value *= -(k + 1) / x;
          }
        }

        @Override
        boolean isDefined(double low, double high) {
          return low > 0 || high < 0;
        }
      };

  static final Univariate SQUARE =
      new Univariate(0, 0, Double.NEGATIVE_INFINITY, new double[] {0}) {
        @Override
        void write(double x, int order, double[] out) {
          Arrays.fill(out, 0);
          out[0] = x * x;
          if (order > 0) {
            out[1] = 2 * x;
          }
          if (order > 1) {
            out[2] = 2;
          }
        }
      };

  /** log(2 + √3), where σ″ has its extremes. */
  private static final double SIGMOID_TURN = 1.3169578969248166;

  /** log((1 + √⅔)/(1 − √⅔)), where σ‴ has two of its three. */
  private static final double SIGMOID_SECOND_TURN = 2.2924316695611777;

  /** f′ = σ, f″ = σ(1 − σ), f‴ = σ(1 − σ)(1 − 2σ). */
  static final Univariate LOG1P_EXP =
      new Univariate(
          1,
          3,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[0],
          new double[] {0},
          new double[] {-SIGMOID_TURN, SIGMOID_TURN}) {
        @Override
        void write(double x, int order, double[] out) {
          out[0] = StableMath.log1pExp(x);
          if (order > 0) {
            double s = StableMath.sigmoid(x);
            double rest = StableMath.sigmoid(-x);
            double[] of = {s, s * rest, s * rest * (rest - s)};
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  static final Univariate SIGMOID =
      new Univariate(
          1,
          2,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[] {0},
          new double[] {-SIGMOID_TURN, SIGMOID_TURN},
          new double[] {-SIGMOID_SECOND_TURN, 0, SIGMOID_SECOND_TURN}) {
        @Override
        void write(double x, int order, double[] out) {
          double s = StableMath.sigmoid(x);
          double rest = StableMath.sigmoid(-x);
          double w = s * rest;
          double[] of = {s, w, w * (rest - s), w * (1 - 6 * w)};
          System.arraycopy(of, 0, out, 0, order + 1);
        }
      };

  /** With h = 1/(eˣ − 1): f′ = h, f″ = −h(1 + h), f‴ = h(1 + h)(1 + 2h). */
  static final Univariate LOG1M_EXP =
      new Univariate(0, 0, 0) {
        @Override
        void write(double x, int order, double[] out) {
          double positive = StableMath.brightProbability(x);
          out[0] = x > 1 ? Math.log1p(-StableMath.exp(-x)) : Math.log(positive);
          if (order > 0) {
            double h = StableMath.exp(-x) / positive;
            double[] of = {h, -h / positive, h / positive * (1 + 2 * h)};
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  /**
   * log(1 − exp(−eˣ)). With u = eˣ, g = u/(eᵘ − 1) and d = 1 − u − g: f′ = g, f″ = gd and f‴ = g(d²
   * − u − gd). The extremes are roots of f‴ and f⁗, to 17 digits.
   */
  static final Univariate LOG1M_EXP_EXP =
      new Univariate(
          1,
          3,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[0],
          new double[] {0.6208296545655722},
          new double[] {-0.1989415669582958, 1.4266906535862953}) {
        @Override
        void write(double x, int order, double[] out) {
          double u = StableMath.exp(x);
          boolean small = u <= 1;
          double positive = StableMath.brightProbability(u);
          out[0] =
              u < 1e-9 ? x - 0.5 * u : small ? Math.log(positive) : Math.log1p(-StableMath.exp(-u));
          if (order > 0) {
            double g =
                u == 0 ? 1 : small ? u / StableMath.expm1(u) : u * StableMath.exp(-u) / positive;
            double d = small ? fromOne(u) : 1 - u - g;
            boolean gone = !(g > 0);
            double[] of = {gone ? 0 : g, gone ? 0 : g * d, gone ? 0 : g * (d * d - u - g * d)};
            System.arraycopy(of, 0, out, 1, order);
          }
        }

        /** Returns 1 − u − g, which nearly cancels for a small u. */
        private double fromOne(double u) {
          double more = StableMath.expm1(u);
          return u == 0 ? 0 : StableMath.expMinusLinear(u) / more - u;
        }
      };

  /** f′ = φ, f″ = −xφ, f‴ = (x² − 1)φ. */
  static final Univariate PHI =
      new Univariate(
          1,
          3,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[] {0},
          new double[] {-1, 1},
          new double[] {-Math.sqrt(3), 0, Math.sqrt(3)}) {
        @Override
        void write(double x, int order, double[] out) {
          out[0] = 0.5 * Erfc.value(-x * Math.sqrt(0.5));
          if (order > 0) {
            double density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
            double at = density == 0 ? 0 : x;
            double[] of = {density, -at * density, (at * at - 1) * density};
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  /** Above the far tail, f‴ ≤ 2/|x|³, from the asymptotic series. DLMF 7.12.1. */
  private static final double PHI_FAR = -20;

  /** With h = φ/Φ: f′ = h, f″ = −h(x + h), f‴ = h((x + h)(x + 2h) − 1) > 0. */
  static final Univariate LOG_PHI =
      new Univariate(
          16,
          3,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[0],
          new double[0],
          new double[] {NormalTail.LARGEST_THIRD_AT}) {
        @Override
        void write(double x, int order, double[] out) {
          double[] h = new double[2];
          out[0] = NormalTail.logCdf(x, h);
          if (order > 0) {
            boolean limit = x == Double.NEGATIVE_INFINITY;
            double[] of = {
              h[0], limit ? -1 : -h[0] * h[1], limit ? 0 : h[0] * (h[1] * (h[1] + h[0]) - 1)
            };
            System.arraycopy(of, 0, out, 1, order);
          }
        }

        /** {@inheritDoc} Far out much cancels in f‴, which is positive and rises there. */
        @Override
        void enclose(double low, double high, int order, double[] from, double[] to) {
          super.enclose(low, high, order, from, to);
          if (order == 3 && low < PHI_FAR) {
            from[3] = 0;
            to[3] = high < PHI_FAR ? Math.nextUp(2 / -high / high / high * (1 + INFLATION)) : to[3];
          }
        }
      };

  /**
   * (log Φ)′ = φ/Φ = h. With u = x + h: f′ = −hu, f″ = h(u² + hu − 1) and f‴ = h(h + 3u − u³ − 4hu²
   * − h²u). The extremes of f‴ to 17 digits.
   */
  static final Univariate MILLS =
      new Univariate(
          1024,
          2,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[0],
          new double[] {NormalTail.LARGEST_THIRD_AT},
          new double[] {-0.029833620926059144, 2.071288938808874}) {
        @Override
        void write(double x, int order, double[] out) {
          double[] of = new double[2];
          NormalTail.logCdf(x, of);
          double h = of[0];
          double u = of[1];
          out[0] = h;
          if (order > 0) {
            double[] slopes = {
              -h * u, h * (u * (u + h) - 1), h * (h + u * (3 - u * u - h * (4 * u + h)))
            };
            System.arraycopy(slopes, 0, out, 1, order);
          }
        }

        /** {@inheritDoc} Far out much cancels in f″ and f‴, which are positive and rise there. */
        @Override
        void enclose(double low, double high, int order, double[] from, double[] to) {
          super.enclose(low, high, order, from, to);
          if (order < 2 || !(low < PHI_FAR)) {
            return;
          }
          double[] near = new double[order + 1];
          double[] most = new double[order + 1];
          super.enclose(PHI_FAR, Math.max(PHI_FAR, high), order, near, most);
          for (int k = 2; k <= order; k++) {
            double bound = k == 2 ? -2 / high / high / high : 6 / high / high / high / high;
            from[k] = high < PHI_FAR ? 0 : Math.min(0, near[k]);
            to[k] = high < PHI_FAR ? Math.nextUp(bound * (1 + INFLATION)) : most[k];
          }
        }
      };

  /** With q = 1/(1 + x²): f′ = −q, f″ = 2xq², f‴ = (2 − 6x²)q³. */
  static final Univariate ARCCOT =
      new Univariate(
          1,
          3,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[] {0},
          new double[] {-Math.sqrt(1.0 / 3), Math.sqrt(1.0 / 3)},
          new double[] {-1, 0, 1}) {
        @Override
        void write(double x, int order, double[] out) {
          out[0] = Math.atan2(1, x);
          if (order > 0) {
            double q = 1 / (1 + x * x);
            double at = q == 0 ? 0 : x;
            double[] of = {-q, 2 * at * q * q, (2 - 6 * at * at) * q * q * q};
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  /** Where Γ is least. DLMF 5.4.20. */
  private static final double GAMMA_LEAST_AT = 1.4616321449683622;

  /** ψ, ψ′ and ψ″ by Stirling's formula and its error S. DLMF 5.11.1. */
  static final Univariate LOG_GAMMA =
      new Univariate(1, 0, 0, new double[] {GAMMA_LEAST_AT}) {
        @Override
        void write(double x, int order, double[] out) {
          out[0] = LogGamma.of(x);
          if (order > 0) {
            double[] s = stirling(x);
            double r = 1 / x;
            double[] of = {
              Math.log(x) - 0.5 * r + s[1], r + 0.5 * r * r + s[2], -r * r - r * r * r + s[3]
            };
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  /** Below this, derivatives of log(1 + x)/x are summed from their series. */
  private static final double SMALL_RATIO = 0.3;

  /**
   * log(1 + x)/x, which is completely monotone: f⁽ᵏ⁾ = ((log(1 + x))⁽ᵏ⁾ − k f⁽ᵏ⁻¹⁾)/x. About 0, Σ
   * (−x)ⁱ/(i + 1).
   */
  static final Univariate LOG1P_RATIO =
      new Univariate(64, 0, -SMALL_RATIO) {
        @Override
        void write(double x, int order, double[] out) {
          if (x < SMALL_RATIO) {
            series(x, order, out);
            return;
          }
          boolean far = x == Double.POSITIVE_INFINITY;
          out[0] = far ? 0 : Math.log1p(x) / x;
          double of = 1 / (1 + x);
          for (int k = 1; k <= order; k++) {
            out[k] = far ? 0 : (of - k * out[k - 1]) / x;
            of *= -k / (1 + x);
          }
        }

        private void series(double x, int order, double[] out) {
          Arrays.fill(out, 0);
          for (int i = 40; i >= 0; i--) {
            // Horner's scheme of all derivatives at once, by Taylor coefficients.
            for (int k = order; k > 0; k--) {
              out[k] = out[k] * -x - out[k - 1];
            }
            out[0] = out[0] * -x + 1.0 / (i + 1);
          }
          for (int k = 2, factorial = 2; k <= order; k++, factorial *= k) {
            out[k] *= factorial;
          }
        }
      };

  /**
   * log Γ((ν + 1)/2) − log Γ(ν/2) − ½ log(πν) of x = log ν: with a = ν/2, u = a + ½, l = log(u/a)
   * and Stirling's error S, al − ½ + S(u) − S(a) − ½ log 2π. The extremes as they round.
   */
  static final Univariate STUDENT_CONSTANT =
      new Univariate(
          1,
          0,
          Double.NEGATIVE_INFINITY,
          new double[0],
          new double[0],
          new double[] {-0.366771619531721},
          new double[] {-1.5780474811598277, 0.8061961555956815}) {
        @Override
        void write(double x, int order, double[] out) {
          double a = Math.max(LEAST, 0.5 * Math.exp(x));
          out[0] = LogGamma.halfStep(a) - 0.5 * (x + Math.log(Math.PI));
          if (order > 0) {
            double u = a + 0.5;
            double[] by = stirlingBetween(a, u);
            double first = a * (Math.log1p(0.5 / a) - 0.5 / u) + by[1];
            double second = -0.25 * a / u / u + by[2];
            double third = 0.25 * a / u / u + 0.5 * (a / u) * (a / u) / u + by[3];
            double[] of = {first, first + second, first + 3 * second + third};
            System.arraycopy(of, 0, out, 1, order);
          }
        }
      };

  private final double floor;

  /** The first derivative in which terms cancel. */
  private final int cancelling;

  private final double domain;
  private final double[][] turns = new double[4][0];

  /**
   * Describes a function.
   *
   * @param floor the size of terms that cancel in a derivative
   * @param cancelling the first derivative in which they do
   * @param domain where the function begins
   * @param turns the local extremes of f, f′, f″ and f‴
   */
  private Univariate(double floor, int cancelling, double domain, double[]... turns) {
    this.floor = floor;
    this.cancelling = cancelling;
    this.domain = domain;
    System.arraycopy(turns, 0, this.turns, 0, turns.length);
  }

  /**
   * Writes f, f′, … up to an order, at most 3.
   *
   * @param out of length order + 1. Modified.
   */
  abstract void write(double x, int order, double[] out);

  /** Returns whether the function is defined between two ends. */
  boolean isDefined(double low, double high) {
    return low >= domain;
  }

  /**
   * Writes the ends of f, f′, … on an interval, rounded outward: −∞ and +∞ where they are unknown.
   */
  void enclose(double low, double high, int order, double[] from, double[] to) {
    if (!(low <= high) || !isDefined(low, high)) {
      Arrays.fill(from, Double.NEGATIVE_INFINITY);
      Arrays.fill(to, Double.POSITIVE_INFINITY);
      return;
    }
    Arrays.fill(from, Double.POSITIVE_INFINITY);
    Arrays.fill(to, Double.NEGATIVE_INFINITY);
    double[] at = new double[order + 1];
    write(low, order, at);
    widen(at, 0, order, from, to);
    if (high > low) {
      write(high, order, at);
      widen(at, 0, order, from, to);
    }
    for (int k = 0; k <= order; k++) {
      for (double turn : turns[k]) {
        if (turn > low && turn < high) {
          write(turn, order, at);
          widen(at, k, k, from, to);
        }
      }
    }
  }

  /** Widens intervals to hold what is computed, give or take its error. */
  private void widen(double[] at, int first, int last, double[] from, double[] to) {
    for (int k = first; k <= last; k++) {
      double error = INFLATION * Math.max(Math.abs(at[k]), k >= cancelling ? floor : 0);
      boolean known = !Double.isNaN(at[k]);
      boolean finite = Math.abs(at[k]) < Double.POSITIVE_INFINITY;
      double less = finite ? Math.nextDown(at[k] - error) : at[k];
      double more = finite ? Math.nextUp(at[k] + error) : at[k];
      from[k] = Math.min(from[k], known ? less : Double.NEGATIVE_INFINITY);
      to[k] = Math.max(to[k], known ? more : Double.POSITIVE_INFINITY);
    }
  }

  /** log x has the derivatives 1/x, −1/x² and 2/x³; the argument is x or 1 + x. */
  private static void logarithm(double value, double x, int order, double[] out) {
    out[0] = value;
    double r = 1 / x;
    double[] of = {r, -r * r, 2 * r * r * r};
    System.arraycopy(of, 0, out, 1, order);
  }

  /** Returns S, S′, S″ and S‴ at x. */
  private static double[] stirling(double x) {
    double[] s = new double[4];
    LogGamma.stirlingErrors(x, s);
    s[1] /= x;
    s[2] = s[2] / x / x;
    s[3] = LogGamma.stirlingErrorThird(x) / x / x / x;
    return s;
  }

  /** Shapes are not below this: powers of them would be 0. */
  private static final double LEAST = 1e-300;

  /** Returns xᵏ(S⁽ᵏ⁾(u) − S⁽ᵏ⁾(x)) for k = 0 … 3 and 0 < x ≤ u. */
  private static double[] stirlingBetween(double x, double u) {
    double[] a = new double[4];
    double[] b = new double[4];
    LogGamma.stirlingErrors(x, a);
    LogGamma.stirlingErrors(u, b);
    a[3] = LogGamma.stirlingErrorThird(x);
    b[3] = LogGamma.stirlingErrorThird(u);
    double share = 1;
    for (int k = 0; k < 4; k++) {
      b[k] = share * b[k] - a[k];
      share *= x / u;
    }
    return b;
  }

  /** Returns xᵖ for x ≥ 0; each of its derivatives is monotone. */
  static Univariate power(double p) {
    return new Univariate(0, 0, 0) {
      @Override
      void write(double x, int order, double[] out) {
        double factor = 1;
        for (int k = 0; k <= order; k++) {
          out[k] = factor == 0 ? 0 : factor * Math.pow(x, p - k);
          factor *= p - k;
        }
      }
    };
  }

  /**
   * Returns log Γ(x + y) − log Γ(x). Its derivatives ψ⁽ᵏ⁾(x + y) − ψ⁽ᵏ⁾(x) have one sign each and
   * are monotone, as (−1)ᵏψ⁽ᵏ⁺¹⁾ is positive and falls (DLMF 5.15.1). Stirling's terms are
   * subtracted in closed form.
   */
  static Univariate logRising(double y) {
    return new Univariate(1 + y, 0, 0) {
      @Override
      void write(double x, int order, double[] out) {
        Arrays.fill(out, 0);
        if (y == 0) {
          return;
        }
        double u = x + y;
        double[] a = stirling(x);
        double[] b = stirling(u);
        double log = Math.log1p(y / x);
        double share = y / x / u;
        double[] of = {
          y * Math.log(u) + (x - 0.5) * log - y + (b[0] - a[0]),
          log + 0.5 * share + (b[1] - a[1]),
          -share - 0.5 * share * (1 / x + 1 / u) + (b[2] - a[2]),
          share * (1 / x + 1 / u) + share * (1 / x / x + 1 / x / u + 1 / u / u) + (b[3] - a[3])
        };
        System.arraycopy(of, 0, out, 0, order + 1);
      }
    };
  }

  /**
   * Returns log Γ(φ + y) − log Γ(φ) − yx of x = log φ, which is Σ_{j < y} log(1 + j/φ): its
   * derivatives are f′ = −Σ j/(φ + j), which rises, f″ = Σ w and f‴ = Σ w(1 − 2s), with s = φ/(φ +
   * j) and w = s(1 − s). As |f‴| and |f⁗| are at most f″, an interval of the half width r has f″
   * between e^−r and e^r times its value in the middle. With u = φ + y and p = y/u Stirling's terms
   * are subtracted in closed form.
   */
  static Univariate logRisingShare(double y) {
    return new Univariate(1 + y, 0, Double.NEGATIVE_INFINITY) {
      @Override
      void write(double x, int order, double[] out) {
        Arrays.fill(out, 0);
        double phi = Math.max(LEAST, Math.exp(x));
        if (y < 2 || phi == Double.POSITIVE_INFINITY) {
          return;
        }
        double u = phi + y;
        double log = StableMath.log1pExp(Math.log(y) - x);
        double p = y / u;
        double q = phi / u * p;
        double[] by = stirlingBetween(phi, u);
        out[0] = (u - 0.5) * log - y + by[0];
        double of = phi * log;
        double[] slopes = {
          of - y + 0.5 * p + by[1],
          of - phi * p - 0.5 * q + by[1] + by[2],
          of - 2 * phi * p + phi * q + 0.5 * (1 - 2 * p) * q + by[1] + 3 * by[2] + by[3]
        };
        System.arraycopy(slopes, 0, out, 1, order);
      }

      @Override
      void enclose(double low, double high, int order, double[] from, double[] to) {
        super.enclose(low, high, order, from, to);
        if (order < 2 || !(high > low)) {
          return;
        }
        double r = Math.nextUp(0.5 * (high - low));
        double[] least = new double[order + 1];
        double[] most = new double[order + 1];
        double middle = r < Double.POSITIVE_INFINITY ? low + 0.5 * (high - low) : 0;
        super.enclose(middle, middle, order, least, most);
        double all = 0.25 * y;
        double factor = StableMath.exp(r) * (1 + INFLATION);
        from[2] = Math.max(0, least[2] / factor - INFLATION);
        to[2] = Math.min(all, Math.nextUp(most[2] * factor));
        if (order > 2) {
          from[3] = Math.max(-all, Math.nextDown(least[3] - Math.nextUp(r * to[2])));
          to[3] = Math.min(all, Math.nextUp(most[3] + Math.nextUp(r * to[2])));
        }
      }
    };
  }
}
