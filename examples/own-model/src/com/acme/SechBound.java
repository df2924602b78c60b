package com.acme;

import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.numeric.Rounding;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Gaussian lower bound on the hyperbolic-secant likelihood, tight at u = ±ξ: −log cosh u is convex
 * in u², so that its tangent in u² lies below it everywhere,
 *
 * <pre>log B = −log cosh ξ − t·(u² − ξ²) − log 2σ, t = tanh(ξ)/(2ξ), ½ at ξ = 0.</pre>
 *
 * <p>The anchor of a row is ξ; 0 is the untuned bound. The passes over blocks are those of every
 * bound in one linear predictor.
 */
public final class SechBound extends OnePredictorBound {
  private static final long serialVersionUID = 1L;

  private final SechLikelihood likelihood;

  /** Returns the bound for rows of some columns. */
  public SechBound(SechLikelihood likelihood, int columns) {
    super(columns);
    this.likelihood = likelihood;
  }

  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchorsAt(block, reference, this::u);
  }

  private double u(double eta, double y) {
    return likelihood.rate() * (y - eta);
  }

  private static double tangent(double xi) {
    return xi == 0 ? 0.5 : Math.tanh(xi) / (2 * xi);
  }

  @Override
  protected double gapAt(double eta, double y, Anchors anchors, int row, double[] slope) {
    double u = u(eta, y);
    double xi = anchors.get(row, 0);
    double tangent = tangent(xi);
    if (slope != null) {
      slope[0] = -likelihood.rate() * (2 * tangent * u - Math.tanh(u));
    }
    double fall = SechLikelihood.logCosh(u) - SechLikelihood.logCosh(xi);
    // Next to the anchor rounding is larger than the gap itself: log cosh u has terms |u| and log 2.
    double largest = Math.max(1, Math.max(Math.abs(u), Math.abs(xi)));
    return Rounding.notNegative(tangent * (u - xi) * (u + xi) - fall, largest);
  }

  /** With η = η₀ + ε, u = u₀ − rate·ε. */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double rate = likelihood.rate();
    double t = tangent(anchors.get(row, 0));
    coefficients[0] = -t * rate * rate;
    coefficients[1] = 2 * t * rate * u(eta0, y);
    coefficients[2] = likelihood.logLikelihood(eta0, y) - gapAt(eta0, y, anchors, row, null);
  }
}
