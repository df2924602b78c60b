package org.lampyris.bounds.bound;

import org.lampyris.bounds.laplace.LaplaceApproximation;

/**
 * Segment from θ to θ′ relative to θ⋆, θ_t = θ + tv, which bounds the change of a Taylor
 * polynomial's remainder R: the integral of its slope along v.
 *
 * <p>Three lengths determine it: s = ‖v‖ ({@code length}), and the segment's midpoint δ_m = (δ +
 * δ′)/2 by its components m along v ({@code along} is |m|) and q across it. In the plane of δ and
 * δ′ the way is the points (m + x, q), |x| ≤ s/2.
 *
 * <p><b>Any row</b>, with D²ℓ (order 1) or D³ℓ (order 2) at most c along any direction of length 1:
 *
 * <pre>order 1: |R(θ′) − R(θ)| ≤ c·s·∫‖δ_t‖dt ≤ c·s·(‖δ‖ + ‖δ′‖)/2
 * order 2: |R(θ′) − R(θ)| ≤ c·s·½∫‖δ_t‖²dt = c·s·½(‖δ_m‖² + s²/12)</pre>
 *
 * <p><b>A row that depends on θ through one functional</b>, xᵀθ, has the derivatives of a function
 * of one variable. With w the direction of x, of length 1, it is c·|w·v|·∫|w·δ_t|dt and
 * c·|w·v|·½∫(w·δ_t)²dt. This is smaller, because w cannot point along v and along δ_t at once. The
 * largest value over all w, which are best taken in the plane, is the least bound that does not
 * look at x.
 *
 * <p>Prado, Nemeth and Sherlock (2024) bound the two ends of the segment, each by its angle with v;
 * the largest value over the whole segment is smaller.
 */
record Way(double length, double along, double across) {
  /** The root of a derivative is found to rounding, so that the largest value is off by less. */
  private static final double ALLOWANCE = 1 + 1e-12;

  private static final int HALVINGS = 60;

  static Way between(LaplaceApproximation laplace, double[] from, double[] to) {
    double[] v = laplace.difference(from, to);
    double[] middle = laplace.difference(laplace.mode(), from);
    double s = LaplaceApproximation.norm(v);
    double product = 0;
    for (int i = 0; i < v.length; i++) {
      middle[i] += 0.5 * v[i];
      product += middle[i] * v[i];
    }
    if (!(s > 0)) {
      return new Way(s, 0, LaplaceApproximation.norm(middle));
    }
    double m = product / s;
    for (int i = 0; i < v.length; i++) {
      middle[i] -= m * v[i] / s;
    }
    return new Way(s, Math.abs(m), LaplaceApproximation.norm(middle));
  }

  /** Returns s(‖δ‖ + ‖δ′‖)/2: order 1, any row. */
  double slope() {
    double half = 0.5 * length;
    return half * (Math.hypot(along - half, across) + Math.hypot(along + half, across));
  }

  /** Returns s·½(‖δ_m‖² + s²/12): order 2, any row. */
  double curvature() {
    return 0.5 * length * (along * along + across * across + length * length / 12);
  }

  /**
   * Returns the largest |w·v|·∫|w·δ_t|dt: order 1, one functional.
   *
   * <p>With w in proportion to (1, t) and y = |m + qt|, it is s·y/(1 + t²) if the way does not
   * cross w·δ = 0, y ≥ s/2, and (y² + s²/4)/(1 + t²) if it does. The first is largest where y =
   * ‖δ_m‖, with s(‖δ_m‖ + m)/2; the second is a quadratic form, at most its larger eigenvalue.
   */
  double slopeAlongOne() {
    double middle = Math.hypot(along, across);
    if (middle >= 0.5 * length) {
      return 0.5 * length * (middle + along) * ALLOWANCE;
    }
    double a = along * along + 0.25 * length * length;
    double b = across * across;
    return 0.5 * (a + b + Math.hypot(a - b, 2 * along * across)) * ALLOWANCE;
  }

  /**
   * Returns the largest |w·v|·½∫(w·δ_t)²dt: order 2, one functional.
   *
   * <p>With w in proportion to (1, t) it is ½s·((m + qt)² + s²/12)/(1 + t²)^{3/2}, whose derivative
   * has the sign of 2q(m + qt)(1 + t²) − 3t((m + qt)² + s²/12): positive up to one t, which is less
   * than 2, and negative from there on.
   */
  double curvatureAlongOne() {
    double low = 0;
    double high = 2;
    for (int i = 0; i < HALVINGS; i++) {
      double t = 0.5 * (low + high);
      double y = along + across * t;
      double rest = y * y + length * length / 12;
      if (2 * across * y * (1 + t * t) > 3 * t * rest) {
        low = t;
      } else {
        high = t;
      }
    }
    double y = along + across * low;
    double share = 1 + low * low;
    return 0.5 * length * (y * y + length * length / 12) / (share * Math.sqrt(share)) * ALLOWANCE;
  }
}
