package org.lampyris.driver.predict;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.Model;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.diagnostics.DifferenceEstimate;
import org.lampyris.samplers.run.BlockTerm;

/**
 * Log-likelihood of one row of the input. A stored row may represent several equal ones; a row that
 * is left out is one of them, so it has a share of the stored row's.
 *
 * @param merged whether a weight counts equal rows
 */
record RowLikelihoods(Model model, boolean merged) implements java.io.Serializable {
  /** Returns how many rows of the input a row stands for. */
  double copies(DataBlock block, int row) {
    return merged ? block.weight(row) : 1;
  }

  /** Returns log p(y | θ) of one input row. */
  double of(DataBlock block, int row, double[] theta) {
    return model.logLikelihood(block, row, theta) / copies(block, row);
  }

  /**
   * Returns log p(y | θ, b) of one input row.
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

  /**
   * Adds the gradient in θ of log p(y | θ, b), times the number of input rows, and returns the
   * value of one input row.
   *
   * @param gradient added to. Modified.
   */
  private double addGradient(
      DataBlock block, int row, double[] theta, double shift, double[] gradient) {
    if (shift == 0) {
      return model.addGradient(block, row, theta, gradient) / copies(block, row);
    }
    PredictorModel predictor = (PredictorModel) model;
    double eta = block.linearPredictor(row, theta) + shift;
    double slope = predictor.given(theta).derivative(eta, block.response(row));
    block.addScaled(row, block.weight(row) * slope, gradient, 0);
    predictor.addShared(block, row, row + 1, theta, new double[] {eta}, gradient);
    return of(block, row, theta, shift);
  }

  /** The single value of θ, and of effects, at which all rows are evaluated. */
  record Point(double[] theta, @Nullable MeanShifts effects) implements java.io.Serializable {
    /**
     * Returns log p(y | θ̂, b̂) of one of the rows that a row stands for.
     *
     * @param gradient in θ, times how many they are; added to. Modified.
     */
    double of(RowLikelihoods rows, DataBlock block, int row, double[] gradient) {
      double shift = effects == null ? 0 : effects.of(block, row);
      return rows.addGradient(block, row, theta, shift, gradient);
    }
  }

  /**
   * Values for all rows.
   *
   * @param proxies their sums
   * @param gradient Σ w ∇π̃ in θ. Not copied.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record All(DifferenceEstimate.Proxies proxies, double[] gradient) {
    static All of(long rows, double[] sums) {
      return new All(
          new DifferenceEstimate.Proxies(rows, sums[0], sums[1], sums[2]),
          Arrays.copyOfRange(sums, Proxies.GRADIENT, sums.length));
    }
  }

  /** Σ w, Σ w π̃, Σ w π̃² and Σ w ∇π̃ of a block's rows, π̃ = log p(y | θ̂, b̂). */
  record Proxies(RowLikelihoods rows, Point point) implements BlockTerm<DataBlock> {
    private static final int GRADIENT = 3;

    /** Returns the number of sums. */
    int length() {
      return GRADIENT + point.theta.length;
    }

    @Override
    public void addTo(DataBlock block, double[] out) {
      double[] gradient = new double[point.theta.length];
      for (int row = 0; row < block.rows(); row++) {
        double w = rows.copies(block, row);
        double proxy = point.of(rows, block, row, gradient);
        out[0] += w;
        out[1] += w * proxy;
        out[2] += w * proxy * proxy;
      }
      for (int j = 0; j < gradient.length; j++) {
        out[GRADIENT + j] += gradient[j];
      }
    }
  }
}
