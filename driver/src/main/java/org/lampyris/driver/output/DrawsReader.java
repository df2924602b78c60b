package org.lampyris.driver.output;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;

/** Reads the draws of an output folder: {@code draws/}, or {@code draws.csv} where it is absent. */
public final class DrawsReader {
  private static final String ITERATION = ".iteration";

  private DrawsReader() {}

  /**
   * Reads the draws.
   *
   * @throws UserException if there are no draws, or they are not chains of equal length
   */
  public static Draws read(SparkSession spark, String folder) throws IOException {
    return read(spark, folder, 1);
  }

  /**
   * Reads the draws of every so many iterations, one of them at least: no others are in memory.
   *
   * @throws UserException as {@link #read(SparkSession, String)} does
   */
  public static Draws read(SparkSession spark, String folder, int every) throws IOException {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Path path = new Path(folder);
    FileSystem fs = path.getFileSystem(conf);
    Path parquet = new Path(path, RunWriter.DRAWS);
    if (fs.exists(parquet)) {
      return fromParquet(conf, parquet, every);
    }
    Path csv = new Path(path, RunWriter.DRAWS_CSV);
    if (fs.exists(csv)) {
      return fromCsv(conf, csv, every);
    }
    throw UserException.data(
        folder
            + " holds neither draws/ nor draws.csv; name the output folder of a run that has"
            + " ended.");
  }

  private static Draws fromParquet(Configuration conf, Path path, int every) throws IOException {
    ParquetNumbers table = ParquetNumbers.open(conf, path);
    if (table.files().isEmpty()) {
      throw UserException.data(
          path + " holds no draws; name the output folder of a run that has ended.");
    }
    Layout layout = new Layout(path, table.columns());
    table.read(table.columns(), cells -> layout.addSome(cells, every));
    return layout.draws();
  }

  private static Draws fromCsv(Configuration conf, Path path, int every) throws IOException {
    List<String[]> lines = CsvText.read(conf, path);
    if (lines.isEmpty()) {
      throw UserException.data(path + " is empty.");
    }
    String[] columns = lines.get(0);
    Layout layout = new Layout(path, List.of(columns));
    for (int line = 1; line < lines.size(); line++) {
      String[] texts = lines.get(line);
      if (texts.length != columns.length) {
        throw UserException.data(
            "%s, line %s: %s cells where the header has %s."
                .formatted(path, line + 1, texts.length, columns.length));
      }
      double[] cells = new double[columns.length];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = CsvText.number(path, line + 1, columns[i], texts[i]);
      }
      layout.addSome(cells, every);
    }
    return layout.draws();
  }

  /** Sorts rows into chains. */
  private static final class Layout {
    private final Path path;
    private final List<String> columns;
    private final int chainAt;
    private final int iterationAt;
    private final int[] variablesAt;
    private final Map<Long, TreeMap<Long, double[]>> chains = new TreeMap<>();

    Layout(Path path, List<String> columns) {
      this.path = path;
      this.columns = columns;
      this.chainAt = columns.indexOf(".chain");
      this.iterationAt = columns.indexOf(ITERATION);
      if (chainAt < 0 || iterationAt < 0) {
        throw UserException.data(
            path + " has no columns .chain and .iteration, so it does not hold draws.");
      }
      this.variablesAt =
          IntStream.range(0, columns.size())
              .filter(i -> !RunWriter.INDEX.contains(columns.get(i)))
              .filter(i -> !RunWriter.LOG_POSTERIOR.equals(columns.get(i)))
              .toArray();
    }

    /** Adds a draw, if it is of every so many iterations. */
    void addSome(double[] cells, int every) {
      if (cells[iterationAt] % every != 0) {
        return;
      }
      long chain = (long) cells[chainAt];
      long iteration = (long) cells[iterationAt];
      double[] earlier =
          chains
              .computeIfAbsent(chain, key -> new TreeMap<>())
              .put(iteration, Arrays.stream(variablesAt).mapToDouble(i -> cells[i]).toArray());
      if (earlier != null) {
        throw UserException.data(
            path + " holds iteration " + iteration + " of chain " + chain + " twice.");
      }
    }

    Draws draws() {
      if (chains.isEmpty()) {
        throw UserException.data(path + " holds no draws.");
      }
      int length = chains.values().iterator().next().size();
      double[][][] values = new double[variablesAt.length][chains.size()][length];
      int c = 0;
      for (Map.Entry<Long, TreeMap<Long, double[]>> chain : chains.entrySet()) {
        if (chain.getValue().size() != length) {
          throw UserException.data(
              "%s: chain %s has %s draws where another has %s."
                  .formatted(path, chain.getKey(), chain.getValue().size(), length));
        }
        int i = 0;
        for (double[] theta : chain.getValue().values()) {
          for (int j = 0; j < theta.length; j++) {
            values[j][c][i] = theta[j];
          }
          i++;
        }
        c++;
      }
      return new Draws(Arrays.stream(variablesAt).mapToObj(columns::get).toList(), values);
    }
  }
}
