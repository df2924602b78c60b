package org.lampyris.driver.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * The draws of an output folder and what is known of the iterations that made them, read chain by
 * chain, in order; memory holds a stretch of them.
 *
 * @param files those that hold draws of a chain, by its number
 * @param names of the variables
 * @param hasLogPosterior whether the draws have {@code lp__}
 * @param perChain how many draws each has
 * @param thin how many iterations there are to a draw
 */
record RunDraws(
    JsonNode manifest,
    ParquetNumbers draws,
    Map<Integer, List<Path>> files,
    @Nullable Dataset<Row> stats,
    List<String> names,
    boolean hasLogPosterior,
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
    ParquetNumbers draws = ParquetNumbers.open(conf, path);
    List<String> columns = draws.columns();
    Map<Integer, List<Path>> files = new TreeMap<>();
    Map<Integer, Integer> lengths = new TreeMap<>();
    for (Path file : draws.files()) {
      for (int chain : countInOrder(draws, file, lengths)) {
        files.computeIfAbsent(chain, none -> new ArrayList<>()).add(file);
      }
    }
    if (lengths.isEmpty()) {
      throw UserException.data(path + " holds no draws.");
    }
    int perChain = lengths.values().iterator().next();
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.shuffle.partitions", 1);
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
        files,
        stats,
        columns.stream()
            .filter(name -> !INDEX.contains(name) && !name.equals(LOG_POSTERIOR))
            .toList(),
        columns.contains(LOG_POSTERIOR),
        perChain,
        thin);
  }

  private static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Adds the draws of a file to the lengths of their chains, and returns which they are of. */
  private static Set<Integer> countInOrder(
      ParquetNumbers draws, Path file, Map<Integer, Integer> lengths) throws IOException {
    Set<Integer> chains = new TreeSet<>();
    draws.read(
        file,
        List.of(CHAIN, ITERATION),
        row -> {
          int chain = (int) row[0];
          int length = lengths.merge(chain, 1, Integer::sum);
          if ((int) row[1] != length) {
            throw UserException.data(
                "%s: iteration %s of chain %s is not in its place; name an output folder as the run left it."
                    .formatted(file, (int) row[1], chain));
          }
          chains.add(chain);
        });
    return chains;
  }

  /** Returns the numbers of the chains. */
  List<Integer> chains() {
    return List.copyOf(files.keySet());
  }

  /** Reads the draws of a chain, in order: some of the variables. */
  void read(int chain, List<String> variables, Consumer<double[]> each) throws IOException {
    List<String> wanted = new ArrayList<>(List.of(CHAIN));
    wanted.addAll(variables);
    for (Path file : files.getOrDefault(chain, List.of())) {
      draws.read(
          file,
          wanted,
          row -> {
            if (row[0] == chain) {
              each.accept(Arrays.copyOfRange(row, 1, row.length));
            }
          });
    }
  }

  /** Returns all numbers of a chain's variable, as the draws have them. */
  double[][] values(int chain, List<String> variables) throws IOException {
    double[][] values = new double[variables.size()][perChain];
    AtomicInteger place = new AtomicInteger();
    read(
        chain,
        variables,
        row -> {
          int i = place.getAndIncrement();
          for (int j = 0; j < values.length && i < perChain; j++) {
            values[j][i] = row[j];
          }
        });
    return values;
  }

  /** Returns lp__ of a chain, NaN where the draws have none. */
  double[] logPosterior(int chain) throws IOException {
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
