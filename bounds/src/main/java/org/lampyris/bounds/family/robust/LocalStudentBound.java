package org.lampyris.bounds.family.robust;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.RemainderBound;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.numeric.StableMath;

/**
 * Quadratic lower bound on the Student-t likelihood of robust regression, tight at the mode, in a
 * ball about it. In units of σ√ν, with the residual z at the mode, u = z − x that of η = η̂ + x, q
 * = 1 + z² and h = (u² − z²)/q,
 *
 * <pre>ρ = (ν + 1)/2 · (h − log(1 + h) − h²/2 + x³(x − 4z)/(2q²)).</pre>
 *
 * <p>The likelihood is not log-concave: −log L″ is (ν + 1)(1 − z²)/q², below 0 for |z| above 1, and
 * so κ may be, too. Let z ≥ 0. The curvature c(x) that a chord asks for has the derivative's sign
 * of k(x) = x·g′ − 2g, where g is what log L falls short of its tangent by, and k″ = x·g‴. For x >
 * 0, on the way to a residual of 0 and beyond, k is 0 at x = 2z (g is even in u, and the tangent in
 * u² of {@link StudentBound} touches there), above 0 before it from where it first is, and below 0
 * beyond; at first it is below 0 for z > √3. So c is largest at 0 or at min(r, 2z). For x &lt; 0,
 * away from 0, c falls at first for z &lt; √3, and from where it rises, it rises throughout: it is
 * largest at 0 or at −r. The least κ for |x| ≤ r is therefore the largest one of c(0), c(min(r,
 * 2z)) and c(−r); with an infinite ball it is that of {@link StudentBound}.
 *
 * <p>The relative error of the gap is below 10⁻¹¹, except close to the edge of the ball. Source:
 * ours.
 */
public final class LocalStudentBound extends RemainderBound {
  private final double root;
  private final double half;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalStudentBound(
      RobustLikelihood likelihood, LaplaceApproximation laplace, double radius) {
    super(likelihood, laplace, radius);
    this.root = likelihood.scale() * Math.sqrt(likelihood.df());
    this.half = 0.5 * (likelihood.df() + 1);
  }

  @Override
  protected double remainder(double etaHat, double y, double delta, double @Nullable [] slope) {
    double z = (y - etaHat) / root;
    double x = delta / root;
    double u = z - x;
    double q = 1 + z * z;
    double h = x * ((x - 2 * z) / q);
    if (slope != null) {
      double bracket = x - 3 * z + (x - 2 * z) * (x - 2 * z) * u / (1 + u * u);
      slope[0] = 2 * half * (x / q) * (x / q) * bracket / root;
    }
    // Near h = −1, 1 + h is better had from u and z.
    double cubic =
        h < -0.5 ? h - Math.log((1 + u * u) / q) - 0.5 * h * h : StableMath.minusLog1pQuadratic(h);
    return half * (cubic + 0.5 * x * (x / q) * (x / q) * (x - 4 * z));
  }

  @Override
  protected double excess(double etaHat, double y, double r) {
    double residual = y - etaHat;
    double towards = Math.copySign(Math.min(r, 2 * Math.abs(residual)), residual);
    double away = Math.copySign(r, -residual);
    return Math.max(0, Math.max(chord(etaHat, y, towards), chord(etaHat, y, away)));
  }

  /** It is not known: the least curvature may lie within the ball. */
  @Override
  protected double upperExcess(double etaHat, double y, double r) {
    return Double.NaN;
  }
}
