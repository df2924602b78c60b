package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.GroupingEffects;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.dataprep.blocks.NewRows;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.EffectSpool;
import org.lampyris.driver.output.ParquetNumbers;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.LevelTable;

/**
 * Kept draws of a run's effects, with the matching draws of θ. They stay in their files, and come
 * to the rows of their group by a join.
 *
 * @param effects the effects of the model
 * @param tables of each grouping the levels, and the effects of each with their draws
 * @param picked which of the kept draws, by their place over all chains
 * @param thetas the draws that those belong to, by chain and iteration
 */
public record LevelDraws(
    List<TableEffects> effects, List<Dataset<Row>> tables, int[] picked, int[][] thetas) {
  /** The column with a group's effects: of each its name, and its draws or its mean. */
  static final String EFFECTS = "effects";

  static final String LEVEL = "level";
  static final String EFFECT = "effect";
  private static final String MEAN = "mean";

  /**
   * Finds them.
   *
   * @param wanted how many draws at most, evenly thinned
   * @throws UserException if the run has not kept any
   */
  static LevelDraws of(
      SparkSession spark, RunOutput run, List<TableEffects> effects, Draws draws, int wanted)
      throws IOException {
    List<Dataset<Row>> tables = new ArrayList<>();
    int kept = 0;
    for (TableEffects one : effects) {
      Dataset<Row> table = table(spark, run, one.effects());
      int of = ((List<?>) table.select(EffectSpool.DRAWS).head().getList(0)).size();
      kept = tables.isEmpty() ? of : Math.min(kept, of);
      tables.add(byLevel(table, EffectSpool.DRAWS));
    }
    return of(effects, tables, kept, draws, wanted);
  }

  /**
   * Picks draws of effects that are kept elsewhere.
   *
   * @param tables where they are by Spark; none if rows have them already
   * @param kept how many there are of each effect
   */
  static LevelDraws of(
      List<TableEffects> effects, List<Dataset<Row>> tables, int kept, Draws draws, int wanted) {
    int each = kept / draws.chains();
    int count = Math.min(wanted, each * draws.chains());
    int[] picked = new int[count];
    int[][] thetas = new int[count][];
    for (int s = 0; s < count; s++) {
      picked[s] = (int) ((2L * s + 1) * each * draws.chains() / (2L * count));
      thetas[s] = new int[] {picked[s] / each, iteration(picked[s] % each, each, draws.perChain())};
    }
    return new LevelDraws(effects, List.copyOf(tables), picked, thetas);
  }

  private static Dataset<Row> byLevel(Dataset<Row> table, String figure) {
    return table
        .groupBy(LEVEL)
        .agg(functions.collect_list(functions.struct(EFFECT, figure)).as(EFFECTS));
  }

  /** Returns the levels of a grouping, and the means of the effects of each. */
  static Dataset<Row> means(SparkSession spark, RunOutput run, GroupingEffects of)
      throws IOException {
    return byLevel(table(spark, run, of), MEAN);
  }

  /** Returns the number of the chain's draw that is kept at a place; they are evenly spaced. */
  static int iteration(int place, int kept, int draws) {
    return (int) (((place + 1L) * draws + kept - 1) / kept) - 1;
  }

  /**
   * Refuses a run that has not kept any, before its rows are read.
   *
   * @throws UserException (data) if it has not
   */
  static void require(RunOutput.Fitted fitted) throws IOException {
    for (TableEffects one : fitted.model().random()) {
      folder(fitted.run(), one.effects());
    }
  }

  private static Dataset<Row> table(SparkSession spark, RunOutput run, GroupingEffects of)
      throws IOException {
    return LevelTable.together(spark.read().parquet(folder(run, of).toString()));
  }

  /**
   * Returns the folder with the draws of a grouping's effects.
   *
   * @throws UserException (data) if the run has not kept any
   */
  static Path folder(RunOutput run, GroupingEffects of) throws IOException {
    Optional<Path> folder = run.effects(of.group());
    if (folder.isPresent()
        && ParquetNumbers.open(run.conf(), folder.get()).columns().contains(EffectSpool.DRAWS)) {
      return folder.get();
    }
    throw UserException.data(
        "%s has no draws of the effects by %s, which predictions, checks and loo need. Sample again with sampler.multilevel.keep_draws: 100 (draws of every effect of each chain)."
            .formatted(run.folder(), of.group()));
  }

  /** Returns the draws of θ that are predicted by. */
  double[][] thinned(Draws draws, List<String> coefficients) {
    int[] at = draws.placesOf(coefficients);
    return Arrays.stream(thetas)
        .map(
            draw ->
                Arrays.stream(at).mapToDouble(j -> draws.values()[j][draw[0]][draw[1]]).toArray())
        .toArray(double[][]::new);
  }

  /** Returns L, LLᵀ = Σ, of each grouping and draw, row by row. */
  double[][][] factors(Draws draws) {
    double[][][] factors = new double[effects.size()][][];
    for (int k = 0; k < factors.length; k++) {
      GroupingEffects of = effects.get(k).effects();
      factors[k] =
          Arrays.stream(thinned(draws, of.names()))
              .map(reported -> factor(reported, of))
              .toArray(double[][]::new);
    }
    return factors;
  }

  /** Returns L of standard deviations and the correlations behind them, row by row. */
  static double[] factor(double[] reported, GroupingEffects of) {
    int q = of.size();
    double[] correlations = new double[q * q];
    for (int e = 0; e < q; e++) {
      correlations[e * q + e] = 1;
    }
    int at = q;
    for (GroupingEffects.Pair pair : of.pairs()) {
      correlations[pair.second() * q + pair.first()] = reported[at];
      correlations[pair.first() * q + pair.second()] = reported[at++];
    }
    // By hand: a correlation may be rounded to -1, where a column lies far from 0.
    double[] lower = new double[q * q];
    for (int e = 0; e < q; e++) {
      double left = 1;
      for (int f = 0; f < e; f++) {
        double sum = correlations[e * q + f];
        for (int g = 0; g < f; g++) {
          sum -= lower[e * q + g] * lower[f * q + g];
        }
        double c = lower[f * q + f] > 0 ? sum / lower[f * q + f] : 0;
        lower[e * q + f] = c;
        left -= c * c;
      }
      lower[e * q + e] = Math.sqrt(Math.max(0, left));
    }
    for (int i = 0; i < lower.length; i++) {
      lower[i] *= reported[i / q];
    }
    return lower;
  }

  /**
   * Adds two columns to rows for each grouping: the level (null for none), and the draws of its
   * effects (null if the model has not seen it). The order of rows is lost.
   *
   * @param rows as {@link NewRows} has them
   */
  Dataset<Row> join(Dataset<Row> rows) {
    Dataset<Row> joined = rows;
    for (int k = 0; k < effects.size(); k++) {
      String cell = NewRows.keyOf(effects.get(k).grouping());
      if (!List.of(rows.columns()).contains(cell)) {
        throw UserException.data(
            "the new table has no column '%s', the group of the model's effects. Add the column; its groups may be new."
                .formatted(effects.get(k).effects().group()));
      }
      String key = ".level" + k;
      String known = ".effects" + k;
      Dataset<Row> table = tables.get(k).toDF(known + "of", known);
      KnownLevels levels = KnownLevels.of(tables.get(k), LEVEL);
      joined =
          joined
              .withColumn(key, levels.of(InputColumns.column(cell)))
              .join(
                  table,
                  InputColumns.column(key).equalTo(InputColumns.column(known + "of")),
                  "left")
              .drop(InputColumns.column(known + "of"));
    }
    return joined;
  }
}
