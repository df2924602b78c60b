package org.lampyris.samplers.fulldata;

import java.io.Serializable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.Model;

/**
 * One block's share of Σ_n log L_n(θ_k): a pure function, the same in memory and on the executors.
 */
public final class LikelihoodPass implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Model model;

  /** Takes the model. */
  public LikelihoodPass(Model model) {
    this.model = model;
  }

  /** Returns how many elements θ has. */
  public int dimension() {
    return model.dimension();
  }

  /** Returns how many numbers a block answers with. */
  public int answerLength(int points, boolean gradient) {
    return points * (1 + (gradient ? model.dimension() : 0));
  }

  /**
   * Adds a block's share.
   *
   * @param block the block
   * @param thetas the points. Not modified.
   * @param gradient whether gradients are wanted too
   * @param packed see {@link LikelihoodRows#ask}. Modified.
   */
  public void addTo(DataBlock block, double[][] thetas, boolean gradient, double[] packed) {
    double[] values = new double[thetas.length];
    if (gradient) {
      double[] sum = new double[model.dimension()];
      for (int k = 0; k < thetas.length; k++) {
        java.util.Arrays.fill(sum, 0);
        for (int row = 0; row < block.rows(); row++) {
          values[k] += model.addGradient(block, row, thetas[k], sum);
        }
        int base = thetas.length + k * sum.length;
        for (int j = 0; j < sum.length; j++) {
          packed[base + j] += sum[j];
        }
      }
    } else {
      model.addLogLikelihoods(block, thetas, values);
    }
    for (int k = 0; k < values.length; k++) {
      packed[k] += values[k];
    }
  }
}
