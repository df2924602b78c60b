package org.lampyris.driver.export;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.Manifest;

/**
 * The draws of an output folder and what is known of the iterations that made them, read chain by
 * chain, in order; Spark sorts, so that memory holds a stretch of them.
 *
 * @param names of the variables
 * @param hasLogPosterior whether the draws have {@code lp__}
 * @param chains the numbers of the chains
 * @param perChain how many draws each has
 * @param thin how many iterations there are to a draw
 */
record RunDraws(
    JsonNode manifest,
    Dataset<Row> draws,
    @Nullable Dataset<Row> stats,
    List<String> names,
    boolean hasLogPosterior,
    List<Integer> chains,
    int perChain,
    int thin) {
  private static final String CHAIN = ".chain";
  private static final String ITERATION = ".iteration";
  private static final String LOG_POSTERIOR = "lp__";
  private static final List<String> INDEX = List.of(CHAIN, ITERATION, ".draw");

  /** What the iterations of a chain were like, one number for each draw; not copied. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stats(
      double[] acceptance, double[] evaluations, double @Nullable [] bright, double[] divergent) {}

  /**
   * Opens an output folder.
   *
   * @throws UserException (data) if it has no draws
   */
  static RunDraws open(SparkSession spark, String folder) throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Path path = new Path(folder, "draws");
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.data(
          folder + " holds no draws/; name the output folder of a run that has ended.");
    }
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.shuffle.partitions", 1);
    Dataset<Row> draws = session.read().parquet(path.toString());
    List<String> columns = List.of(draws.columns());
    List<Row> lengths =
        draws
            .groupBy(column(CHAIN))
            .agg(functions.count("*"))
            .orderBy(column(CHAIN))
            .collectAsList();
    if (lengths.isEmpty()) {
      throw UserException.data(path + " holds no draws.");
    }
    int perChain = (int) lengths.get(0).getLong(1);
    Path iterations = new Path(folder, "sampler_stats");
    Dataset<Row> stats = null;
    int thin = 1;
    if (iterations.getFileSystem(conf).exists(iterations)) {
      stats = session.read().parquet(iterations.toString()).where("NOT warmup");
      Object last = stats.agg(functions.max(column(ITERATION))).head().get(0);
      thin = last == null ? 1 : Math.max(1, ((Number) last).intValue() / perChain);
    }
    return new RunDraws(
        Manifest.read(conf, folder),
        draws,
        stats,
        columns.stream()
            .filter(name -> !INDEX.contains(name) && !name.equals(LOG_POSTERIOR))
            .toList(),
        columns.contains(LOG_POSTERIOR),
        lengths.stream().map(row -> ((Number) row.get(0)).intValue()).toList(),
        perChain,
        thin);
  }

  private static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Returns the draws of a chain, in order: some of the variables. */
  Iterator<Row> of(int chain, List<String> variables) {
    return draws
        .where(column(CHAIN).equalTo(chain))
        .orderBy(column(ITERATION))
        .select(variables.stream().map(RunDraws::column).toArray(Column[]::new))
        .toLocalIterator();
  }

  /** Returns all numbers of a chain's variable, as the draws have them. */
  double[][] values(int chain, List<String> variables) {
    double[][] values = new double[variables.size()][perChain];
    Iterator<Row> rows = of(chain, variables);
    for (int i = 0; rows.hasNext() && i < perChain; i++) {
      Row row = rows.next();
      for (int j = 0; j < values.length; j++) {
        values[j][i] = ((Number) row.get(j)).doubleValue();
      }
    }
    return values;
  }

  /** Returns lp__ of a chain, NaN where the draws have none. */
  double[] logPosterior(int chain) {
    if (hasLogPosterior) {
      return values(chain, List.of(LOG_POSTERIOR))[0];
    }
    double[] none = new double[perChain];
    Arrays.fill(none, Double.NaN);
    return none;
  }

  /** Returns what is known of the iterations of a chain; null if nothing is. */
  @Nullable Stats stats(int chain) {
    if (stats == null) {
      return null;
    }
    boolean hasBright = Arrays.asList(stats.columns()).contains("bright_rows");
    Iterator<Row> rows =
        stats
            .where(column(CHAIN).equalTo(chain))
            .where(column(ITERATION).mod(thin).equalTo(0))
            .orderBy(column(ITERATION))
            .select(
                functions.col("acceptance_probability"),
                functions.col("likelihood_evaluations"),
                functions.col("divergent"),
                hasBright ? functions.col("bright_rows") : functions.lit(0))
            .toLocalIterator();
    double[] acceptance = new double[perChain];
    double[] evaluations = new double[perChain];
    double[] bright = new double[perChain];
    double[] divergent = new double[perChain];
    int count = 0;
    while (rows.hasNext() && count < perChain) {
      Row row = rows.next();
      acceptance[count] = row.getDouble(0);
      evaluations[count] = ((Number) row.get(1)).doubleValue();
      divergent[count] = row.getBoolean(2) ? 1 : 0;
      bright[count] = row.isNullAt(3) ? Double.NaN : ((Number) row.get(3)).doubleValue();
      count++;
    }
    // Draws that were made of others have no iterations of their own.
    return count < perChain
        ? null
        : new Stats(acceptance, evaluations, hasBright ? bright : null, divergent);
  }
}
