package org.lampyris.bounds.bound;

import java.util.Arrays;
import org.lampyris.bounds.laplace.LaplaceApproximation;
import org.lampyris.bounds.model.DispersedLikelihood;
import org.lampyris.bounds.rows.DataBlock;

/**
 * {@link LocalPairBound} on a likelihood with one linear predictor and a sampled second parameter
 * of all rows, τ, the last element of θ: sd(η) = √(xᵀΣ̂x).
 *
 * <p>Cost O(d) per row, O(d²) for its anchor and to collapse.
 */
public final class LocalDispersedBound extends LocalPairBound {
  private final int columns;

  /** Returns the bound in the ball of radius R, above 0; the last element of θ is τ. */
  public LocalDispersedBound(
      DispersedLikelihood likelihood, LaplaceApproximation laplace, double radius) {
    super(likelihood, laplace, radius);
    this.columns = laplace.dimension() - 1;
  }

  /** {@inheritDoc} τ comes first: a rule for all rows then has few values of it. */
  @Override
  public double functional(DataBlock block, int row, int k, double[] u, int from) {
    return k == 0 ? u[from + columns] : block.dot(row, u, from);
  }

  @Override
  double eta(DataBlock block, int row, double[] theta) {
    return block.linearPredictor(row, theta);
  }

  @Override
  double tau(DataBlock block, int row, double[] theta) {
    return theta[columns];
  }

  @Override
  double[][] sds(DataBlock block) {
    double[] ofTau = new double[block.rows()];
    Arrays.fill(ofTau, laplace.sd(columns));
    return new double[][] {laplace.sds(block), ofTau};
  }

  @Override
  void addSlopes(DataBlock block, int row, double ofEta, double ofTau, double[] gradient) {
    block.addScaled(row, ofEta, gradient, 0);
    gradient[columns] += ofTau;
  }

  @Override
  void add(DataBlock block, double[][] second, double[][] first, CollapsedQuadratic sum) {
    double[] packed = sum.packed();
    int last = columns * (columns + 1) / 2;
    int b = last + columns + 1;
    for (int row = 0; row < block.rows(); row++) {
      block.addScaled(row, second[1][row], packed, last);
      packed[last + columns] += second[2][row];
      block.addScaled(row, first[0][row], packed, b);
      packed[b + columns] += first[1][row];
    }
    double[] lower = new double[columns * columns];
    block.addOuters(second[0], lower);
    sum.addMatrix(1, lower, columns);
  }
}
