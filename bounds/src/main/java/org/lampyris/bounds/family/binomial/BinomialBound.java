package org.lampyris.bounds.family.binomial;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.family.binary.JaakkolaJordanBound;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on a trial's binomial likelihood, tight at η = ±ξ: log L = (y − ½)η − log(2
 * cosh(η/2)), whose second term is the logistic one, so that the {@linkplain JaakkolaJordanBound
 * bound} of that is one of this, with the same gap whatever the share y.
 *
 * <p>Cost O(d) per row. Source: Jaakkola and Jordan (1997), as in Maclaurin and Adams (2014),
 * section 3.1.
 */
public final class BinomialBound extends OnePredictorBound {
  private static final BinomialLikelihood LIKELIHOOD = new BinomialLikelihood();

  /** Returns the bound for rows of {@code columns} features. */
  public BinomialBound(int columns) {
    super(columns);
  }

  /** Returns ξ = |η| for every row. */
  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchorsAt(block, reference, (eta, y) -> Math.abs(eta));
  }

  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    return JaakkolaJordanBound.gap(eta, anchors.get(row, 0), slope);
  }

  /** With a = −λ(ξ)/2: a, the slope of log B at η₀, and log B(η₀). */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double xi = anchors.get(row, 0);
    double[] slope = new double[1];
    double gap = JaakkolaJordanBound.gap(eta0, xi, slope);
    coefficients[0] = -0.5 * JaakkolaJordanBound.curvature(xi);
    coefficients[1] = LIKELIHOOD.derivative(eta0, y) - slope[0];
    coefficients[2] = LIKELIHOOD.logLikelihood(eta0, y) - gap;
  }
}
