package org.lampyris.bounds.bound;

import java.util.Arrays;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.JointLikelihood;
import org.lampyris.bounds.rows.DataBlock;

/**
 * {@link LocalJointBound} on a likelihood with one linear predictor and sampled parameters of all
 * rows, τ, the last elements of θ: sd(η) = √(xᵀΣ̂x).
 *
 * <p>Cost O(d) per row, O(d²) for its anchor and to collapse.
 */
public final class LocalDispersedBound extends LocalJointBound {
  private final int columns;

  /** Returns the bound in the ball of radius R, above 0; the last elements of θ are τ. */
  public LocalDispersedBound(
      JointLikelihood likelihood, LaplaceApproximation laplace, double radius) {
    super(likelihood, laplace, radius, 1);
    this.columns = laplace.dimension() - likelihood.parameters();
  }

  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    int place = place(k);
    return place == 0 ? block.dot(row, u, from) : u[from + columns + place - 1];
  }

  @Override
  double number(DataBlock block, int row, int k, double[] theta) {
    return k == 0 ? block.linearPredictor(row, theta) : theta[columns + k - 1];
  }

  @Override
  double[][] sds(DataBlock block) {
    double[][] sds = new double[count][block.rows()];
    sds[0] = laplace.sds(block);
    for (int k = 1; k < count; k++) {
      Arrays.fill(sds[k], laplace.sd(columns + k - 1));
    }
    return sds;
  }

  @Override
  void addSlopes(DataBlock block, int row, double[] slopes, double[] gradient) {
    block.addScaled(row, slopes[0], gradient, 0);
    for (int k = 1; k < count; k++) {
      gradient[columns + k - 1] += slopes[k];
    }
  }

  @Override
  void add(DataBlock block, double[][] second, double[][] first, CollapsedQuadratic sum) {
    double[] packed = sum.packed();
    int d = dimension();
    int b = d * (d + 1) / 2;
    for (int row = 0; row < block.rows(); row++) {
      block.addScaled(row, first[0][row], packed, b);
      for (int p = 1; p < count; p++) {
        int j = columns + p - 1;
        int start = j * (j + 1) / 2;
        packed[b + j] += first[p][row];
        block.addScaled(
            row, second[JointLikelihood.place(count, 0, p) - count][row], packed, start);
        for (int q = 1; q <= p; q++) {
          int of = JointLikelihood.place(count, q, p) - count;
          packed[start + columns + q - 1] += second[of][row];
        }
      }
    }
    double[] lower = new double[columns * columns];
    block.addOuters(second[0], lower);
    sum.addMatrix(1, lower, columns);
  }
}
