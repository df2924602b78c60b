package org.lampyris.bounds.family.negativebinomial;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.family.binary.JaakkolaJordanBound;
import org.lampyris.bounds.rows.DataBlock;

/**
 * Quadratic lower bound on the negative binomial likelihood of a given shape, tight at u = ±ξ: in u
 * = η − log φ it is linear but for −(y + φ) log(2 cosh(u/2)), so that the {@linkplain
 * JaakkolaJordanBound logistic bound} holds, with y + φ times its gap.
 *
 * <p>Cost O(d) per row. Source: Jaakkola and Jordan (1997); the form of the likelihood is that of
 * Polson, Scott and Windle (2013), section 2.
 */
public final class NegativeBinomialBound extends OnePredictorBound {
  private final NegativeBinomialLikelihood likelihood;

  /** Returns the bound for rows of {@code columns} features. */
  public NegativeBinomialBound(NegativeBinomialLikelihood likelihood, int columns) {
    super(columns);
    this.likelihood = likelihood;
  }

  /** Returns ξ = |u| for every row. */
  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return anchorsAt(block, reference, (eta, y) -> Math.abs(likelihood.logOdds(eta)));
  }

  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    double n = likelihood.trials(y);
    double gap = JaakkolaJordanBound.gap(likelihood.logOdds(eta), anchors.get(row, 0), slope);
    if (slope != null) {
      slope[0] *= n;
    }
    return n * gap;
  }

  /** With n = y + φ: −nλ(ξ)/2, the slope of log B at η₀, and log B(η₀). */
  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    double[] slope = new double[1];
    double gap = gapAt(eta0, y, anchors, row, slope);
    coefficients[0] =
        -0.5 * likelihood.trials(y) * JaakkolaJordanBound.curvature(anchors.get(row, 0));
    coefficients[1] = likelihood.derivative(eta0, y) - slope[0];
    coefficients[2] = likelihood.logLikelihood(eta0, y) - gap;
  }
}
