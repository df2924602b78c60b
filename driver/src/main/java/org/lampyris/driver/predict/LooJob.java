package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.table.BlockTable;

/**
 * Cross-validates runs and compares them, with one pass over each table for the proxy, and some
 * rows for the rest.
 */
public final class LooJob {
  /** Draws that are used at most, evenly thinned. */
  private static final int MOST_DRAWS = 8_000;

  private LooJob() {}

  /**
   * Cross-validates.
   *
   * @param folders the output folders of runs that have ended
   * @param rows how many rows to draw; all if there are not so many
   * @throws UserException if a table is not there any more, or a model cannot be cross-validated
   */
  public static LooReport run(SparkSession spark, List<String> folders, int rows)
      throws IOException {
    List<Loo> all = new ArrayList<>();
    for (String folder : folders) {
      all.add(of(spark, folder, rows));
    }
    return new LooReport(all);
  }

  /** Cross-validates a run at about so many rows. */
  static Loo of(SparkSession spark, String folder, int rows) throws IOException {
    return of(spark, folder, table -> RowSample.draw(table, rows));
  }

  /**
   * Cross-validates a run at some rows.
   *
   * @param drawing draws the same rows of equal tables
   */
  static Loo of(SparkSession spark, String folder, Function<BlockTable, RowSample> drawing)
      throws IOException {
    RunOutput.Fitted run =
        RunOutput.ofEnded(spark.sparkContext().hadoopConfiguration(), folder).model();
    ModelOfTable model = run.model();
    LevelDraws.require(run);
    RowLikelihoods rows = new RowLikelihoods(model.model(), run.schema().source().merged() != null);
    try (BlockTable table =
            BlockTable.load(spark, run.job().preparedFolder(), run.job().data().partitions());
        MeanShifts means = run.hasEffects() ? MeanShifts.of(spark, run) : null) {
      RowSample drawn = drawing.apply(table);
      Loo.Thetas thetas = run.hasEffects() ? withEffects(spark, run, drawn) : thetas(run);
      RowLikelihoods.Point point = new RowLikelihoods.Point(mean(thetas.chains()), means);
      RowLikelihoods.Proxies proxies = new RowLikelihoods.Proxies(rows, point);
      double[] sums = BlockSum.over(table.blocks(), table.ranges(), proxies.length(), proxies);
      return Loo.of(
          folder,
          run.schema().fingerprint(),
          rows,
          drawn,
          thetas,
          RowLikelihoods.All.of(drawn.of(), sums),
          point);
    }
  }

  /** Returns draws of θ, evenly thinned. */
  private static Loo.Thetas thetas(RunOutput.Fitted run) throws IOException {
    double every = (double) run.run().chains() * run.run().drawsPerChain() / MOST_DRAWS;
    Draws draws = run.run().draws((int) Math.max(1, Math.ceil(every)));
    List<String> coefficients = run.model().coefficients();
    int all = draws.chains() * draws.perChain();
    return thetas(run, PosteriorPredictor.thinned(draws, coefficients, all), draws.chains(), null);
  }

  /** Returns draws of θ and of the effects that a run has kept. */
  private static Loo.Thetas withEffects(SparkSession spark, RunOutput.Fitted run, RowSample drawn)
      throws IOException {
    KnownShifts effects = KnownShifts.of(spark, run, MOST_DRAWS, drawn.blocks());
    return thetas(run, effects.thetas(), effects.chains(), effects);
  }

  private static Loo.Thetas thetas(
      RunOutput.Fitted run, double[][] reported, int chains, @Nullable KnownShifts effects) {
    ColumnCenters centers = run.schema().centers();
    int each = reported.length / chains;
    double[][][] thetas = new double[chains][each][];
    for (int c = 0; c < chains; c++) {
      int first = c * each;
      Arrays.setAll(thetas[c], i -> run.model().fromInput(reported[first + i], centers));
    }
    return new Loo.Thetas(thetas, effects);
  }

  /** Returns the mean of draws of all chains. */
  static double[] mean(double[][][] chains) {
    double[] mean = new double[chains[0][0].length];
    double draws = (double) chains.length * chains[0].length;
    for (double[][] chain : chains) {
      for (double[] theta : chain) {
        for (int j = 0; j < mean.length; j++) {
          mean[j] += theta[j] / draws;
        }
      }
    }
    return mean;
  }
}
