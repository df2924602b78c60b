package org.lampyris.driver.loo;

import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.driver.predict.MeanShifts;
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

  /**
   * Returns log p(y | θ, b) of one of them.
   *
   * @param shift what effects of groups add to η
   */
  double of(DataBlock block, int row, double[] theta, double shift) {
    if (shift == 0) {
      return of(block, row, theta);
    }
    Likelihood given = ((PredictorModel) model).given(theta);
    double eta = block.linearPredictor(row, theta) + shift;
    return block.weight(row) * given.logLikelihood(eta, block.response(row)) / copies(block, row);
  }

  /** The one value of θ, and of effects, at which all rows are known. */
  record Point(double[] theta, @Nullable MeanShifts effects) implements java.io.Serializable {
    /** Returns log p(y | θ̂, b̂) of one of the rows that a row stands for. */
    double of(RowLikelihoods rows, DataBlock block, int row) {
      return rows.of(block, row, theta, effects == null ? 0 : effects.of(block, row));
    }
  }

  /** Σ w, Σ w π̃ and Σ w π̃² of a block's rows, π̃ = log p(y | θ̂, b̂). */
  record Proxies(RowLikelihoods rows, Point point) implements BlockTerm<DataBlock> {
    static final int LENGTH = 3;

    @Override
    public void addTo(DataBlock block, double[] out) {
      for (int row = 0; row < block.rows(); row++) {
        double w = rows.copies(block, row);
        double proxy = point.of(rows, block, row);
        out[0] += w;
        out[1] += w * proxy;
        out[2] += w * proxy * proxy;
      }
    }
  }
}
