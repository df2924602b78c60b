package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * The defaults are right on tables whose columns have a scale of their own: a year, a column far
 * from 0, a label with units. What is found with them is what maximum likelihood finds, within a
 * posterior standard deviation.
 */
class DefaultsIT {
  private static final int ROWS = 2000;

  @TempDir Path folder;
  private final Shell shell = new Shell("local[2]");

  /** Returns mean and sd by coefficient, of a table whose label is the first column. */
  private Map<String, double[]> run(String name, List<String> rows, String data, String model)
      throws IOException {
    Path table = Files.write(folder.resolve(name + ".csv"), rows);
    Path job =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            String.format(
                """
                data: {input: "%s", label: y%s}
                model: {%s}
                sampler: {chains: 2, warmup: 150, draws: 300, seed: 5, hmc: {leapfrog_steps: 4}}
                output: "%s"
                """,
                table, data, model, folder.resolve(name)));
    shell.samples("run", "--config", job.toString());
    Map<String, double[]> summary = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(folder.resolve(name + "/summary.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      summary.put(
          cells[0], new double[] {Double.parseDouble(cells[1]), Double.parseDouble(cells[3])});
    }
    return summary;
  }

  private static double[] posterior(Map<String, double[]> summary, String name) {
    return summary.getOrDefault(name, new double[0]);
  }

  /** Returns intercept, slope and their standard errors by Newton's method, for centred x. */
  private static double[] logistic(double[] x, boolean[] y) {
    double[] beta = new double[4];
    for (int iteration = 0; iteration < 30; iteration++) {
      double[] sums = new double[5];
      for (int n = 0; n < x.length; n++) {
        double p = 1 / (1 + Math.exp(-beta[0] - beta[1] * x[n]));
        double residual = (y[n] ? 1 : 0) - p;
        double weight = p * (1 - p);
        sums[0] += residual;
        sums[1] += residual * x[n];
        sums[2] += weight;
        sums[3] += weight * x[n];
        sums[4] += weight * x[n] * x[n];
      }
      double determinant = sums[2] * sums[4] - sums[3] * sums[3];
      beta[0] += (sums[4] * sums[0] - sums[3] * sums[1]) / determinant;
      beta[1] += (sums[2] * sums[1] - sums[3] * sums[0]) / determinant;
      beta[2] = Math.sqrt(sums[4] / determinant);
      beta[3] = Math.sqrt(sums[2] / determinant);
    }
    return beta;
  }

  private static double[] centred(double[] x) {
    double mean = Arrays.stream(x).average().orElse(0);
    return Arrays.stream(x).map(value -> value - mean).toArray();
  }

  private void assertLogistic(String name, double[] x, double slope, String data)
      throws IOException {
    Random random = new Random(7);
    double[] z = centred(x);
    boolean[] y = new boolean[ROWS];
    List<String> rows = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < ROWS; n++) {
      y[n] = random.nextDouble() < 1 / (1 + Math.exp(-0.3 - slope * z[n]));
      rows.add((y[n] ? 1 : 0) + "," + x[n]);
    }
    double[] fit = logistic(z, y);
    Map<String, double[]> summary = run(name, rows, data, "family: logistic");
    double[] found = posterior(summary, "x");
    assertEquals(fit[1], found[0], fit[3], () -> name + Arrays.toString(found));
    assertEquals(fit[3], found[1], 0.2 * fit[3], name);
    // The intercept is reported where x = 0, a long way from the data.
    double mean = x[0] - z[0];
    double[] intercept = posterior(summary, "(Intercept)");
    assertEquals(fit[0] - fit[1] * mean, intercept[0], 1.2 * fit[3] * Math.abs(mean), name);
  }

  @Test
  void aYear() throws IOException {
    Random random = new Random(1);
    double[] year = random.ints(ROWS, 2015, 2025).asDoubleStream().toArray();
    assertLogistic("year", year, 0.1, "");
    assertLogistic("sparse", year, 0.1, ", layout: sparse");
    assertLogistic("float", year, 0.1, ", storage: float");
  }

  @Test
  void aColumnFarFromZero() throws IOException {
    Random random = new Random(2);
    double[] x = random.doubles(ROWS).map(u -> 1e9 + random.nextGaussian()).toArray();
    assertLogistic("far", x, 0.5, "");
  }

  @Test
  void aRobustRegressionWithUnits() throws IOException {
    Random random = new Random(3);
    double[] x = new double[ROWS];
    double[] y = new double[ROWS];
    List<String> rows = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < ROWS; n++) {
      x[n] = random.nextGaussian();
      y[n] = 1000 + 50 * x[n] + 5 * random.nextGaussian();
      rows.add(String.format(Locale.ROOT, "%s,%s", y[n], x[n]));
    }
    double[] z = centred(x);
    double[] r = centred(y);
    double squares = Arrays.stream(z).map(value -> value * value).sum();
    double slope = 0;
    for (int n = 0; n < ROWS; n++) {
      slope += z[n] * r[n] / squares;
    }
    Map<String, double[]> summary = run("robust", rows, "", "family: robust, scale: 4.2");
    double[] found = posterior(summary, "x");
    assertEquals(slope, found[0], found[1], () -> Arrays.toString(found));
    String manifest = Files.readString(folder.resolve("robust/manifest.json"));
    assertTrue(manifest.contains("\"priors\" : [ \"normal(1000."), manifest);
  }

  /**
   * A category with one row, of the first class: its coefficient is normal(0, 5) times σ(α + γ), as
   * it is for a category with many rows. Its column's standard deviation is 1/45.
   */
  @Test
  void aCategoryWithOneRow() throws IOException {
    List<String> rows = new ArrayList<>(List.of("y,f", "1,rare"));
    for (int n = 1; n < ROWS; n++) {
      rows.add((n % 3 == 0 ? 1 : 0) + "," + (n % 2 == 0 ? "a" : "b"));
    }
    double[] found = posterior(run("rare", rows, "", "family: logistic"), "f[rare]");
    double[] sums = new double[3];
    for (double gamma = -40; gamma <= 40; gamma += 0.01) {
      double density = Math.exp(-gamma * gamma / 50) / (1 + 2 * Math.exp(-gamma));
      sums[0] += density;
      sums[1] += density * gamma;
      sums[2] += density * gamma * gamma;
    }
    double mean = sums[1] / sums[0];
    double sd = Math.sqrt(sums[2] / sums[0] - mean * mean);
    // 4 standard errors of 150 effective draws.
    assertEquals(mean, found[0], 4 * sd / Math.sqrt(150), () -> Arrays.toString(found));
    assertEquals(sd, found[1], 4 * sd / Math.sqrt(300), () -> Arrays.toString(found));
  }

  @Test
  void configTellsTheRule() throws IOException {
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"), "data: {input: t.csv, label: y}\noutput: out\n");
    assertEquals(0, shell.run("config", "--config", job.toString()), shell.err());
    assertTrue(shell.out().contains("prior: auto"), shell.out());
    assertTrue(shell.out().contains("# prior auto: normal(0, 2.5 s / sd(x))"), shell.out());
  }
}
