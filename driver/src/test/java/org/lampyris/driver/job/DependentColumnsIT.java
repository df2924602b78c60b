package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.laplace.Cholesky;
import org.lampyris.driver.run.Shell;

/**
 * More coefficients than rows, and columns that are combinations of others: a proper prior makes a
 * posterior of them, which is sampled and noted; an improper one is refused.
 *
 * <p>Means are within 5 Monte-Carlo standard errors, some 300 of them: the false-alarm rate is
 * below 10⁻³, were the errors normal.
 */
class DependentColumnsIT {
  private static final int ROWS = 20;
  private static final int FEATURES = 30;
  private static final double SIGMA = 0.7;
  private static final double PRIOR_SD = 1.5;
  private static final double SIGMAS = 5;
  private static final String METROPOLIS =
      "algorithm: metropolis, warmup: 150, draws: 250, hmc: {leapfrog_steps: 4}";

  @TempDir Path folder;
  private final Shell shell = new Shell("local[2]");
  private final Random random = new Random(5);

  /** A coefficient's mean, standard deviation, and the Monte-Carlo standard error of the mean. */
  private record Found(double mean, double sd, double error) {}

  private Path table(List<double[]> rows, IntFunction<String> label) throws IOException {
    StringBuilder header = new StringBuilder("y");
    for (int j = 1; j <= rows.get(0).length; j++) {
      header.append(",x").append(j);
    }
    List<String> lines = new ArrayList<>(List.of(header.toString()));
    for (int n = 0; n < rows.size(); n++) {
      StringBuilder line = new StringBuilder(label.apply(n));
      for (double x : rows.get(n)) {
        line.append(',').append(x);
      }
      lines.add(line.toString());
    }
    return Files.write(folder.resolve("table.csv"), lines);
  }

  private List<double[]> wide() {
    List<double[]> rows = new ArrayList<>();
    for (int n = 0; n < ROWS; n++) {
      rows.add(random.doubles(FEATURES).map(u -> 4 * u - 2).toArray());
    }
    return rows;
  }

  /** Rows of two features, and the first one once more. */
  private List<double[]> duplicated() {
    List<double[]> rows = new ArrayList<>();
    for (int n = 0; n < 400; n++) {
      double x = random.nextGaussian();
      rows.add(new double[] {x, random.nextGaussian(), x});
    }
    return rows;
  }

  private int lampyris(String command, Path table, String model, String sampler, String output)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            data: {input: "%s", label: y}
            model: {%s}
            sampler: {%s}
            output: "%s"
            """
                .formatted(table, model, sampler, folder.resolve(output)));
    return shell.run(command, "--config", file.toString());
  }

  private Map<String, Found> sampled(Path table, String model, String sampler) throws IOException {
    String output = "out" + random.nextInt(1_000_000);
    int exit = lampyris("run", table, model, sampler, output);
    assertTrue(exit == 0 || exit == 4, () -> exit + ": " + shell.err());
    Map<String, Found> found = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(folder.resolve(output).resolve("summary.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      double[] v = Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray();
      found.put(cells[0], new Found(v[0], v[2], v[9]));
    }
    return found;
  }

  private static void assertAgree(String what, Map<String, Found> a, Map<String, Found> b) {
    assertEquals(a.keySet(), b.keySet());
    a.forEach(
        (name, one) -> {
          Found two = b.getOrDefault(name, new Found(0, 0, 0));
          String shown = what + ", " + name + ": " + one + ", " + two;
          double error = Math.hypot(one.error(), two.error());
          assertEquals(one.mean(), two.mean(), SIGMAS * error, shown);
          assertEquals(one.sd(), two.sd(), 0.3 * one.sd(), shown);
        });
  }

  private void assertNoted(String note) {
    assertTrue(shell.out().contains("Note: " + note), shell::out);
  }

  /** N(Σ Xᵀy/σ², Σ) with Σ = (XᵀX/σ² + I/τ²)⁻¹, for rows (1, x). */
  private static Map<String, Found> conjugate(List<double[]> rows, double[] y) {
    int d = FEATURES + 1;
    double[] precision = new double[d * d];
    double[] right = new double[d];
    for (int n = 0; n < rows.size(); n++) {
      double[] x = new double[d];
      x[0] = 1;
      System.arraycopy(rows.get(n), 0, x, 1, FEATURES);
      for (int i = 0; i < d; i++) {
        right[i] += x[i] * y[n] / SIGMA / SIGMA;
        for (int j = 0; j < d; j++) {
          precision[i * d + j] += x[i] * x[j] / SIGMA / SIGMA;
        }
      }
    }
    for (int j = 0; j < d; j++) {
      precision[j * d + j] += 1 / PRIOR_SD / PRIOR_SD;
    }
    Cholesky factor = Cholesky.scaled(precision, d).orElseThrow();
    double[] mean = factor.solve(right);
    double[] covariance = factor.inverse();
    Map<String, Found> exact = new LinkedHashMap<>();
    for (int j = 0; j < d; j++) {
      String name = j == 0 ? "(Intercept)" : "x" + j;
      exact.put(name, new Found(mean[j], Math.sqrt(covariance[j * d + j]), 0));
    }
    return exact;
  }

  @Test
  void moreCoefficientsThanRowsHaveTheConjugatePosterior() throws IOException {
    List<double[]> rows = wide();
    double[] y = new double[ROWS];
    Arrays.setAll(
        y, n -> 0.3 + rows.get(n)[0] - 2 * rows.get(n)[7] + SIGMA * random.nextGaussian());
    Path table = table(rows, n -> Double.toString(y[n]));
    String model =
        "family: gaussian, sigma: %s, prior: \"normal(0, %s)\", intercept_at: zero"
            .formatted(SIGMA, PRIOR_SD);
    Map<String, Found> exact = conjugate(rows, y);
    for (String sampler : List.of("", "algorithm: mhss", METROPOLIS)) {
      assertAgree(sampler, exact, sampled(table, model, sampler));
      assertNoted("there are more columns than rows: 31 columns (30 numeric");
    }
  }

  @Test
  void moreCoefficientsThanRowsOfTwoClasses() throws IOException {
    List<double[]> rows = wide();
    Path table = table(rows, n -> rows.get(n)[0] + random.nextGaussian() > 0 ? "yes" : "no");
    Map<String, Found> all = sampled(table, "family: logistic", METROPOLIS);
    assertAgree("firefly", all, sampled(table, "family: logistic", ""));
    assertAgree("mhss", all, sampled(table, "family: logistic", "algorithm: mhss"));
    assertRefused(table, "singular along \"x1\", \"x2\"", "a proper prior");
  }

  @Test
  void aColumnThatIsThereTwice() throws IOException {
    List<double[]> rows = duplicated();
    Path table =
        table(rows, n -> rows.get(n)[0] + 1.6 * random.nextGaussian() > 0.5 ? "yes" : "no");
    for (String prior : List.of("auto", "laplace(0, 1)")) {
      String model = "prior: \"" + prior + "\"";
      Map<String, Found> all = sampled(table, model, METROPOLIS);
      assertAgree(prior, all, sampled(table, model, ""));
      assertNoted("columns are exactly collinear: x3 = 1·x1");
      // The rows tell the sum only.
      Found x = all.getOrDefault("x1", new Found(0, 0, 0));
      Found other = all.getOrDefault("x2", new Found(0, 0, 0));
      assertTrue(x.sd() > 3 * other.sd(), () -> prior + all);
    }
    assertRefused(table, "singular along \"x1\" and \"x3\"", "a proper prior");
    assertEquals(
        0,
        lampyris("precompute", table, "prior: flat, priors: {x3: \"normal(0, 1)\"}", "", "flat"),
        shell.err());
  }

  private void assertRefused(Path table, String... parts) throws IOException {
    assertEquals(0, lampyris("prepare", table, "prior: flat", "", "flat"), shell::err);
    assertEquals(3, lampyris("precompute", table, "prior: flat", "", "flat"), shell::err);
    for (String part : parts) {
      assertTrue(shell.err().contains(part), () -> part + " is not in: " + shell.err());
    }
    assertFalse(Files.exists(folder.resolve("flat/bounds")));
  }
}
