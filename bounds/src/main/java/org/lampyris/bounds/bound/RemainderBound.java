package org.lampyris.bounds.bound;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.numeric.Rounding;

/**
 * {@link LocalBound} computed from the remainder of the likelihood's Taylor polynomial of order 2,
 *
 * <pre>ρ(δ) = log L(η̂ + δ) − log L(η̂) − log L′(η̂)·δ − log L″(η̂)·δ²/2, natural log:</pre>
 *
 * <p>gap = Dδ²/2 + ρ(δ). Terms of first and second order have dropped out, so nothing cancels near
 * the mode. Its relative error is that in ρ, except close to the edge of the ball, where the gap of
 * some rows is 0 as a difference.
 *
 * <p>A chord's curvature is c(δ) = w − 2ρ(δ)/δ², a mean of −log L″ between η̂ and η̂ + δ. If −log
 * L″ rises with η throughout, or falls, so does c: it is largest at one edge of the ball and
 * smallest at the other. A likelihood of another form overrides {@link #excess} and {@link
 * #upperExcess}.
 */
public abstract class RemainderBound extends LocalBound {
  private final Likelihood likelihood;

  /** Takes the likelihood, the Laplace approximation, and the radius of the ball, above 0. */
  protected RemainderBound(Likelihood likelihood, LaplaceApproximation laplace, double radius) {
    super(laplace, radius);
    this.likelihood = likelihood;
  }

  /**
   * Returns ρ(δ), accurate to a few units in the last place or nearly so: 0 at δ = 0.
   *
   * @param slope dρ/dδ is written to its first element; null if it is not wanted. Modified.
   */
  protected abstract double remainder(
      double etaHat, double y, double delta, double @Nullable [] slope);

  /** Returns the size of the largest term in ρ(δ), to which its rounding is relative. */
  protected double largestTerm(double etaHat, double y, double delta, double remainder) {
    return Math.abs(remainder);
  }

  /** Returns c(δ) − w = −2ρ(δ)/δ². */
  protected final double chord(double etaHat, double y, double delta) {
    return delta == 0 ? 0 : -2 / delta * (remainder(etaHat, y, delta, null) / delta);
  }

  @Override
  protected double excess(double etaHat, double y, double r) {
    return Math.max(0, Math.max(chord(etaHat, y, -r), chord(etaHat, y, r)));
  }

  @Override
  protected double upperExcess(double etaHat, double y, double r) {
    return Math.min(0, Math.min(chord(etaHat, y, -r), chord(etaHat, y, r)));
  }

  @Override
  protected final double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    double etaHat = anchors.get(row, 0);
    double excess = anchors.get(row, 1);
    double delta = eta - etaHat;
    double bent = 0.5 * excess * delta * delta;
    double remainder = remainder(etaHat, y, delta, slope);
    if (slope != null) {
      slope[0] += excess * delta;
    }
    double gap = bent + remainder;
    return gap < 0
        ? Rounding.notNegative(gap, Math.max(bent, largestTerm(etaHat, y, delta, remainder)))
        : gap;
  }

  /** With δ₀ = η₀ − η̂: −κ/2, log L′(η̂) − κδ₀, and log B(η₀). */
  @Override
  protected final void expand(
      double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double etaHat = anchors.get(row, 0);
    double delta = eta0 - etaHat;
    double kappa = anchors.get(row, 1) - likelihood.secondDerivative(etaHat, y);
    double slope = likelihood.derivative(etaHat, y);
    coefficients[0] = -0.5 * kappa;
    coefficients[1] = slope - kappa * delta;
    coefficients[2] = likelihood.logLikelihood(etaHat, y) + delta * (slope - 0.5 * kappa * delta);
  }
}
