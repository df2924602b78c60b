package org.lampyris.bounds.family.gaussian;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.bound.Anchors;
import org.lampyris.bounds.bound.OnePredictorBound;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The Gaussian likelihood with a known standard deviation as its own lower bound: it is quadratic
 * in η already. The gap is 0 everywhere, so that no row is ever bright, and nothing has an anchor.
 */
public final class ExactGaussianBound extends OnePredictorBound {
  private final GaussianLikelihood likelihood;

  /** Returns the bound. */
  public ExactGaussianBound(GaussianLikelihood likelihood, int columns) {
    super(columns);
    this.likelihood = likelihood;
  }

  /** Returns one number for all rows, which nothing looks at. */
  @Override
  public Anchors anchorsAt(DataBlock block, double[] reference) {
    return Anchors.constant(0);
  }

  @Override
  protected double gapAt(
      double eta, double y, Anchors anchors, int row, double @Nullable [] slope) {
    if (slope != null) {
      slope[0] = 0;
    }
    return 0;
  }

  @Override
  protected void expand(double eta0, double y, Anchors anchors, int row, double[] coefficients) {
    coefficients[0] = 0.5 * likelihood.secondDerivative(eta0, y);
    coefficients[1] = likelihood.derivative(eta0, y);
    coefficients[2] = likelihood.logLikelihood(eta0, y);
  }
}
