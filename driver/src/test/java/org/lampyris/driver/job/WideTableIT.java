package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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
                "sampler.algorithm: firefly needs a matrix with a row and a column for each"
                    + " coefficient, but for 2,096 coefficients none is computed. Set"
                    + " sampler.algorithm: "),
        shell::err);
    // No algorithm that draws effects goes without: that is said before anything is sought.
    String model = "family: logistic, random: [{group: c0}]";
    assertEquals(
        2,
        shell.run(
            and(
                job(table, model, "draws: 20", "", "random"),
                "run",
                "--set",
                "precompute.covariance=low-rank")));
    assertTrue(
        shell
            .err()
            .contains(
                "sampler.algorithm: multilevel needs a matrix with a row and a column for each"
                    + " coefficient, but for 1,677 coefficients none is computed. Set"
                    + " precompute.covariance: dense "),
        shell::err);
    assertFalse(Files.exists(folder.resolve("random/bounds")));
  }

  /** The draws of a file: by column, in the order of its rows. */
  private Map<String, double[]> draws(String output) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(output).resolve("draws.csv"));
    String[] header = lines.get(0).replace("\"", "").split(",", -1);
    Map<String, double[]> found = new LinkedHashMap<>();
    for (int j = 0; j < header.length; j++) {
      int column = j;
      found.put(
          header[j],
          lines.stream()
              .skip(1)
              .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[column]))
              .toArray());
    }
    return found;
  }

  private double[] modeAndSds(String output) throws IOException {
    JsonNode bounds =
        new ObjectMapper().readTree(folder.resolve(output).resolve("bounds/bounds.json").toFile());
    assertTrue(bounds.has("rank"), "no matrices");
    return bounds
        .path("coefficients")
        .valueStream()
        .flatMapToDouble(
            one -> DoubleStream.of(one.path("map").asDouble(), one.path("sd").asDouble()))
        .toArray();
  }

  private String[] counts(int[][] rows) {
    return Arrays.stream(rows)
        .map(row -> Integer.toString((row[0] + row[1] * random.nextInt(2)) % 7))
        .toArray(String[]::new);
  }

  /** More draws, predictions and later rows, of a run whose covariance is no matrix. */
  @Test
  void aRunIsGoneOnFrom() throws IOException {
    int levels = 8;
    String model = "family: poisson, prior: \"normal(0, 1)\", intercept_at: zero";
    String sampler = "chains: 2, warmup: 10, draws: 16";
    int[][] early = categories(900, levels);
    Path table = table(early, counts(early));
    Path first = Files.copy(table, folder.resolve("first.csv"));
    int[][] late = categories(300, levels);
    Path later = Files.copy(table(late, counts(late)), folder.resolve("later.csv"));
    List<String> all = new ArrayList<>(Files.readAllLines(first));
    all.addAll(Files.readAllLines(later).subList(1, late.length + 1));
    Path whole = Files.write(folder.resolve("whole.csv"), all);
    String wide = "precompute.covariance=low-rank";

    String[] straight = job(first, model, sampler, "", "straight");
    shell.samples(and(straight, "run", "--set", wide));
    String[] halted = job(first, model, sampler, "", "halted");
    shell.samples(and(halted, "run", "--set", wide, "--set", "sampler.draws=7"));
    shell.samples(and(halted, "sample", "--set", wide, "--resume"));
    assertEquals(
        Files.readString(folder.resolve("straight/draws.csv")),
        Files.readString(folder.resolve("halted/draws.csv")));

    String to = folder.resolve("predicted").toString();
    shell.succeeds(and(halted, "predict", "--input", later.toString(), "--to", to));
    Map<String, double[]> draws = draws("halted");
    try (SparkSession spark = SparkSession.builder().master("local[1]").getOrCreate()) {
      List<Row> rows = spark.read().parquet(to + "/predictions").collectAsList();
      assertEquals(late.length, rows.size());
      for (int n = 0; n < rows.size(); n++) {
        double[] eta = Objects.requireNonNull(draws.get("(Intercept)")).clone();
        for (int c = 0; c < COLUMNS; c++) {
          double[] of = draws.get("c%d[v%04d]".formatted(c, late[n][c]));
          Arrays.setAll(eta, i -> eta[i] + (of == null ? 0 : of[i]));
        }
        double mean = Arrays.stream(eta).map(Math::exp).average().orElseThrow();
        assertEquals(mean, rows.get(n).<Double>getAs(".mean"), 1e-12 * mean);
      }
    }

    String from = folder.resolve("halted").toString();
    String updated = "output=" + folder.resolve("updated");
    shell.samples("update", "--from", from, "--set", "data.input=" + later, "--set", updated);
    String[] anew = job(whole, model, sampler, "", "anew");
    shell.succeeds(and(anew, "prepare", "--set", wide));
    shell.succeeds(and(anew, "precompute", "--set", wide));
    double[] a = modeAndSds("updated");
    double[] b = modeAndSds("anew");
    assertEquals(b.length, a.length);
    for (int j = 0; j < a.length; j += 2) {
      // Each is at most the tolerance of 0.01 sds off the mode.
      assertEquals(b[j], a[j], 0.02 * b[j + 1]);
      assertEquals(b[j + 1], a[j + 1], 0.1 * b[j + 1]);
    }
  }
}
