package org.lampyris.bounds.family;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.LocalBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.Likelihood;

/**
 * {@link LocalLogisticBound} for rows of n trials with log-odds u = η − shift. log L is linear in u
 * except for −n log(2 cosh(u/2)), so its gap, excess and curvature are n times the logistic ones.
 */
public abstract class LocalTrialsBound extends LocalBound {
  private final Likelihood likelihood;
  private final double shift;

  /** Takes the likelihood, and the shift between η and u. */
  protected LocalTrialsBound(
      Likelihood likelihood, double shift, LaplaceApproximation laplace, double radius) {
    super(laplace, radius);
    this.likelihood = likelihood;
    this.shift = shift;
  }

  /** Returns n, above 0. */
  protected abstract double trials(double y);

  @Override
  protected final double excess(double etaHat, double y, double r) {
    return trials(y) * LocalLogisticBound.excess(Math.abs(etaHat - shift), r);
  }

  @Override
  protected final double upperExcess(double etaHat, double y, double r) {
    return trials(y) * LocalLogisticBound.upperExcess(Math.abs(etaHat - shift), r);
  }

  @Override
  protected final double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    double n = trials(y);
    double etaHat = anchors.get(row, 0) - shift;
    double gap = LocalLogisticBound.gap(eta - shift, etaHat, anchors.get(row, 1) / n, slope);
    if (slope != null) {
      slope[0] *= n;
    }
    return n * gap;
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
