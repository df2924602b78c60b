package org.lampyris.driver.output;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;

/**
 * Draws of an output folder with the statistics of their iterations, read chain by chain, in order;
 * memory holds one stretch of the draws.
 *
 * @param files those that hold draws of a chain, by its number
 * @param stats what the iterations of each chain were like; none of a chain that has none
 * @param perChain how many draws each has
 * @param thin how many iterations there are to a draw
 */
record RunDraws(
    RunOutput run,
    ParquetNumbers draws,
    Map<Integer, List<Path>> files,
    Map<Integer, Stats> stats,
    int perChain,
    int thin) {
  private static final String BRIGHT = "bright_rows";

  /** Columns that identify an iteration, and its figures; the last one may be absent. */
  private static final List<String> FIGURES =
      List.of(
          RunOutput.CHAIN,
          RunOutput.ITERATION,
          "warmup",
          "acceptance_probability",
          "likelihood_evaluations",
          "divergent",
          BRIGHT);

  /** Statistics of a chain's iterations, one number for each draw; not copied. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stats(
      double[] acceptance, double[] evaluations, double[] divergent, double @Nullable [] bright) {}

  /**
   * Opens the draws of an output folder.
   *
   * @throws UserException (data) if it has none
   */
  static RunDraws open(RunOutput run) throws IOException {
    Path path = new Path(run.folder(), RunOutput.DRAWS);
    if (!path.getFileSystem(run.conf()).exists(path)) {
      throw UserException.data(
          run.folder() + " holds no draws/. Name the output folder of a completed run.");
    }
    ParquetNumbers draws = ParquetNumbers.open(run.conf(), path);
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
    Path iterations = new Path(run.folder(), RunOutput.STATS);
    Map<Integer, Stats> stats = Map.of();
    int thin = 1;
    if (iterations.getFileSystem(run.conf()).exists(iterations)) {
      ParquetNumbers table = ParquetNumbers.open(run.conf(), iterations);
      double[] last = {0};
      table.read(
          FIGURES.subList(1, 3),
          row -> last[0] = row[1] == 1 ? last[0] : Math.max(last[0], row[0]));
      thin = Math.max(1, (int) last[0] / perChain);
      stats = stats(table, perChain, thin);
    }
    return new RunDraws(run, draws, files, stats, perChain, thin);
  }

  /** Adds the draws of a file to the lengths of their chains, and returns its chains. */
  private static Set<Integer> countInOrder(
      ParquetNumbers draws, Path file, Map<Integer, Integer> lengths) throws IOException {
    Set<Integer> chains = new TreeSet<>();
    draws.read(
        file,
        List.of(RunOutput.CHAIN, RunOutput.ITERATION),
        row -> {
          int chain = (int) row[0];
          int length = lengths.merge(chain, 1, Integer::sum);
          if ((int) row[1] != length) {
            throw UserException.data(
                "%s: iteration %s of chain %s is not in its place. Name an output folder that has not changed since the run."
                    .formatted(file, (int) row[1], chain));
          }
          chains.add(chain);
        });
    return chains;
  }

  /**
   * Reads the iterations that are draws. Draws that were combined from others have no statistics.
   */
  private static Map<Integer, Stats> stats(ParquetNumbers table, int perChain, int thin)
      throws IOException {
    boolean hasBright = table.columns().contains(BRIGHT);
    List<String> wanted = hasBright ? FIGURES : FIGURES.subList(0, FIGURES.size() - 1);
    Map<Integer, double[][]> figures = new TreeMap<>();
    Map<Integer, Integer> counts = new TreeMap<>();
    for (Path file : table.files()) {
      table.readWithGaps(
          file,
          wanted,
          row -> {
            int draw = (int) row[1] / thin - 1;
            if (row[2] == 1 || row[1] % thin != 0 || draw >= perChain) {
              return;
            }
            double[][] of = figures.computeIfAbsent((int) row[0], none -> new double[4][perChain]);
            for (int k = 3; k < row.length; k++) {
              of[k - 3][draw] = row[k];
            }
            counts.merge((int) row[0], 1, Integer::sum);
          });
    }
    Map<Integer, Stats> stats = new TreeMap<>();
    figures.forEach(
        (chain, of) -> {
          if (counts.getOrDefault(chain, 0) == perChain) {
            stats.put(chain, new Stats(of[0], of[1], of[2], hasBright ? of[3] : null));
          }
        });
    return stats;
  }

  /** Returns the numbers of the chains. */
  List<Integer> chains() {
    return List.copyOf(files.keySet());
  }

  /** Returns the names of the variables. */
  List<String> names() {
    return Draws.variables(draws.columns());
  }

  /** Returns whether the draws have {@code lp__}. */
  boolean hasLogPosterior() {
    return draws.columns().contains(RunOutput.LOG_POSTERIOR);
  }

  /** Reads the draws of a chain, in order: some of the variables. */
  void read(int chain, List<String> variables, Consumer<double[]> each) throws IOException {
    List<String> wanted = new ArrayList<>(List.of(RunOutput.CHAIN));
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

  /** Returns lp__ by chains and draws; NaN if the draws have none. */
  double[][] logPosteriors() throws IOException {
    if (hasLogPosterior()) {
      return run.drawsOf(List.of(RunOutput.LOG_POSTERIOR)).values()[0];
    }
    double[][] none = new double[files.size()][perChain];
    Arrays.stream(none).forEach(chain -> Arrays.fill(chain, Double.NaN));
    return none;
  }
}
