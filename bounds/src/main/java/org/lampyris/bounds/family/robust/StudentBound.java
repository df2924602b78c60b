package org.lampyris.bounds.family.robust;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.numeric.StableMath;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Gaussian lower bound on the Student-t likelihood of robust regression, tight at r = ±ξ: with r =
 * y − η and s = νσ²,
 *
 * <pre>log B(r) = log t(ξ) − (ν + 1)/2 · (r² − ξ²)/(s + ξ²), natural log.</pre>
 *
 * <p>The log-density is convex in r², so that its tangent in r² at ξ² lies below it everywhere. The
 * anchor ξ of a row is the residual where the bound is to be tight; its sign does not matter, and ξ
 * = 0 is the untuned bound. With h = (r² − ξ²)/(s + ξ²), gap = (ν + 1)/2 · (h − log(1 + h)), which
 * is never negative, exactly 0 at the anchor, and accurate to a few units in the last place of h.
 *
 * <p>Cost O(d) per row. Source: Maclaurin and Adams (2014), section 4.3.
 */
public final class StudentBound extends OnePredictorBound {
  private final RobustLikelihood likelihood;
  private final double half;
  private final double s;

  /** Returns the bound. */
  public StudentBound(RobustLikelihood likelihood, int columns) {
    super(columns);
    this.likelihood = likelihood;
    this.half = 0.5 * (likelihood.df() + 1);
    this.s = likelihood.df() * likelihood.scale() * likelihood.scale();
  }

  /** Returns ξ = |y − η| for every row. */
  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchorsAt(block, reference, (eta, y) -> Math.abs(y - eta));
  }

  /** {@inheritDoc} −d gap/dr = −(ν + 1) r h / (s + r²). */
  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    double r = Math.abs(y - eta);
    double xi = Math.abs(anchors.get(row, 0));
    double h = excess(r, xi);
    if (slope != null) {
      slope[0] = -2 * half * (y - eta) * h / (s + r * r);
    }
    // Near h = −1, 1 + h is better had from r and ξ.
    double gap = h < -0.5 ? h - Math.log((s + r * r) / (s + xi * xi)) : StableMath.minusLog1p(h);
    return half * gap;
  }

  /** Returns h = (r² − ξ²)/(s + ξ²). */
  private double excess(double r, double xi) {
    return (r - xi) * ((r + xi) / (s + xi * xi));
  }

  /** {@inheritDoc} With κ = (ν + 1)/(s + ξ²), t(ξ) e^(κξ²/2) √(2π/κ). */
  @Override
  public OptionalDouble logIntegral(double anchor) {
    double kappa = 2 * half / (s + anchor * anchor);
    double logPeak = likelihood.logLikelihood(0, anchor) + 0.5 * kappa * anchor * anchor;
    return OptionalDouble.of(logPeak + 0.5 * Math.log(2 * Math.PI / kappa));
  }

  /** With κ = (ν + 1)/(s + ξ²) and r₀ = y − η₀: −κ/2, κr₀, and log B(r₀). */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double anchor = anchors.get(row, 0);
    double kappa = 2 * half / (s + anchor * anchor);
    coefficients[0] = -0.5 * kappa;
    coefficients[1] = kappa * (y - eta0);
    coefficients[2] = likelihood.logLikelihood(eta0, y) - gapAt(eta0, y, anchors, row, null);
  }
}
