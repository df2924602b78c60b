package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;
import org.lampyris.samplers.diagnostics.Diagnostics;

/**
 * The whole way, from a CSV file to a summary, on MNIST 7 against 9, against its gold-standard
 * posterior: every mean within 5 combined Monte-Carlo standard errors, every sd within 5 standard
 * errors of a log sd, the stationary number of bright rows and the evaluations per iteration.
 *
 * <p>Two-sided 5-sigma intervals for 51 means, 51 sds and the bright rows: the false-alarm rate is
 * below 10⁻⁴, were the errors normal; with effective sample sizes of some hundred they nearly are.
 *
 * <p>{@code mvn verify} runs the default and the MAP-tuned bound with per-row rates; {@code
 * -Dlampyris.validation=all} the others as well, some minutes each.
 */
class MnistReferenceIT {
  private static final double[] UNTUNED_BRIGHT = {5642.7, 3.2};
  private static final double[] TUNED_BRIGHT = {50.43, 0.33};

  private static final String WALK = "kernel: random-walk, warmup: 1000, ";

  @TempDir Path folder;

  @Test
  void fireflyMapTunedWithPerRowRates() throws IOException {
    run(
        "per-row",
        WALK + "algorithm: firefly, firefly: {bound: map-tuned, slack: 0}, draws: 3000, thin: 4",
        TUNED_BRIGHT,
        260);
  }

  @Test
  void fireflyMapTunedWithTheDefaultKernel() throws IOException {
    assumeAll();
    run(
        "hmc",
        "algorithm: firefly, firefly: {bound: map-tuned, slack: 0}, draws: 300, warmup: 300",
        TUNED_BRIGHT,
        800);
  }

  @Test
  void fireflyByDefault() throws IOException {
    run("default", "algorithm: firefly, draws: 300, warmup: 300", new double[0], 400);
  }

  @Test
  void fireflyMapTunedImplicit() throws IOException {
    assumeAll();
    run(
        "implicit",
        WALK
            + "algorithm: firefly, draws: 4000, thin: 5, firefly: {bound: map-tuned, z_kernel: implicit, q: 0.01}",
        TUNED_BRIGHT,
        180);
  }

  @Test
  void fireflyUntuned() throws IOException {
    assumeAll();
    run(
        "untuned",
        WALK
            + "algorithm: firefly, draws: 5000, thin: 6,"
            + " firefly: {bound: untuned, z_kernel: implicit, q: 0.1}",
        UNTUNED_BRIGHT,
        6400);
  }

  @Test
  void metropolis() throws IOException {
    assumeAll();
    run("metropolis", WALK + "algorithm: metropolis, draws: 4000", new double[0], 12_214);
  }

  private static void assumeAll() {
    assumeTrue(
        "all".equals(System.getProperty("lampyris.validation")),
        "minutes long: run with -Dlampyris.validation=all");
  }

  private void run(String name, String sampler, double[] bright, double mostEvaluations)
      throws IOException {
    Path data = Path.of(System.getProperty("lampyris.data", "../shared/data"));
    Path table = data.resolve("mnist79_train.csv.gz");
    assumeTrue(Files.exists(table), () -> "no " + table.toAbsolutePath() + " (-Dlampyris.data=…)");
    Path output = folder.resolve(name);
    Path config = folder.resolve(name + ".yaml");
    Files.writeString(
        config,
        String.format(
            Locale.ROOT,
            """
            data: {input: "%s", label: y}
            model: {prior: "normal(0, 0.316228)"}
            sampler: {chains: 16, seed: 1, %s}
            output: "%s"
            """,
            table.toAbsolutePath(),
            sampler,
            output));
    new Shell("local[2]").samples("run", "--config", config.toString());
    checkMoments(name, output, data);
    checkStatistics(name, output, bright, mostEvaluations);
  }

  private static void checkMoments(String name, Path output, Path data) throws IOException {
    Map<String, String[]> reference = table(data.resolve("mnist79_reference.csv"));
    Map<String, String[]> summary = table(output.resolve("summary.csv"));
    assertEquals(51, summary.size());
    double worstMean = 0;
    double worstSd = 0;
    double leastEss = Double.POSITIVE_INFINITY;
    for (Map.Entry<String, String[]> row : summary.entrySet()) {
      String variable = row.getKey().equals("(Intercept)") ? "bias" : row.getKey();
      double[] exact = numbers(java.util.Objects.requireNonNull(reference.get(variable)));
      double[] found = numbers(row.getValue());
      double mean = found[0];
      double sd = found[2];
      double mcse = Math.hypot(found[9], exact[2]);
      worstMean = Math.max(worstMean, Math.abs(mean - exact[0]) / mcse);
      // What the effective sample size allows a normal sample's sd; the estimated error is noisier.
      double allowed = Math.max(found[10] / sd, 1 / Math.sqrt(2 * found[7]));
      double sdError = Math.hypot(allowed, exact[3] / exact[1]);
      worstSd = Math.max(worstSd, Math.abs(Math.log(sd / exact[1])) / sdError);
      leastEss = Math.min(leastEss, found[7]);
    }
    System.out.printf(
        Locale.ROOT,
        "MNIST %s: largest error of a mean %.2f and of a log sd %.2f standard errors, least bulk"
            + " ESS %.0f%n",
        name,
        worstMean,
        worstSd,
        leastEss);
    assertTrue(leastEss > 50, "least ESS " + leastEss);
    assertTrue(worstMean < 5, "a mean is off by " + worstMean + " standard errors");
    assertTrue(worstSd < 5, "an sd is off by " + worstSd + " standard errors");
  }

  private static void checkStatistics(
      String name, Path output, double[] bright, double mostEvaluations) throws IOException {
    double[][] brightRows;
    double evaluations;
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .getOrCreate()) {
      Dataset<Row> statistics =
          spark
              .read()
              .parquet(output.resolve("sampler_stats").toString())
              .where("not warmup")
              .orderBy("`.chain`", "`.iteration`");
      List<Row> rows = statistics.collectAsList();
      Map<Integer, List<Double>> chains = new HashMap<>();
      double sum = 0;
      for (Row row : rows) {
        sum += ((Number) row.getAs("likelihood_evaluations")).doubleValue();
        chains
            .computeIfAbsent(((Number) row.getAs(".chain")).intValue(), c -> new ArrayList<>())
            .add(brightRows(row));
      }
      evaluations = sum / rows.size();
      brightRows =
          chains.values().stream()
              .map(chain -> chain.stream().mapToDouble(Double::doubleValue).toArray())
              .toArray(double[][]::new);
    }
    System.out.printf(Locale.ROOT, "MNIST %s: %.1f evaluations/iteration%n", name, evaluations);
    assertTrue(evaluations <= mostEvaluations, evaluations + " evaluations/iteration");
    if (bright.length > 0) {
      double mean = 0;
      for (double[] chain : brightRows) {
        mean += java.util.Arrays.stream(chain).average().orElseThrow() / brightRows.length;
      }
      double error = Math.hypot(Diagnostics.mcseMean(brightRows), bright[1]);
      System.out.printf(
          Locale.ROOT,
          "MNIST %s: %.2f bright rows, expected %.2f, standard error %.2f%n",
          name,
          mean,
          bright[0],
          error);
      assertEquals(bright[0], mean, 5 * error);
    }
  }

  private static double brightRows(Row row) {
    Object value = row.getAs("bright_rows");
    return value == null ? Double.NaN : ((Number) value).doubleValue();
  }

  private static Map<String, String[]> table(Path file) throws IOException {
    Map<String, String[]> rows = new HashMap<>();
    for (String line : Files.readAllLines(file).subList(1, Files.readAllLines(file).size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      rows.put(cells[0], java.util.Arrays.copyOfRange(cells, 1, cells.length));
    }
    return rows;
  }

  private static double[] numbers(String[] cells) {
    return java.util.Arrays.stream(cells).mapToDouble(Double::parseDouble).toArray();
  }
}
