package org.lampyris.samplers.mode;

import java.util.List;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.TreeSum;

/** The log-likelihood of a whole table, whose every evaluation is a pass over the data. */
@FunctionalInterface
public interface Objective {
  /** Returns Σ_n ℓ_n(θ), its gradient and its Hessian: one pass. θ is neither modified nor kept. */
  LikelihoodSum evaluate(double[] theta);

  /**
   * Returns the log-likelihood of blocks in memory, times a factor: a subsample that represents the
   * whole table, or, with factor 1, the reference that a distributed pass must match bit for bit.
   *
   * @param blocks the blocks, in ascending order of their ids; not copied
   * @param factor what the sum is multiplied by: rows of the table / rows of the blocks
   */
  static Objective of(List<? extends DataBlock> blocks, Model model, double factor) {
    int d = model.dimension();
    int length = LikelihoodSum.packedLength(d);
    return theta -> {
      TreeSum sum = new TreeSum(0, Long.MAX_VALUE);
      for (DataBlock block : blocks) {
        double[] packed = new double[length];
        LikelihoodSum.addTo(model, theta, block, packed);
        sum.add(block.id(), packed);
      }
      LikelihoodSum total = new LikelihoodSum(d, TreeSum.total(sum.nodes(), length));
      return factor == 1 ? total : new LikelihoodSum(d, new double[length]).plus(factor, total);
    };
  }

  /**
   * Returns this subsample's log-likelihood f plus the quadratic in δ = θ − θ₀ that makes its
   * value, gradient and Hessian at θ₀ equal to the whole table's. From θ₀ on, only the third
   * derivatives come from the subsample.
   *
   * <p>Its mode is a better step than Newton's, which takes the third derivatives for 0, and costs
   * no pass over the table. Source: Jordan, Lee and Yang (2019), section 2, who correct the
   * gradient; here the Hessian is at hand as well.
   *
   * @param start θ₀; not copied
   * @param table the whole table's sum at θ₀
   */
  default Objective corrected(double[] start, LikelihoodSum table) {
    LikelihoodSum correction = table.plus(-1, evaluate(start));
    return theta -> {
      int d = theta.length;
      double[] packed = correction.packed().clone();
      for (int i = 0; i < d; i++) {
        double product = 0;
        for (int j = 0; j < d; j++) {
          product += correction.hessian(i, j) * (theta[j] - start[j]);
        }
        packed[0] += (correction.gradient(i) + 0.5 * product) * (theta[i] - start[i]);
        packed[1 + i] += product;
      }
      return new LikelihoodSum(d, packed).plus(1, evaluate(theta));
    };
  }

  /**
   * Returns this log-likelihood minus ½θᵀAθ: with what a prior has beside a product over elements.
   *
   * @param matrix A, symmetric, row-major; not copied
   */
  default Objective minusQuadratic(double[] matrix) {
    return theta -> {
      LikelihoodSum sum = evaluate(theta);
      int d = theta.length;
      double[] packed = sum.packed().clone();
      int k = 1 + d;
      for (int i = 0; i < d; i++) {
        double product = 0;
        for (int j = 0; j < d; j++) {
          product += matrix[i * d + j] * theta[j];
        }
        packed[0] -= 0.5 * product * theta[i];
        packed[1 + i] -= product;
        for (int j = 0; j <= i; j++) {
          packed[k++] -= matrix[i * d + j];
        }
      }
      return new LikelihoodSum(d, packed);
    };
  }

  /**
   * Returns this log-likelihood as a function of γ, with intercepts η at another point of the
   * columns: there the prior is a product, and the mode may lie on its kinks and ends.
   */
  default Objective about(InterceptShift point) {
    return gamma -> evaluate(point.toStored(gamma)).about(point);
  }
}
