package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * The draws of a run, on the input's scale.
 *
 * @param values coefficients × chains × iterations; not copied
 */
public record Draws(List<String> variables, double[][][] values) {
  /** Bytes that summarising a coefficient takes, for each draw. */
  private static final double BYTES_PER_DRAW = 128;

  public Draws {
    variables = List.copyOf(variables);
  }

  /**
   * Reads the draws of every {@code every}-th iteration from an output folder: from {@code draws/},
   * or from {@code draws.csv} if that is absent. No others are held in memory.
   *
   * @throws UserException if there are no draws, or they are not chains of equal length
   */
  static Draws read(Configuration conf, String folder, int every) throws IOException {
    ParquetNumbers table = table(conf, folder);
    if (table != null) {
      Layout layout =
          new Layout(
              new Path(folder, RunOutput.DRAWS), table.columns(), variables(table.columns()));
      table.read(table.columns(), cells -> layout.addSome(cells, every));
      return layout.draws();
    }
    Path csv = new Path(folder, RunOutput.DRAWS_CSV);
    if (csv.getFileSystem(conf).exists(csv)) {
      return fromCsv(conf, csv, every);
    }
    throw UserException.data(
        folder + " holds neither draws/ nor draws.csv. Name the output folder of a completed run.");
  }

  /** Reads the draws of some variables, or of {@code lp__}; as {@link #read} of all. */
  static Draws read(Configuration conf, String folder, List<String> names) throws IOException {
    ParquetNumbers table = table(conf, folder);
    if (table == null) {
      Draws all = read(conf, folder, 1);
      return new Draws(
          names,
          Arrays.stream(all.placesOf(names))
              .mapToObj(j -> all.values()[j])
              .toArray(double[][][]::new));
    }
    List<String> wanted = new ArrayList<>(List.of(RunOutput.CHAIN, RunOutput.ITERATION));
    wanted.addAll(names);
    Layout layout = new Layout(new Path(folder, RunOutput.DRAWS), wanted, names);
    table.read(wanted, cells -> layout.addSome(cells, 1));
    return layout.draws();
  }

  /** Returns the names of the variables in an output folder; fails as {@link #read} does. */
  static List<String> variables(Configuration conf, String folder) throws IOException {
    ParquetNumbers table = table(conf, folder);
    return table == null ? read(conf, folder, 1).variables() : variables(table.columns());
  }

  /** Returns the draws in {@code draws/}; null if that is absent. */
  private static @Nullable ParquetNumbers table(Configuration conf, String folder)
      throws IOException {
    Path parquet = new Path(folder, RunOutput.DRAWS);
    if (!parquet.getFileSystem(conf).exists(parquet)) {
      return null;
    }
    ParquetNumbers table = ParquetNumbers.open(conf, parquet);
    if (table.files().isEmpty()) {
      throw UserException.data(
          parquet + " holds no draws. Name the output folder of a completed run.");
    }
    return table;
  }

  private static Draws fromCsv(Configuration conf, Path path, int every) throws IOException {
    List<String[]> lines = CsvText.read(conf, path);
    if (lines.isEmpty()) {
      throw UserException.data(path + " is empty.");
    }
    String[] columns = lines.get(0);
    Layout layout = new Layout(path, List.of(columns), variables(List.of(columns)));
    for (int line = 1; line < lines.size(); line++) {
      String[] texts = lines.get(line);
      if (texts.length != columns.length) {
        throw UserException.data(
            "%s, line %s: %s cells, but the header has %s."
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

  /** Returns which columns of a table of draws are variables. */
  static List<String> variables(List<String> columns) {
    return columns.stream()
        .filter(
            column -> !RunOutput.INDEX.contains(column) && !column.equals(RunOutput.LOG_POSTERIOR))
        .toList();
  }

  /**
   * Returns which variables some coefficients are.
   *
   * @throws UserException (data) if one of them is not there
   */
  public int[] placesOf(List<String> coefficients) {
    int[] at = coefficients.stream().mapToInt(variables::indexOf).toArray();
    for (int j = 0; j < at.length; j++) {
      if (at[j] < 0) {
        throw UserException.data(
            "the draws have no coefficient '%s', which the model of the prepared table has; %s"
                .formatted(coefficients.get(j), NearestName.hint(coefficients.get(j), variables)));
      }
    }
    return at;
  }

  /** Returns how many draws each chain has. */
  public int perChain() {
    return values.length == 0 ? 0 : values[0][0].length;
  }

  /** Returns the number of chains. */
  public int chains() {
    return values.length == 0 ? 0 : values[0].length;
  }

  /**
   * Returns the summary of every coefficient.
   *
   * @param summarizer computes the summary of a coefficient from its name and its draws, chains ×
   *     iterations, which it does not modify. Called by several threads at once.
   * @param done receives the number of finished coefficients
   */
  public List<VariableSummary> summary(
      BiFunction<String, double[][], VariableSummary> summarizer, LongConsumer done)
      throws IOException {
    VariableSummary[] rows = new VariableSummary[values.length];
    Workers.run(pieces(summarizer, rows), threads(), done);
    return List.of(rows);
  }

  /**
   * Returns the work of summarising.
   *
   * @param rows set to the summary of every coefficient, once all is done. Modified.
   */
  List<Workers.Piece> pieces(
      BiFunction<String, double[][], VariableSummary> summarizer, VariableSummary[] rows) {
    return IntStream.range(0, values.length)
        .<Workers.Piece>mapToObj(j -> () -> rows[j] = summarizer.apply(variables.get(j), values[j]))
        .toList();
  }

  /** Returns how many coefficients may be summarised at once. */
  int threads() {
    return Workers.threads(BYTES_PER_DRAW * Math.max(1, chains()) * Math.max(1, perChain()));
  }

  /** Sorts rows into chains. */
  private static final class Layout {
    private final Path path;
    private final int chainAt;
    private final int iterationAt;
    private final List<String> variables;
    private final int[] variablesAt;
    private final Map<Long, TreeMap<Long, double[]>> chains = new TreeMap<>();

    Layout(Path path, List<String> columns, List<String> variables) {
      this.path = path;
      this.chainAt = columns.indexOf(RunOutput.CHAIN);
      this.iterationAt = columns.indexOf(RunOutput.ITERATION);
      if (chainAt < 0 || iterationAt < 0) {
        throw UserException.data(
            path + " has no columns .chain and .iteration, so it does not hold draws.");
      }
      this.variables = variables;
      Set<String> wanted = Set.copyOf(variables);
      this.variablesAt =
          IntStream.range(0, columns.size()).filter(i -> wanted.contains(columns.get(i))).toArray();
    }

    /** Adds a draw, if its iteration is selected. */
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
              "%s: chain %s has %s draws, but another chain has %s."
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
      return new Draws(variables, values);
    }
  }
}
