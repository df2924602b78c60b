package org.lampyris.bounds.bound;

import java.util.Arrays;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;

/**
 * {@link LocalJointBound} on the likelihood of a {@link TwoPredictorModel}, whose first parameter
 * has a linear predictor of its own: sd(η) = √(xᵀΣ̂x) and sd(τ) = √(zᵀΣ̂z), with the blocks of Σ̂.
 *
 * <p>Cost O(d) per row, O(d²) for its anchor and to collapse.
 */
public final class LocalTwoPredictorBound extends LocalJointBound {
  private final Predictors predictors;

  /** Returns the bound in the ball of radius R, above 0. */
  public LocalTwoPredictorBound(
      JointLikelihood likelihood,
      Predictors predictors,
      LaplaceApproximation laplace,
      double radius) {
    super(likelihood, laplace, radius, 2);
    this.predictors = predictors;
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return TwoPredictorModel.functional(predictors, block, row, place(k), u, from);
  }

  @Override
  double number(DataBlock block, int row, int k, double[] theta) {
    double number = TwoPredictorModel.functional(predictors, block, row, k, theta, 0);
    return k == 0 ? number + block.offset(row) : number;
  }

  /** {@inheritDoc} Cost O(D²) a row, with the covariance of all columns' coefficients. */
  @Override
  double[][] sds(DataBlock block) {
    int width = predictors.width();
    int d = laplace.dimension();
    double[][] sds = new double[count][block.rows()];
    for (int k = 2; k < count; k++) {
      Arrays.fill(sds[k], laplace.sd(predictors.coefficients() + k - 2));
    }
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
  void addSlopes(DataBlock block, int row, double[] slopes, double[] gradient) {
    predictors.addScaled(block, row, 0, slopes[0], gradient);
    predictors.addScaled(block, row, 1, slopes[1], gradient);
    for (int k = 2; k < count; k++) {
      gradient[predictors.coefficients() + k - 2] += slopes[k];
    }
  }

  @Override
  void add(DataBlock block, double[][] second, double[][] first, CollapsedQuadratic sum) {
    double[] packed = sum.packed();
    TwoPredictorModel.addTiles(
        block, predictors, second, (i, j, value) -> packed[i * (i + 1) / 2 + j] += value);
    int d = dimension();
    double[] slopes = new double[d];
    double[] of = new double[count];
    for (int row = 0; row < block.rows(); row++) {
      for (int k = 0; k < count; k++) {
        of[k] = first[k][row];
      }
      addSlopes(block, row, of, slopes);
    }
    for (int j = 0; j < d; j++) {
      packed[d * (d + 1) / 2 + j] += slopes[j];
    }
  }
}
