package org.lampyris.bounds.bound;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.ThirdDerivatives;
import org.lampyris.bounds.numeric.Rounding;

/**
 * {@link LocalBound} of any likelihood whose third derivative is bounded on an interval. With |log
 * L‴| ≤ M for |δ| ≤ r, the remainder of the Taylor polynomial of order 2,
 *
 * <pre>ρ(δ) = log L(η̂ + δ) − log L(η̂) − log L′(η̂)·δ − log L″(η̂)·δ²/2, natural log,</pre>
 *
 * <p>is at most M|δ|³/6, so the excess D = Mr/3 is enough; M is a mean over {@linkplain #pieces
 * pieces} of the ball. It is the least to first order in r. The gap is Dδ²/2 + ρ(δ).
 *
 * <p>The remainder is computed as a difference, with an error of some units in the last place of
 * {@link Likelihood#largestTerm}. Source: ours.
 */
public final class LocalTaylorBound extends LocalBound {
  private final Likelihood likelihood;
  private final ThirdDerivatives thirdDerivatives;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalTaylorBound(Likelihood likelihood, LaplaceApproximation laplace, double radius) {
    super(laplace, radius);
    this.likelihood = likelihood;
    this.thirdDerivatives =
        CellBounds.of(
            (center, reach, y, out) ->
                out[0] =
                    likelihood.derivativeBound(3, y, center[0] - reach[0], center[0] + reach[0]),
            likelihood.alike());
  }

  @Override
  protected double unit() {
    return likelihood.unit(0, new double[0]);
  }

  @Override
  protected double excess(double etaHat, double y, double r) {
    int n = pieces(r / unit());
    double third = 0;
    double[] of = new double[1];
    double[] at = {etaHat};
    for (int i = 1; i <= n && r > 0; i++) {
      thirdDerivatives.thirdDerivatives(at, new double[] {r * i / n}, y, of);
      third += weight(i, n) * of[0];
    }
    return third * r / 3;
  }

  @Override
  protected double upperExcess(double etaHat, double y, double r) {
    return -excess(etaHat, y, r);
  }

  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    double etaHat = anchors.get(row, 0);
    double excess = anchors.get(row, 1);
    double delta = eta - etaHat;
    if (delta == 0) {
      if (slope != null) {
        slope[0] = 0;
      }
      return 0;
    }
    double first = likelihood.derivative(etaHat, y);
    double second = likelihood.secondDerivative(etaHat, y);
    if (slope != null) {
      double change = likelihood.derivative(etaHat + delta, y) - first;
      slope[0] = change - second * delta + excess * delta;
    }
    double before = likelihood.logLikelihood(etaHat, y);
    double change = likelihood.logLikelihood(etaHat + delta, y) - before;
    double remainder = change - delta * (first + 0.5 * second * delta);
    double bent = 0.5 * excess * delta * delta;
    double gap = bent + remainder;
    return gap < 0
        ? Rounding.notNegative(gap, Math.max(bent, largestTerm(etaHat, y, delta, first)))
        : gap;
  }

  /** Returns the size of the largest term in ρ(δ), to which its rounding is relative. */
  private double largestTerm(double etaHat, double y, double delta, double first) {
    double ends =
        Math.max(likelihood.largestTerm(etaHat, y), likelihood.largestTerm(etaHat + delta, y));
    return Math.max(1, Math.max(Math.abs(delta * first), ends));
  }

  /** With δ₀ = η₀ − η̂: −κ/2, log L′(η̂) − κδ₀, and log B(η₀). */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double etaHat = anchors.get(row, 0);
    double delta = eta0 - etaHat;
    double kappa = anchors.get(row, 1) - likelihood.secondDerivative(etaHat, y);
    double slope = likelihood.derivative(etaHat, y);
    coefficients[0] = -0.5 * kappa;
    coefficients[1] = slope - kappa * delta;
    coefficients[2] = likelihood.logLikelihood(etaHat, y) + delta * (slope - 0.5 * kappa * delta);
  }
}
