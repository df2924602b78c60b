package org.lampyris.bounds.family;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on the logistic likelihood, tight at s = ±ξ: log B(s) = a s² + s/2 + c,
 * natural log, s = y·xᵀθ, with a = −tanh(ξ/2)/(4ξ) (−1/8 at ξ = 0) and c = −aξ² − log(2 cosh(ξ/2)).
 *
 * <p>The anchor ξ of a row is one number; its sign does not matter. The gap is the Bregman
 * divergence of f(x) = −log(2 cosh(√x/2)), which is convex, between s² and ξ². It depends on t =
 * |s| and |ξ| only; with δ = t − |ξ| and λ = tanh(|ξ|/2)/(2|ξ|) = −2a,
 *
 * <pre>gap = λδ²/2 − σ(−|ξ|)·δ + log(1 + e^−|ξ|) − log(1 + e^−t),</pre>
 *
 * <p>in which no term is larger than the gap itself for large s and ξ. Close to the anchor, where
 * the first-order terms cancel, a Taylor series in δ takes its place. The relative error of the gap
 * is below 10⁻⁹ (10⁻¹² for |ξ| above 1), and the gap at the anchor is exactly 0.
 *
 * <p>Cost O(d) per row. Source: Maclaurin and Adams (2014), section 3.1, after Jaakkola and Jordan
 * (1997).
 */
public final class JaakkolaJordanBound extends OnePredictorBound {
  /** Up to this distance from the anchor the Taylor series loses less than the closed form does. */
  static final double NEAR = 0.0625;

  /** Returns the bound for rows of {@code columns} features. */
  public JaakkolaJordanBound(int columns) {
    super(columns);
  }

  /** Returns ξ = |η| for every row. */
  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchorsAt(block, reference, (eta, y) -> Math.abs(eta));
  }

  /** The gap is even in s = y·η, so that y drops out. */
  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    return gap(eta, anchors.get(row, 0), slope);
  }

  /**
   * Returns log L(s) − log B(s) for the anchor ξ and s = y·xᵀθ, or xᵀθ: never negative, even in s
   * and in ξ, 0 at s = ±ξ.
   *
   * @param slope d gap / ds = s·(λ(ξ) − λ(s)), odd in s, is written to its first element; null if
   *     it is not wanted. Modified.
   */
  public static double gap(double s, double anchor, double @Nullable [] slope) {
    double t = Math.abs(s);
    double xi = Math.abs(anchor);
    double delta = t - xi;
    double e = StableMath.exp(-xi);
    double tanh = tanhOfHalf(xi, e);
    double gap;
    double largest;
    double derivative = 0;
    if (Math.abs(delta) < NEAR) {
      double v = e / ((1 + e) * (1 + e));
      double excess = excess(xi, v, tanh);
      double beyond = beyondSecondOrder(delta, v, tanh);
      largest = delta * delta * Math.max(0.5 * excess, Math.abs(beyond));
      gap = delta * delta * (0.5 * excess + beyond);
      if (slope != null) {
        derivative = delta * (excess + slopeBeyondSecondOrder(delta, v, tanh));
      }
    } else {
      double et = StableMath.exp(-t);
      double lambda = curvature(xi, tanh);
      // log(1 + e^−ξ) − log(1 + e^−t) as one logarithm
      double logRatio = StableMath.log1pSmall((e - et) / (1 + et));
      largest = Math.max(lambda * (0.5 * delta * delta), Math.abs(delta));
      gap = lambda * (0.5 * delta * delta) - e / (1 + e) * delta + logRatio;
      if (slope != null) {
        derivative = lambda * delta + (et - e) / ((1 + et) * (1 + e));
      }
    }
    if (slope != null) {
      slope[0] = s < 0 ? -derivative : derivative;
    }
    return Rounding.notNegative(gap, largest);
  }

  /** With s₀ = y·η₀: a, (2a s₀ + ½)·y, and log B(s₀). */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double s0 = y * eta0;
    double xi = Math.abs(anchors.get(row, 0));
    double e = StableMath.exp(-xi);
    double lambda = curvature(xi, tanhOfHalf(xi, e));
    coefficients[0] = -0.5 * lambda;
    // 2a s₀ + ½ = σ(−ξ) − λ(s₀ − ξ): nothing cancels where the bound is tight at the origin.
    coefficients[1] = y * (e / (1 + e) - lambda * (s0 - xi));
    coefficients[2] =
        -0.5 * lambda * (s0 - xi) * (s0 + xi) + 0.5 * (s0 - xi) - StableMath.log1pSmall(e);
  }

  /** Returns λ(ξ) = tanh(ξ/2)/(2ξ): the bound is −λ(ξ)s²/2 plus terms linear in s. */
  public static double curvature(double anchor) {
    double xi = Math.abs(anchor);
    return curvature(xi, tanhOfHalf(xi, StableMath.exp(-xi)));
  }

  /** Returns tanh(ξ/2) for ξ ≥ 0, given e = e^−ξ: for ξ ≥ 1 nothing cancels in 1 − e. */
  static double tanhOfHalf(double xi, double e) {
    return (xi < 1 ? StableMath.brightProbability(xi) : 1 - e) / (1 + e);
  }

  /** Returns λ(ξ) = tanh(ξ/2)/(2ξ) = −2a, for ξ ≥ 0. */
  private static double curvature(double xi, double tanh) {
    // λ = 1/4 − ξ²/48 + …: below 10⁻⁸ the second term is less than half a unit in the last place.
    return xi < 1e-8 ? 0.25 : tanh / (2 * xi);
  }

  /**
   * Returns (log σ(ξ + δ) − its Taylor polynomial of order 2)/δ² = −Σ_{k≥3} g⁽ᵏ⁾(ξ) δ^{k−2} / k!
   * for small δ, where g(u) = log(2 cosh(u/2)). With v = σ(ξ)σ(−ξ) and T = tanh(ξ/2): g″ = v, v′ =
   * −vT, T′ = 2v.
   */
  static double beyondSecondOrder(double delta, double v, double tanh) {
    double c3 = v * tanh / 6;
    double c4 = -v * (1 - 6 * v) / 24;
    double c5 = v * tanh * (1 - 12 * v) / 120;
    double c6 = -v * (1 + v * (-30 + 120 * v)) / 720;
    double c7 = v * tanh * (1 + v * (-60 + 360 * v)) / 5040;
    double c8 = -v * (1 + v * (-126 + v * (1680 - 5040 * v))) / 40320;
    return delta * (c3 + delta * (c4 + delta * (c5 + delta * (c6 + delta * (c7 + delta * c8)))));
  }

  /** Returns (d/dδ of δ² · {@link #beyondSecondOrder})/δ, term by term. */
  static double slopeBeyondSecondOrder(double delta, double v, double tanh) {
    double c3 = v * tanh / 2;
    double c4 = -v * (1 - 6 * v) / 6;
    double c5 = v * tanh * (1 - 12 * v) / 24;
    double c6 = -v * (1 + v * (-30 + 120 * v)) / 120;
    double c7 = v * tanh * (1 + v * (-60 + 360 * v)) / 720;
    double c8 = -v * (1 + v * (-126 + v * (1680 - 5040 * v))) / 5040;
    return delta * (c3 + delta * (c4 + delta * (c5 + delta * (c6 + delta * (c7 + delta * c8)))));
  }

  /** Returns D = λ(ξ) − v, the excess curvature of the bound over log L at the anchor. */
  static double excess(double xi, double v, double tanh) {
    if (xi >= 0.25) {
      return tanh / (2 * xi) - v;
    }
    // −½ Σ_{k≥2} (k − 1) t_k z^{2k−2}, where tanh z = Σ t_k z^{2k−1} and z = ξ/2
    double z2 = 0.25 * xi * xi;
    double sum = 929569.0 / 182432250;
    sum = -21844.0 / 2027025 + z2 * sum;
    sum = 691.0 / 31185 + z2 * sum;
    sum = -124.0 / 2835 + z2 * sum;
    sum = 17.0 / 210 + z2 * sum;
    sum = -2.0 / 15 + z2 * sum;
    return z2 * (1.0 / 6 + z2 * sum);
  }
}
