package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.DifferenceEstimate;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;

/**
 * Leave-one-out cross-validation of a run: elpd = Σ_n log p(y_n | the other rows), from
 * Pareto-smoothed importance sampling at some rows, and the difference estimator with log p(y_n |
 * θ̂), θ̂ the posterior mean, at all rows. Effects of groups are parameters like θ: a row is left
 * out, and the others of its groups stay.
 *
 * <p>Source: Vehtari et al. (2024) and Magnusson et al. (2019, 2020). Cost of the rows drawn: S
 * log-likelihoods each, and a sort; a row is smoothed at a time, so that memory holds S numbers a
 * thread.
 *
 * @param folder of the run
 * @param table the fingerprint of the table: rows of the same table are the same
 * @param all what is known of all rows
 * @param sample what was found of the rows drawn
 * @param gains log p(y_n | all rows) − log p(y_n | the other rows) of each of them
 * @param shapes Pareto k of each of them
 * @param influence of the draws
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Loo(
    String folder,
    String table,
    DifferenceEstimate.Proxies all,
    DifferenceEstimate.Sample sample,
    double[] gains,
    double[] shapes,
    Influence influence) {
  /** Number of parts of the rows, for any number of cores: sums have the same bits on all. */
  private static final int PARTS = 64;

  /** Returns Σ_n log p(y_n | the other rows) with its two standard errors. */
  DifferenceEstimate elpd() {
    return DifferenceEstimate.of(all, sample);
  }

  /**
   * Returns p_loo, Σ_n log p(y_n | all rows) − elpd, by the rows drawn, with its two standard
   * errors: the effective number of parameters.
   */
  DifferenceEstimate parameters() {
    return DifferenceEstimate.of(
        new DifferenceEstimate.Proxies(all.rows(), all.weights(), 0, 0),
        new DifferenceEstimate.Sample(gains, new double[rows()], sample.weights()));
  }

  /** Returns the number of draws. */
  int draws() {
    return influence.elpd.length * influence.elpd[0].length;
  }

  /** Returns the Monte-Carlo error of elpd; NaN if unknown. */
  double elpdError() {
    return unreliable() > 0 ? Double.NaN : Influence.error(influence.elpd);
  }

  /** Returns the Monte-Carlo error of p_loo; NaN if unknown. */
  double parametersError() {
    return unreliable() > 0 ? Double.NaN : Influence.error(influence.parameters);
  }

  /** Returns how many rows were drawn. */
  int rows() {
    return shapes.length;
  }

  /** Returns the number of rows with unreliable estimates. */
  long unreliable() {
    double most = ParetoSmoothing.threshold(draws());
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
      RowLikelihoods.All all,
      RowLikelihoods.Point point) {
    int size = drawn.rows();
    List<RowSample.Place> places = drawn.places();
    double[] values = new double[size];
    double[] proxies = new double[size];
    double[] weights = new double[size];
    double[] shapes = new double[size];
    double[] gains = new double[size];
    double scale = (double) all.proxies().rows() / size;
    double[][] sums =
        IntStream.range(0, Math.min(PARTS, size))
            .parallel()
            .mapToObj(
                part -> {
                  double[] sum = new double[2 * draws.count() + point.theta().length];
                  double[] gradient = new double[point.theta().length];
                  for (int i = part; i < size; i += PARTS) {
                    DataBlock block = places.get(i).block();
                    int place = places.get(i).row();
                    weights[i] = rows.copies(block, place);
                    proxies[i] = point.of(rows, block, place, gradient);
                    Row row = Row.of(rows, block, place, draws, scale * weights[i], sum);
                    values[i] = row.leftOut;
                    gains[i] = row.all - row.leftOut;
                    shapes[i] = row.shape;
                  }
                  System.arraycopy(gradient, 0, sum, 2 * draws.count(), gradient.length);
                  return sum;
                })
            .toArray(double[][]::new);
    return new Loo(
        folder,
        table,
        all.proxies(),
        new DifferenceEstimate.Sample(values, proxies, weights),
        gains,
        shapes,
        Influence.of(sums, draws.chains, point.theta(), all.gradient(), scale));
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
    /**
     * Finds them.
     *
     * @param factor how many rows a row stands for
     * @param influence of the draws on elpd, and then on p_loo; added to, times the factor
     */
    static Row of(
        RowLikelihoods rows,
        DataBlock block,
        int place,
        Thetas draws,
        double factor,
        double[] influence) {
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
      double leftOut = smoothed.logPredictiveDensity(pooled);
      double all = ParetoSmoothing.logSumExp(pooled) - Math.log(pooled.length);
      double[] own = new double[pooled.length];
      smoothed.addInfluence(pooled, leftOut, factor, own);
      for (int s = 0; s < pooled.length; s++) {
        influence[s] += own[s];
        influence[pooled.length + s] += factor * Math.expm1(pooled[s] - all) - own[s];
      }
      return new Row(leftOut, all, smoothed.k());
    }
  }

  /**
   * Influence of each draw on the estimates. Errors are the means of influences to first order: the
   * delta method, for all rows together, because all rows use the same draws. Chains × draws.
   *
   * <p>With c_i = w_i n/m rows of the input for row i of the m drawn of n, S draws, its normalised
   * weights v_is, p_is = p(y_i | θ_s) and p̂_i = Σ v_is p_is,
   *
   * <pre>elpd: Σ_i c_i S v_is (p_is/p̂_i − 1) + (Σ_n w_n ∇π̃_n − Σ_i c_i ∇π̃_i)ᵀ(θ_s − θ̂),
   * p_loo: Σ_i c_i (p_is/p̄_i − 1 − S v_is (p_is/p̂_i − 1)), p̄_i = Σ p_is/S.</pre>
   *
   * <p>The second term of the first comes from θ̂, a mean of the same draws; it is 0 if all rows
   * are drawn. Means of group effects use all draws of a run, and are taken as known. The error is
   * √(Var/ESS), with the ESS of the influences over the chains, r_eff·S. For one row it is R's
   * {@code mcse_elpd_loo}; for several R adds up squares, as if each row had draws of its own.
   *
   * <p>Source: Vehtari, Gelman and Gabry (2017); Owen (2013), "Monte Carlo theory, methods and
   * examples", section 9.2, for self-normalised weights.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Influence(double[][] elpd, double[][] parameters) {
    private static Influence of(
        double[][] sums, double[][][] chains, double[] mean, double[] gradient, double scale) {
      double[] sum = new double[sums[0].length];
      for (double[] part : sums) {
        Arrays.setAll(sum, k -> sum[k] + part[k]);
      }
      int length = chains[0].length;
      int draws = chains.length * length;
      double[][] elpd = new double[chains.length][length];
      double[][] parameters = new double[chains.length][length];
      for (int s = 0; s < draws; s++) {
        double[] theta = chains[s / length][s % length];
        double moved = 0;
        for (int j = 0; j < theta.length; j++) {
          moved += (gradient[j] - scale * sum[2 * draws + j]) * (theta[j] - mean[j]);
        }
        elpd[s / length][s % length] = sum[s] + moved;
        parameters[s / length][s % length] = sum[draws + s];
      }
      return new Influence(elpd, parameters);
    }

    /** Returns the standard error of the mean of influences; 0 if all are 0. */
    static double error(double[][] influence) {
      boolean none = Arrays.stream(influence).flatMapToDouble(Arrays::stream).allMatch(x -> x == 0);
      return none ? 0 : Diagnostics.mcseMean(influence);
    }
  }
}
