package org.lampyris.driver.loo;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.driver.predict.KnownShifts;
import org.lampyris.driver.predictive.RowSample;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.loo.DifferenceEstimate;
import org.lampyris.samplers.loo.ParetoSmoothing;

/**
 * Leave-one-out cross-validation of a run: elpd = Σ_n log p(y_n | the other rows), by Pareto
 * smoothed importance sampling at some rows, and the difference estimator with log p(y_n | θ̂), θ̂
 * the posterior mean, at all. Effects of groups are parameters like θ: a row is left out, and the
 * others of its groups stay.
 *
 * <p>Source: Vehtari et al. (2024) and Magnusson et al. (2019, 2020). Cost of the rows drawn: S
 * log-likelihoods each, and a sort; a row is smoothed at a time, so that memory holds S numbers a
 * thread.
 *
 * @param folder of the run
 * @param table the fingerprint of the table: rows of the same table are the same
 * @param draws S
 * @param all what is known of all rows
 * @param sample what was found of the rows drawn
 * @param shapes Pareto k of each of them
 * @param parameters p_loo, Σ_n log p(y_n | all rows) − elpd, by the rows drawn: the effective
 *     number of parameters
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Loo(
    String folder,
    String table,
    int draws,
    DifferenceEstimate.Proxies all,
    DifferenceEstimate.Sample sample,
    double[] shapes,
    double parameters) {
  /** Returns Σ_n log p(y_n | the other rows) with its two standard errors. */
  DifferenceEstimate elpd() {
    return DifferenceEstimate.of(all, sample);
  }

  /** Returns how many rows were drawn. */
  int rows() {
    return shapes.length;
  }

  /** Returns at how many of them the estimate is not to be relied upon. */
  long unreliable() {
    double most = ParetoSmoothing.threshold(draws);
    return Arrays.stream(shapes).filter(k -> !(k <= most)).count();
  }

  /**
   * Cross-validates.
   *
   * @param rows of the model
   * @param drawn some rows of the table
   * @param draws of θ and of effects
   * @param all what is known of all rows, at {@code point}
   * @param point θ̂
   */
  static Loo of(
      String folder,
      String table,
      RowLikelihoods rows,
      RowSample drawn,
      Thetas draws,
      DifferenceEstimate.Proxies all,
      RowLikelihoods.Point point) {
    int size = drawn.rows();
    DataBlock[] blocks = new DataBlock[size];
    int[] places = new int[size];
    int at = 0;
    for (DataBlock block : drawn.blocks()) {
      for (int row = 0; row < block.rows(); row++) {
        blocks[at] = block;
        places[at++] = row;
      }
    }
    double[] values = new double[size];
    double[] proxies = new double[size];
    double[] weights = new double[size];
    double[] shapes = new double[size];
    double[] gains = new double[size];
    IntStream.range(0, size)
        .parallel()
        .forEach(
            i -> {
              Row row = Row.of(rows, blocks[i], places[i], draws);
              values[i] = row.leftOut;
              gains[i] = row.all - row.leftOut;
              shapes[i] = row.shape;
              weights[i] = rows.copies(blocks[i], places[i]);
              proxies[i] = point.of(rows, blocks[i], places[i]);
            });
    double parameters = 0;
    for (int i = 0; i < size; i++) {
      parameters += weights[i] * gains[i] * all.rows() / size;
    }
    return new Loo(
        folder,
        table,
        draws.count(),
        all,
        new DifferenceEstimate.Sample(values, proxies, weights),
        shapes,
        parameters);
  }

  /**
   * Draws of the posterior.
   *
   * @param chains of θ as the model has it: chains × draws × elements
   * @param effects what effects of groups add by the same draws, chain after chain; null where
   *     there are none
   */
  record Thetas(double[][][] chains, @Nullable KnownShifts effects) {
    int count() {
      return chains.length * chains[0].length;
    }
  }

  /** A row: log p(y | the other rows), log p(y | all rows), and the shape of its weights' tail. */
  private record Row(double leftOut, double all, double shape) {
    static Row of(RowLikelihoods rows, DataBlock block, int place, Thetas draws) {
      double[][][] chains = draws.chains;
      double[] shift =
          draws.effects == null ? new double[draws.count()] : draws.effects.of(block, place);
      double[][] likelihood = new double[chains.length][chains[0].length];
      double[] pooled = new double[draws.count()];
      double most = Double.NEGATIVE_INFINITY;
      int at = 0;
      for (double[][] chain : chains) {
        for (double[] theta : chain) {
          pooled[at] = rows.of(block, place, theta, shift[at]);
          most = Math.max(most, pooled[at++]);
        }
      }
      double[] ratios = new double[pooled.length];
      for (int s = 0; s < pooled.length; s++) {
        ratios[s] = -pooled[s];
        likelihood[s / chains[0].length][s % chains[0].length] = Math.exp(pooled[s] - most);
      }
      double ess = Diagnostics.essMean(likelihood);
      double efficiency = Double.isNaN(ess) ? 1 : ess / pooled.length;
      ParetoSmoothing smoothed = ParetoSmoothing.of(ratios, efficiency);
      return new Row(
          smoothed.logPredictiveDensity(pooled),
          ParetoSmoothing.logSumExp(pooled) - Math.log(pooled.length),
          smoothed.k());
    }
  }
}
