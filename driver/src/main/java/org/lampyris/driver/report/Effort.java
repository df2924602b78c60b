package org.lampyris.driver.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.driver.output.ParquetNumbers;

/**
 * Cost of iterations over a run: means over stretches of iterations, by chain, from {@code
 * sampler_stats/}.
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

  /** Columns that identify an iteration. */
  private static final List<String> INDEX = List.of(".chain", ".iteration", "warmup");

  private static final List<String> FIGURES =
      List.of("likelihood_evaluations", "acceptance_probability");

  /** Reads the iterations of a run; nothing if they are not kept. */
  static Effort read(Configuration conf, String folder) throws IOException {
    Path path = new Path(folder, FOLDER);
    if (!path.getFileSystem(conf).exists(path)) {
      return new Effort(0, List.of(), List.of(), List.of());
    }
    ParquetNumbers iterations = ParquetNumbers.open(conf, path);
    double[] last = new double[2];
    iterations.read(
        INDEX,
        row -> {
          int phase = row[2] == 1 ? 0 : 1;
          last[phase] = Math.max(last[phase], row[1]);
        });
    double warmup = last[0];
    double all = warmup + last[1];
    boolean hasBright = iterations.columns().contains(BRIGHT);
    List<String> wanted = new ArrayList<>(INDEX);
    wanted.addAll(FIGURES);
    if (hasBright) {
      wanted.add(BRIGHT);
    }
    TreeMap<Integer, Means> chains = new TreeMap<>();
    for (Path file : iterations.files()) {
      iterations.readWithGaps(
          file,
          wanted,
          row -> {
            double at = row[1] - 1 + (row[2] == 1 ? 0 : warmup);
            chains
                .computeIfAbsent((int) row[0], chain -> new Means())
                .add((int) (at * STRETCHES / all), row);
          });
    }
    return new Effort(
        (long) warmup,
        curves(chains, 0, all),
        hasBright ? curves(chains, 2, all) : List.of(),
        curves(chains, 1, all));
  }

  /** The means of a chain's figures over stretches of its iterations. */
  private static final class Means {
    private final double[][] sums = new double[FIGURES.size() + 1][STRETCHES];
    private final long[][] counts = new long[FIGURES.size() + 1][STRETCHES];

    /** Adds an iteration, whose figures come behind its index; one that is NaN is not known. */
    void add(int stretch, double[] row) {
      for (int k = INDEX.size(); k < row.length; k++) {
        if (!Double.isNaN(row[k])) {
          sums[k - INDEX.size()][stretch] += row[k];
          counts[k - INDEX.size()][stretch]++;
        }
      }
    }

    /** Returns a curve of the stretches that have iterations: short runs have fewer of these. */
    Curve curve(String name, int figure, double all) {
      double[] sum = sums[figure];
      long[] count = counts[figure];
      int[] known = IntStream.range(0, STRETCHES).filter(k -> count[k] > 0).toArray();
      return new Curve(
          name,
          Arrays.stream(known).mapToDouble(k -> (k + 0.5) * all / STRETCHES).toArray(),
          Arrays.stream(known).mapToDouble(k -> sum[k] / count[k]).toArray());
    }
  }

  private static List<Curve> curves(TreeMap<Integer, Means> chains, int figure, double all) {
    List<Curve> curves = new ArrayList<>();
    chains.forEach((chain, means) -> curves.add(means.curve("chain " + chain, figure, all)));
    return curves;
  }
}
