package org.lampyris.samplers.run;

import java.io.Serializable;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.rows.DataBlock;

/**
 * One block's share of Σ_n log L_n(θ_k): a pure function, the same in memory and on the executors.
 */
public record LikelihoodPass(Model model) implements Serializable {
  /** Returns how many elements θ has. */
  public int dimension() {
    return model.dimension();
  }

  /** Returns how many numbers a block answers with. */
  public int answerLength(int points, boolean gradient) {
    return points * (1 + (gradient ? model.dimension() : 0));
  }

  /** Adds a block's share to {@code packed}, modified: see {@link LikelihoodRows#ask}. */
  public void addTo(DataBlock block, double[][] thetas, boolean gradient, double[] packed) {
    double[] values = new double[thetas.length];
    if (gradient) {
      double[][] gradients = new double[thetas.length][model.dimension()];
      model.addGradients(block, thetas, values, gradients);
      int at = thetas.length;
      for (double[] sum : gradients) {
        for (double slope : sum) {
          packed[at++] += slope;
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
