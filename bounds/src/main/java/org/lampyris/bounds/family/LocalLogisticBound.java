package org.lampyris.bounds.family;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Quadratic lower bound on the logistic likelihood, tight at the mode, that holds in a ball about
 * it: see {@link LocalBound}.
 *
 * <p>With ξ = |η̂_n|, u = η·sign(η̂_n) and δ = u − ξ the bound is the tangent of log σ at ξ, bent
 * down,
 *
 * <pre>log B = log σ(ξ) + σ(−ξ)·δ − κδ²/2 (+ (y·sign(η̂_n) − 1)·u/2, which log L has, too),</pre>
 *
 * <p>with the least κ that keeps it below log σ(u) for |δ| ≤ r_n. The curvature that the chord from
 * ξ to ξ − x requires is c(x) = 2/x² · ∫₀ˣ (x − t)·w(ξ − t) dt with w(u) = σ(u)σ(−u). It grows with
 * x while w does on average, up to x = 2ξ, and falls from there. Therefore κ_n = c(min(r_n, 2ξ)).
 * At x = 2ξ it is the bound of Jaakkola and Jordan, which is this one with an infinite R.
 *
 * <p>Purpose: for a row far on its own side, ξ ≫ r_n, Jaakkola and Jordan's bound has the curvature
 * tanh(ξ/2)/(2ξ) instead of the likelihood's e^−ξ, because it must hold on the other side as well.
 * The density of θ given the brightness is then much narrower than the posterior, and the chain
 * must make many small steps. Here the excess D_n = κ_n − w(ξ) is about w·tanh(ξ/2)·r_n/3 for small
 * r_n. Both the number of bright rows, Σ D_n x_nᵀΣ̂x_n/2, and the loss by conditioning therefore
 * vanish like 1/√n for a growing table.
 *
 * <p>The relative error of the gap is below 10⁻⁸, except close to the edge of the ball, where it is
 * a difference. Source: ours, and Jaakkola and Jordan (1997) for the case of an infinite ball.
 */
public final class LocalLogisticBound extends LocalBound {
  /**
   * How far D may be off, as a share: at the edge of the ball the gap is 0 but for that. Of 3.2
   * million random rows and balls one was off by 3·10⁻¹², and none by more than this.
   */
  private static final double ROUNDED = 1e-11;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalLogisticBound(LaplaceApproximation laplace, double radius) {
    super(laplace, radius);
  }

  @Override
  protected double excess(double etaHat, double y, double r) {
    return excess(Math.abs(etaHat), r);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The curvature that the chord from ξ to ξ + x requires falls with x, and is below the chord's
   * to ξ − x: the smallest one in the ball is κ = c(−r_n).
   */
  @Override
  protected double upperExcess(double etaHat, double y, double r) {
    return upperExcess(Math.abs(etaHat), r);
  }

  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    return gap(eta, anchors.get(row, 0), anchors.get(row, 1), slope);
  }

  /**
   * Returns D = κ − w(ξ), the smallest excess curvature that keeps the bound below log σ for |δ| ≤
   * r. Neither is negative.
   */
  static double excess(double xi, double r) {
    double e = StableMath.exp(-xi);
    double tanh = JaakkolaJordanBound.tanhOfHalf(xi, e);
    double v = e / ((1 + e) * (1 + e));
    if (r >= 2 * xi) {
      return JaakkolaJordanBound.excess(xi, v, tanh);
    }
    if (r < JaakkolaJordanBound.NEAR) {
      return -2 * JaakkolaJordanBound.beyondSecondOrder(-r, v, tanh);
    }
    // The gap at δ = −r, which is to be 0, without D in it.
    double without = gap(-r, Math.min(xi - r, 0), e, StableMath.exp(-Math.abs(xi - r)), v);
    return Math.max(0, -2 * without / (r * r));
  }

  /**
   * Returns κ − w(ξ), not positive, for the most curved tangent at ξ that stays above log σ for |δ|
   * ≤ r.
   *
   * @param xi ξ, not negative
   * @param r r, not negative
   */
  static double upperExcess(double xi, double r) {
    double e = StableMath.exp(-xi);
    double v = e / ((1 + e) * (1 + e));
    if (r < JaakkolaJordanBound.NEAR) {
      double tanh = JaakkolaJordanBound.tanhOfHalf(xi, e);
      return -2 * JaakkolaJordanBound.beyondSecondOrder(r, v, tanh);
    }
    return -2 * gap(r, 0, e, StableMath.exp(-xi - r), v) / (r * r);
  }

  /**
   * Returns log L − log B, for the excess D: 0 at η = η̂, and never negative in the ball.
   *
   * @param slope the derivative in η is written to its first element; null if it is not wanted
   */
  static double gap(double eta, double etaHat, double excess, double @Nullable [] slope) {
    double xi = Math.abs(etaHat);
    double u = etaHat < 0 ? -eta : eta;
    double e = StableMath.exp(-xi);
    double v = e / ((1 + e) * (1 + e));
    double delta = u - xi;
    double gap;
    double largest;
    double derivative = 0;
    if (Math.abs(delta) < JaakkolaJordanBound.NEAR) {
      double tanh = JaakkolaJordanBound.tanhOfHalf(xi, e);
      double beyond = JaakkolaJordanBound.beyondSecondOrder(delta, v, tanh);
      largest = delta * delta * Math.max(0.5 * excess, Math.abs(beyond));
      gap = delta * delta * (0.5 * excess + beyond);
      if (slope != null) {
        derivative = delta * (excess + JaakkolaJordanBound.slopeBeyondSecondOrder(delta, v, tanh));
      }
    } else {
      double et = StableMath.exp(-Math.abs(u));
      largest = Math.max(0.5 * (v + excess) * delta * delta, Math.abs(delta));
      gap = 0.5 * excess * delta * delta + gap(delta, Math.min(u, 0), e, et, v);
      if (slope != null) {
        // σ(−u) − σ(−ξ)
        double difference = (u < 0 ? 1 - et * e : et - e) / ((1 + et) * (1 + e));
        derivative = (v + excess) * delta + difference;
      }
    }
    if (slope != null) {
      slope[0] = etaHat < 0 ? -derivative : derivative;
    }
    return gap < 0 && -gap <= ROUNDED * excess * delta * delta
        ? 0
        : Rounding.notNegative(gap, largest);
  }

  /** Returns log σ(u) − log σ(ξ) − σ(−ξ)δ + vδ²/2, with min(u, 0), e^−ξ, e^−|u| and v = w(ξ). */
  private static double gap(double delta, double negative, double e, double et, double v) {
    // log(1 + e^−ξ) − log(1 + e^−|u|) as one logarithm
    double logRatio = StableMath.log1pSmall((e - et) / (1 + et));
    return 0.5 * v * delta * delta - e / (1 + e) * delta + negative + logRatio;
  }

  /** With g = sign(η̂) and δ₀ = gη₀ − ξ: −κ/2, g(σ(−ξ) − κδ₀) + (y − g)/2, and log B(η₀). */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double etaHat = anchors.get(row, 0);
    double xi = Math.abs(etaHat);
    double sign = etaHat < 0 ? -1 : 1;
    double delta = sign * eta0 - xi;
    double e = StableMath.exp(-xi);
    double kappa = e / ((1 + e) * (1 + e)) + anchors.get(row, 1);
    double slope = e / (1 + e);
    coefficients[0] = -0.5 * kappa;
    coefficients[1] = sign * (slope - kappa * delta) + 0.5 * (y - sign);
    coefficients[2] =
        delta * (slope - 0.5 * kappa * delta) + 0.5 * (y - sign) * eta0 - StableMath.log1pSmall(e);
  }
}
