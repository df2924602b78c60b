package org.lampyris.bounds.bound;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;

/**
 * {@link LocalBound} of any likelihood whose third derivative is bounded on an interval. With |log
 * L‴| ≤ M for |δ| ≤ r, the Taylor remainder is at most M|δ|³/6, so the excess D = Mr/3 is enough; M
 * is a mean over {@linkplain #pieces pieces} of the ball. It is the least to first order in r.
 *
 * <p>The remainder is computed as a difference, with an error of some units in the last place of
 * log L; likelihoods with a known remainder have bounds of their own. Source: ours.
 */
public final class LocalTaylorBound extends RemainderBound {
  private final Likelihood likelihood;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalTaylorBound(Likelihood likelihood, LaplaceApproximation laplace, double radius) {
    super(likelihood, laplace, radius);
    this.likelihood = likelihood;
  }

  @Override
  protected double excess(double etaHat, double y, double r) {
    int n = pieces(r);
    double third = 0;
    for (int i = 1; i <= n && r > 0; i++) {
      double reach = r * i / n;
      third += weight(i, n) * likelihood.derivativeBound(3, y, etaHat - reach, etaHat + reach);
    }
    return third * r / 3;
  }

  @Override
  protected double upperExcess(double etaHat, double y, double r) {
    return -excess(etaHat, y, r);
  }

  @Override
  protected double remainder(double etaHat, double y, double delta, double @Nullable [] slope) {
    double first = likelihood.derivative(etaHat, y);
    double second = likelihood.secondDerivative(etaHat, y);
    if (slope != null) {
      slope[0] = delta == 0 ? 0 : likelihood.derivative(etaHat + delta, y) - first - second * delta;
    }
    double change =
        likelihood.logLikelihood(etaHat + delta, y) - likelihood.logLikelihood(etaHat, y);
    return delta == 0 ? 0 : change - delta * (first + 0.5 * second * delta);
  }

  @Override
  protected double largestTerm(double etaHat, double y, double delta, double remainder) {
    double change = Math.abs(delta * likelihood.derivative(etaHat, y));
    double ends =
        Math.max(likelihood.largestTerm(etaHat, y), likelihood.largestTerm(etaHat + delta, y));
    return Math.max(1, Math.max(change, ends));
  }
}
