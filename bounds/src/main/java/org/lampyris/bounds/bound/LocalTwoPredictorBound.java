package org.lampyris.bounds.bound;

import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;

/**
 * {@link LocalPairBound} on the likelihood of a {@link TwoPredictorModel}, whose τ is a linear
 * predictor of its own: sd(η) = √(xᵀΣ̂x) and sd(τ) = √(zᵀΣ̂z), with the blocks of Σ̂.
 *
 * <p>Cost O(d) per row, O(d²) for its anchor and to collapse.
 */
public final class LocalTwoPredictorBound extends LocalPairBound {
  private final Predictors predictors;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalTwoPredictorBound(
      DispersedLikelihood likelihood,
      Predictors predictors,
      LaplaceApproximation laplace,
      double radius) {
    super(likelihood, laplace, radius);
    this.predictors = predictors;
  }

  /** {@inheritDoc} τ comes first, as in {@link LocalDispersedBound}. */
  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return predictors.dot(block, row, 1 - k, u, from);
  }

  @Override
  double eta(DataBlock block, int row, double[] theta) {
    return predictors.dot(block, row, 0, theta, 0) + block.offset(row);
  }

  @Override
  double tau(DataBlock block, int row, double[] theta) {
    return predictors.dot(block, row, 1, theta, 0);
  }

  /** {@inheritDoc} Cost O(D²) a row, with the covariance of all columns' coefficients. */
  @Override
  double[][] sds(DataBlock block) {
    int width = predictors.width();
    int d = laplace.dimension();
    double[][] sds = new double[2][block.rows()];
    for (int k = 0; k < 2; k++) {
      int[] columns = predictors.columns(k);
      double[] covariance = new double[width * width];
      for (int i = 0; i < columns.length; i++) {
        for (int j = 0; j < columns.length; j++) {
          covariance[columns[i] * width + columns[j]] =
              laplace.covariance()[(predictors.start(k) + i) * d + predictors.start(k) + j];
        }
      }
      for (int row = 0; row < block.rows(); row++) {
        sds[k][row] = Math.sqrt(Math.max(0, block.form(row, covariance, width)));
      }
    }
    return sds;
  }

  @Override
  void addSlopes(DataBlock block, int row, double ofEta, double ofTau, double[] gradient) {
    predictors.addScaled(block, row, 0, ofEta, gradient);
    predictors.addScaled(block, row, 1, ofTau, gradient);
  }

  @Override
  void add(DataBlock block, double[][] second, double[][] first, CollapsedQuadratic sum) {
    double[] packed = sum.packed();
    TwoPredictorModel.addTiles(
        block, predictors, second, (i, j, value) -> packed[i * (i + 1) / 2 + j] += value);
    int d = dimension();
    double[] slopes = new double[d];
    for (int row = 0; row < block.rows(); row++) {
      addSlopes(block, row, first[0][row], first[1][row], slopes);
    }
    for (int j = 0; j < d; j++) {
      packed[d * (d + 1) / 2 + j] += slopes[j];
    }
  }
}
