package org.lampyris.driver.loo;

import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.Model;
import org.lampyris.samplers.run.BlockTerm;

/**
 * What a row adds to the log-likelihood: a row that is left out is one row of the input, so that of
 * a row that stands for several equal ones it is a share.
 *
 * @param merged whether a weight counts equal rows
 */
record RowLikelihoods(Model model, boolean merged) implements java.io.Serializable {
  /** Returns how many rows of the input a row stands for. */
  double copies(DataBlock block, int row) {
    return merged ? block.weight(row) : 1;
  }

  /** Returns log p(y | θ) of one of them. */
  double of(DataBlock block, int row, double[] theta) {
    return model.logLikelihood(block, row, theta) / copies(block, row);
  }

  /** Σ w, Σ w π̃ and Σ w π̃² of a block's rows, π̃ = log p(y | θ̂). */
  record Proxies(RowLikelihoods rows, double[] theta) implements BlockTerm<DataBlock> {
    static final int LENGTH = 3;

    @Override
    public void addTo(DataBlock block, double[] out) {
      for (int row = 0; row < block.rows(); row++) {
        double w = rows.copies(block, row);
        double proxy = rows.of(block, row, theta);
        out[0] += w;
        out[1] += w * proxy;
        out[2] += w * proxy * proxy;
      }
    }
  }
}
