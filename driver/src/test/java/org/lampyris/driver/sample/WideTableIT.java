package org.lampyris.driver.sample;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.driver.run.Shell;

/**
 * Columns of text with many levels, without any matrix of the size of all pairs of coefficients:
 * from the table to the report.
 */
class WideTableIT {
  private static final double SIGMA = 0.7;
  private static final int COLUMNS = 5;

  @TempDir Path folder;
  private final Shell shell = new Shell("local[2]");
  private final Random random = new Random(3);

  /** Rows of categories, and their levels. */
  private int[][] categories(int rows, int levels) {
    return IntStream.range(0, rows)
        .mapToObj(
            n ->
                IntStream.range(0, COLUMNS)
                    // Each level is there.
                    .map(c -> n < levels ? n : (int) (levels * Math.pow(random.nextDouble(), 1.5)))
                    .toArray())
        .toArray(int[][]::new);
  }

  private Path table(int[][] rows, String[] labels) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        IntStream.range(0, COLUMNS).mapToObj(c -> "c" + c).collect(Collectors.joining(",")) + ",y");
    for (int n = 0; n < rows.length; n++) {
      lines.add(
          Arrays.stream(rows[n]).mapToObj("v%04d"::formatted).collect(Collectors.joining(","))
              + ","
              + labels[n]);
    }
    return Files.write(folder.resolve("table.csv"), lines);
  }

  private String[] job(Path table, String model, String sampler, String more, String output)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            data: {input: "%s", label: y%s}
            model: {%s}
            sampler: {%s}
            output: "%s"
            """
                .formatted(table, more, model, sampler, folder.resolve(output)));
    return new String[] {"--config", file.toString()};
  }

  private static String[] and(String[] job, String... more) {
    List<String> all = new ArrayList<>(List.of(more[0]));
    all.addAll(List.of(job));
    all.addAll(List.of(more).subList(1, more.length));
    return all.toArray(String[]::new);
  }

  private Map<String, double[]> summary(String output) throws IOException {
    Map<String, double[]> found = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(folder.resolve(output).resolve("summary.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      found.put(cells[0], Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray());
    }
    return found;
  }

  /**
   * N(Σ Xᵀy/σ², Σ): means and sds within 5 Monte-Carlo standard errors, 151 of each. The
   * false-alarm rate is 2·10⁻⁴.
   */
  @Test
  void aNormalRegressionHasItsConjugatePosterior() throws IOException {
    int levels = 31;
    int[][] rows = categories(1_500, levels);
    int d = 1 + COLUMNS * (levels - 1);
    double[] y = new double[rows.length];
    double[] precision = new double[d * d];
    double[] right = new double[d];
    for (int n = 0; n < rows.length; n++) {
      y[n] = 0.3 + 0.1 * rows[n][0] - 0.2 * (rows[n][1] % 3) + SIGMA * random.nextGaussian();
      int[] at = new int[1 + COLUMNS];
      int size = 1;
      for (int c = 0; c < COLUMNS; c++) {
        if (rows[n][c] > 0) {
          at[size++] = c * (levels - 1) + rows[n][c];
        }
      }
      for (int a = 0; a < size; a++) {
        right[at[a]] += y[n] / SIGMA / SIGMA;
        for (int b = 0; b < size; b++) {
          precision[at[a] * d + at[b]] += 1 / SIGMA / SIGMA;
        }
      }
    }
    for (int j = 0; j < d; j++) {
      precision[j * d + j] += 1 / 1.5 / 1.5;
    }
    Cholesky exact = Cholesky.scaled(precision, d).orElseThrow();
    double[] mean = exact.solve(right);
    double[] covariance = exact.inverse();
    Path table = table(rows, Arrays.stream(y).mapToObj(Double::toString).toArray(String[]::new));
    String model = "family: gaussian, sigma: 0.7, prior: \"normal(0, 1.5)\", intercept_at: zero";
    String sampler = "chains: 2, warmup: 150, draws: 300";
    List<String> draws = new ArrayList<>();
    for (int partitions : new int[] {1, 2, 8}) {
      String[] job =
          job(
              table,
              model,
              sampler,
              ", block_rows: 128, layout: sparse, partitions: " + partitions,
              "normal" + partitions);
      shell.samples(and(job, "run", "--set", "precompute.covariance=low-rank"));
      draws.add(Files.readString(folder.resolve("normal" + partitions + "/draws.csv")));
    }
    // The same bits, on any number of partitions.
    assertArrayEquals(new String[] {draws.get(0), draws.get(0)}, draws.subList(1, 3).toArray());
    Map<String, double[]> found = summary("normal2");
    assertEquals(d, found.size());
    int j = 0;
    for (Map.Entry<String, double[]> one : found.entrySet()) {
      double[] cells = one.getValue();
      double sd = Math.sqrt(covariance[j * d + j]);
      assertEquals(mean[j], cells[0], 5 * cells[9], one.getKey());
      assertEquals(sd, cells[2], 5 * cells[10], one.getKey());
      j++;
    }
  }

  @Test
  void beyondTwoThousandCoefficientsNothingIsAskedOfTheUser() throws IOException {
    int levels = 420;
    int[][] rows = categories(3_000, levels);
    String[] labels =
        Arrays.stream(rows)
            .map(row -> row[0] % 2 + random.nextGaussian() > 0.5 ? "yes" : "no")
            .toArray(String[]::new);
    Path table = table(rows, labels);
    String[] job = job(table, "family: logistic", "chains: 1, warmup: 10, draws: 10", "", "wide");
    shell.samples(and(job, "run"));
    String bounds = Files.readString(folder.resolve("wide/bounds/bounds.json"));
    assertTrue(bounds.contains("\"rank\""), bounds);
    String manifest = Files.readString(folder.resolve("wide/manifest.json"));
    assertTrue(manifest.contains("algorithm: metropolis (expected"), manifest);
    assertEquals(2_096, summary("wide").size());
    assertTrue(Files.size(folder.resolve("wide/report.html")) > 0);
    String[] firefly = job(table, "family: logistic", "algorithm: firefly, draws: 20", "", "wide");
    assertEquals(2, shell.run(and(firefly, "sample", "--overwrite")));
    assertTrue(
        shell
            .err()
            .contains(
                "sampler.algorithm: firefly needs matrices with a row and a column for each"
                    + " coefficient, and none were made for these 2,096; choose"
                    + " sampler.algorithm: "),
        shell::err);
  }
}
