package org.lampyris.bounds.family.poisson;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.RemainderBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Quadratic lower bound on the Poisson likelihood, tight at the mode, in a ball about it: with λ =
 * e^η̂,
 *
 * <pre>ρ(δ) = −λ(e^δ − 1 − δ − δ²/2), κ = 2λ(eʳ − 1 − r)/r²,</pre>
 *
 * <p>at the edge where the mean is largest, η̂ + r. Neither the gap nor κ depends on the count: a
 * row of none has as much of both.
 *
 * <p>The relative error of the gap is that of a few units in the last place of its terms. Source:
 * ours.
 */
public final class LocalPoissonBound extends RemainderBound {
  /** Returns the bound in the ball of radius R, above 0. */
  public LocalPoissonBound(LaplaceApproximation laplace, double radius) {
    super(new PoissonLikelihood(), laplace, radius);
  }

  @Override
  protected double remainder(double etaHat, double y, double delta, double @Nullable [] slope) {
    double mean = StableMath.exp(etaHat);
    if (slope != null) {
      slope[0] = -mean * StableMath.expMinusLinear(delta);
    }
    return -mean * StableMath.expMinusQuadratic(delta);
  }
}
