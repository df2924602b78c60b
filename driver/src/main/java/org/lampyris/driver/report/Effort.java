package org.lampyris.driver.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.lampyris.driver.chart.Curve;

/**
 * What iterations cost in the course of a run: means over stretches of iterations, chain by chain,
 * from {@code sampler_stats/}, which Spark adds up.
 *
 * @param warmup how many iterations the warm-up had
 * @param evaluations likelihood evaluations of an iteration
 * @param bright bright rows; none where the algorithm has no such
 * @param acceptance acceptance probabilities
 */
record Effort(long warmup, List<Curve> evaluations, List<Curve> bright, List<Curve> acceptance) {
  private static final int STRETCHES = 120;
  private static final String FOLDER = "sampler_stats";
  private static final String BRIGHT = "bright_rows";

  /** Reads the iterations of a run; nothing if they are not kept. */
  static Effort read(SparkSession spark, String folder) throws IOException {
    Path path = new Path(folder, FOLDER);
    if (!path.getFileSystem(spark.sparkContext().hadoopConfiguration()).exists(path)) {
      return new Effort(0, List.of(), List.of(), List.of());
    }
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.shuffle.partitions", 1);
    Dataset<Row> rows = session.read().parquet(path.toString());
    boolean hasBright = Arrays.asList(rows.columns()).contains(BRIGHT);
    Column iteration = functions.col("`.iteration`");
    Column warm = functions.col("warmup");
    Row ends =
        rows.agg(
                functions.max(functions.when(warm, iteration).otherwise(0)),
                functions.max(functions.when(warm, 0).otherwise(iteration)))
            .head();
    long warmup = ((Number) ends.get(0)).longValue();
    long all = warmup + ((Number) ends.get(1)).longValue();
    Column at = iteration.minus(1).plus(functions.when(warm, 0L).otherwise(warmup));
    List<Row> means =
        rows.groupBy(
                functions.col("`.chain`").as("chain"),
                functions.floor(at.multiply(STRETCHES).divide(all)).as("stretch"))
            .agg(
                functions.avg("likelihood_evaluations"),
                functions.avg("acceptance_probability"),
                functions.avg(hasBright ? functions.col(BRIGHT) : functions.lit(null)))
            .collectAsList();
    TreeMap<Integer, double[][]> chains = new TreeMap<>();
    for (Row mean : means) {
      double[][] of =
          chains.computeIfAbsent(((Number) mean.get(0)).intValue(), chain -> unknown(STRETCHES));
      int stretch = ((Number) mean.get(1)).intValue();
      for (int k = 0; k < of.length; k++) {
        of[k][stretch] = mean.isNullAt(2 + k) ? Double.NaN : mean.getDouble(2 + k);
      }
    }
    return new Effort(
        warmup,
        curves(chains, 0, all),
        hasBright ? curves(chains, 2, all) : List.of(),
        curves(chains, 1, all));
  }

  private static double[][] unknown(int size) {
    double[][] of = new double[3][size];
    for (double[] one : of) {
      Arrays.fill(one, Double.NaN);
    }
    return of;
  }

  private static List<Curve> curves(TreeMap<Integer, double[][]> chains, int figure, long all) {
    List<Curve> curves = new ArrayList<>();
    chains.forEach(
        (chain, means) -> {
          double[] of = means[figure];
          // Short runs have fewer iterations than stretches.
          int[] known =
              java.util.stream.IntStream.range(0, of.length)
                  .filter(k -> !Double.isNaN(of[k]))
                  .toArray();
          curves.add(
              new Curve(
                  "chain " + chain,
                  Arrays.stream(known).mapToDouble(k -> (k + 0.5) * all / STRETCHES).toArray(),
                  Arrays.stream(known).mapToDouble(k -> of[k]).toArray()));
        });
    return curves;
  }
}
