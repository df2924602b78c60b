package org.lampyris.bounds.family.gamma;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.RemainderBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Quadratic lower bound on the gamma likelihood with a given shape α, tight at the mode, in a ball
 * about it: with w = α y e^−η̂,
 *
 * <pre>ρ(δ) = −w(e^−δ − 1 + δ − δ²/2), κ = 2w(eʳ − 1 − r)/r²,</pre>
 *
 * <p>at the edge where the mean is least, η̂ − r. The relative error of the gap is that of a few
 * units in the last place of its terms. Source: ours.
 */
public final class LocalGammaBound extends RemainderBound {
  private final double shape;

  /** Returns the bound for the shape α in the ball of radius R, both above 0. */
  public LocalGammaBound(double shape, LaplaceApproximation laplace, double radius) {
    super(new GammaLikelihood(shape), laplace, radius);
    this.shape = shape;
  }

  @Override
  protected double remainder(double etaHat, double y, double delta, double @Nullable [] slope) {
    double w = shape * y * StableMath.exp(-etaHat);
    if (slope != null) {
      slope[0] = w * StableMath.expMinusLinear(-delta);
    }
    return -w * StableMath.expMinusQuadratic(-delta);
  }
}
