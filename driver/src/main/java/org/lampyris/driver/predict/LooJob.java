package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.prior.ColumnCenters;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.diagnostics.DifferenceEstimate;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;

/**
 * Cross-validates runs by one pass over the table of each, for the proxy, and some of its rows, for
 * the rest; and holds them against each other.
 */
public final class LooJob {
  /** Draws that are used at most, evenly thinned. */
  private static final int MOST_DRAWS = 8_000;

  private LooJob() {}

  /**
   * What was found.
   *
   * @param lines what it comes to
   * @param doubts what speaks against it
   */
  public record Report(List<String> lines, List<String> doubts) {}

  /**
   * Cross-validates.
   *
   * @param folders the output folders of runs that have ended
   * @param rows how many rows to draw; all if there are not so many
   * @throws UserException if a table is not there any more, or a model cannot be cross-validated
   */
  public static Report run(SparkSession spark, List<String> folders, int rows) throws IOException {
    List<Loo> all = new ArrayList<>();
    for (String folder : folders) {
      all.add(of(spark, folder, rows));
    }
    List<String> lines = new ArrayList<>();
    List<String> doubts = new ArrayList<>();
    for (Loo loo : all) {
      lines.addAll(lines(loo));
      if (loo.unreliable() > 0) {
        doubts.add(
            Text.of(
                "%s: at %,d of %,d rows Pareto k is above %.2f, so that their estimates are not to be"
                    + " relied upon: leaving them out changes the posterior too much. No Monte-Carlo"
                    + " error is known then. More draws help a little; a model to which such rows are"
                    + " less odd helps.",
                loo.folder(),
                loo.unreliable(),
                loo.rows(),
                ParetoSmoothing.threshold(loo.draws())));
      }
    }
    if (all.size() > 1) {
      compare(all, lines, doubts);
    }
    return new Report(lines, doubts);
  }

  private static List<String> lines(Loo loo) {
    DifferenceEstimate elpd = loo.elpd();
    DifferenceEstimate parameters = loo.parameters();
    double largest = Double.NEGATIVE_INFINITY;
    for (double k : loo.shapes()) {
      largest = Math.max(largest, k);
    }
    return List.of(
        Text.of(
            "%s: %,d of %,d rows, %,d draws",
            loo.folder(), loo.rows(), loo.all().rows(), loo.draws()),
        Text.of(
            "  elpd_loo %,.1f, standard error %,.1f; by the draw of rows %,.2f; Monte Carlo %s",
            elpd.total(),
            elpd.standardError(),
            elpd.subsamplingError(),
            monteCarlo(loo.elpdError())),
        Text.of(
            "  p_loo %,.1f, standard error %,.1f; by the draw of rows %,.2f; Monte Carlo %s",
            parameters.total(),
            parameters.standardError(),
            parameters.subsamplingError(),
            monteCarlo(loo.parametersError())),
        Text.of(
            "  Pareto k at most %.2f; above %.2f at %,d rows",
            largest, ParetoSmoothing.threshold(loo.draws()), loo.unreliable()));
  }

  /** Returns an error by the posterior draws in words. */
  private static String monteCarlo(double error) {
    return Double.isNaN(error) ? "not known" : Text.of("%,.2f", error);
  }

  private static void compare(List<Loo> all, List<String> lines, List<String> doubts) {
    List<Loo> sorted =
        all.stream()
            .sorted(Comparator.comparingDouble((Loo loo) -> loo.elpd().total()).reversed())
            .toList();
    Loo best = sorted.get(0);
    lines.add("Best: " + best.folder());
    for (Loo loo : sorted.subList(1, sorted.size())) {
      if (loo.all().weights() != best.all().weights()) {
        throw UserException.data(
            Text.of(
                "%s and %s are of tables of %,.0f and %,.0f rows; only models of the same rows can be"
                    + " held against each other.",
                best.folder(), loo.folder(), best.all().weights(), loo.all().weights()));
      }
      LooDifference of = LooDifference.of(loo, best);
      lines.add(
          Text.of(
              "  %s: elpd_diff %,.1f, standard error %,.1f; by the draw of rows %,.2f; Monte Carlo %s",
              loo.folder(),
              of.difference(),
              of.standardError(),
              of.subsamplingError(),
              monteCarlo(of.monteCarloError())));
      if (!of.paired()) {
        doubts.add(
            Text.of(
                "%s and %s are of tables that were prepared apart, whose rows are in different orders:"
                    + " the errors of their difference are those of independent sums, and too large.",
                best.folder(), loo.folder()));
      }
    }
  }

  private static Loo of(SparkSession spark, String folder, int wanted) throws IOException {
    RunOutput.Fitted run =
        RunOutput.ofEnded(spark.sparkContext().hadoopConfiguration(), folder).model();
    ModelOfTable model = run.model();
    LevelDraws.require(spark, run);
    RowLikelihoods rows = new RowLikelihoods(model.model(), run.schema().source().merged() != null);
    try (BlockTable table =
            BlockTable.load(spark, run.job().preparedFolder(), run.job().data().partitions());
        MeanShifts means = run.hasEffects() ? MeanShifts.of(spark, run) : null) {
      RowSample drawn = RowSample.draw(table, wanted, run.job().sampler().run().seed());
      Loo.Thetas thetas =
          run.hasEffects() ? withEffects(spark, run, drawn) : thetas(run);
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

  /** Returns draws of θ and of effects, as far as a run has kept them. */
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
