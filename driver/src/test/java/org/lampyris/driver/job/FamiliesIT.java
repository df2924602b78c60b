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
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * Every family through the command line, from a CSV file to a summary: the names, the scales that
 * draws are reported on, Firefly against all rows with the default kernel, and what is refused.
 *
 * <p>Means are compared within 5 combined Monte-Carlo standard errors, some 30 of them: the
 * false-alarm rate is below 10⁻⁴, were the errors normal.
 */
class FamiliesIT {
  private static final int ROWS = 300;
  private static final double SIGMAS = 5;
  private static final String METROPOLIS = "algorithm: metropolis, draws: 200";
  private static final String FIREFLY =
      "algorithm: firefly, draws: 300, firefly: {z_kernel: per-row}";

  @TempDir Path folder;
  private final Shell shell = new Shell("local[2]");

  /** The label of a row. */
  @FunctionalInterface
  private interface Label {
    String of(double eta, Random random);
  }

  /** Writes rows with eta = 0.5 + 0.8 x, x about 3 with standard deviation 2, and an exposure. */
  private Path table(Label label) throws IOException {
    Random random = new Random(11);
    List<String> lines = new ArrayList<>(List.of("y,x,u,e,w"));
    for (int n = 0; n < ROWS; n++) {
      double z = random.nextGaussian();
      double exposure = random.nextDouble();
      lines.add(
          String.format(
              Locale.ROOT,
              "%s,%.6f,%.6f,%.6f,%d",
              label.of(0.5 + 0.8 * z + exposure, random),
              3 + 2 * z,
              random.nextDouble(),
              exposure,
              1 + random.nextInt(3)));
    }
    return Files.write(folder.resolve("table.csv"), lines);
  }

  private String config(Path table, String data, String model, String sampler, String output) {
    return String.format(
        Locale.ROOT,
        """
        data: {input: "%s", label: y, features: [x, u], standardize: unit%s}
        model: {%s}
        sampler: {chains: 4, warmup: 150, seed: 3, hmc: {leapfrog_steps: 4}, %s}
        output: "%s"
        """,
        table,
        data,
        model,
        sampler,
        folder.resolve(output));
  }

  private int lampyris(String command, String config) throws IOException {
    Path file = Files.writeString(folder.resolve("job.yaml"), config);
    return shell.run(command, "--config", file.toString());
  }

  /** Returns mean, sd and the Monte-Carlo standard error of the mean, by coefficient. */
  private Map<String, double[]> run(String config, String output) throws IOException {
    int exit = lampyris("run", config);
    assertTrue(exit == 0 || exit == 4, () -> "exit code " + exit + ": " + shell.err());
    Map<String, double[]> summary = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(folder.resolve(output).resolve("summary.csv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      double[] v = Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray();
      summary.put(cells[0], new double[] {v[0], v[2], v[9]});
    }
    return summary;
  }

  private void refused(int exitCode, String command, String config, String... parts)
      throws IOException {
    assertEquals(exitCode, lampyris(command, config), shell::err);
    for (String part : parts) {
      assertTrue(shell.err().contains(part), () -> "'" + part + "' is not in: " + shell.err());
    }
  }

  private static void assertAgree(Map<String, double[]> a, Map<String, double[]> b) {
    assertEquals(a.keySet(), b.keySet());
    a.forEach(
        (name, one) -> {
          double[] two = b.getOrDefault(name, new double[3]);
          assertEquals(one[0], two[0], SIGMAS * Math.hypot(one[2], two[2]), name);
        });
  }

  @Test
  void softmaxWithAReferenceClassAndRowWeights() throws IOException {
    Path table =
        table(
            (eta, random) ->
                eta + random.nextGaussian() > 1.2
                    ? "high"
                    : eta + random.nextGaussian() > 0 ? "mid" : "low");
    String model = "family: softmax, reference_class: mid, prior: \"normal(0, 2)\"";
    String weighted = ", weight: w";
    Map<String, double[]> all = run(config(table, weighted, model, METROPOLIS, "all"), "all");
    assertEquals(
        List.of("(Intercept)[high]", "x[high]", "u[high]", "(Intercept)[low]", "x[low]", "u[low]"),
        List.copyOf(all.keySet()));
    assertAgree(all, run(config(table, weighted, model, FIREFLY, "fly"), "fly"));
    refused(
        2,
        "precompute",
        config(table, weighted, "family: softmax, reference_class: mdi", METROPOLIS, "all")
            + "bounds: \""
            + folder.resolve("b")
            + "\"\n",
        "model.reference_class: there is no class mdi",
        "high, low, mid");
  }

  @Test
  void robust() throws IOException {
    Path table = table((eta, random) -> Double.toString(eta + random.nextGaussian()));
    String model = "family: robust, df: 4, scale: 0.7, prior: \"laplace(0, 1)\"";
    Map<String, double[]> all = run(config(table, "", model, METROPOLIS, "all"), "all");
    assertAgree(all, run(config(table, "", model, FIREFLY, "fly"), "fly"));
    refused(
        3,
        "sample",
        config(table, "", model.replace("4", "5"), METROPOLIS + ", thin: 1", "all")
            .replace(
                "output:",
                "prepared: \""
                    + folder.resolve("all/prepared")
                    + "\"\nbounds: \""
                    + folder.resolve("all/bounds")
                    + "\"\noutput:")
            .replace("/all\"\n", "/other\"\n"),
        "robust(df: 4.0, scale: 0.7)",
        "robust(df: 5.0, scale: 0.7)",
        "Run precompute again");
  }

  @Test
  void gaussianReportsSigmaOnItsNaturalScale() throws IOException {
    Path table = table((eta, random) -> Double.toString(eta + 0.5 * random.nextGaussian()));
    String model = "family: gaussian, sigma: \"half_normal(0, 10)\", prior: flat";
    Map<String, double[]> all = run(config(table, "", model, METROPOLIS, "all"), "all");
    assertEquals(List.of("(Intercept)", "x", "u", "sigma"), List.copyOf(all.keySet()));
    // The exposure, uniform on [0, 1], is left out of the features.
    double[] sigma = all.getOrDefault("sigma", new double[3]);
    assertEquals(Math.sqrt(0.25 + 1.0 / 12), sigma[0], 5 * sigma[1]);
    assertAgree(all, run(config(table, "", model, FIREFLY, "fly"), "fly"));
    refused(
        2,
        "run",
        config(table, "", model, "firefly: {bound: untuned}", "untuned"),
        "sampler.firefly.bound: untuned",
        "map-tuned");
    refused(
        2,
        "run",
        config(table, "", model, "firefly: {bound: local}", "local"),
        "sampler.firefly.bound: local",
        "family gaussian",
        "map-tuned");
  }

  @Test
  void gaussianWithKnownSigmaIsTheClosedForm() throws IOException {
    Path table = table((eta, random) -> Double.toString(eta + 0.5 * random.nextGaussian()));
    String model = "family: gaussian, sigma: 0.5, prior: flat";
    Map<String, double[]> fly = run(config(table, "", model, FIREFLY, "fly"), "fly");
    double[][] closed = leastSquares(table, 0.5);
    int j = 0;
    for (Map.Entry<String, double[]> entry : fly.entrySet()) {
      double[] found = entry.getValue();
      assertEquals(closed[0][j], found[0], SIGMAS * found[2], entry.getKey());
      assertEquals(closed[1][j], found[1], 0.15 * found[1], entry.getKey());
      j++;
    }
  }

  /** Returns the least-squares coefficients of (1, x, u), and their standard deviations. */
  private static double[][] leastSquares(Path table, double sigma) throws IOException {
    double[][] system = new double[3][7];
    List<String> lines = Files.readAllLines(table);
    for (String line : lines.subList(1, lines.size())) {
      double[] v = Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      double[] x = {1, v[1], v[2]};
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
          system[i][k] += x[i] * x[k];
        }
        system[i][3] += x[i] * v[0];
        system[i][4 + i] = 1;
      }
    }
    for (int i = 0; i < 3; i++) {
      double pivot = system[i][i];
      for (int k = 0; k < 7; k++) {
        system[i][k] /= pivot;
      }
      for (int r = 0; r < 3; r++) {
        double factor = r == i ? 0 : system[r][i];
        for (int k = 0; k < 7; k++) {
          system[r][k] -= factor * system[i][k];
        }
      }
    }
    double[][] result = new double[2][3];
    for (int i = 0; i < 3; i++) {
      result[0][i] = system[i][3];
      result[1][i] = sigma * Math.sqrt(system[i][4 + i]);
    }
    return result;
  }

  @Test
  void poissonWithAnOffset() throws IOException {
    Path table =
        table(
            (eta, random) -> {
              int count = 0;
              for (double t = -Math.log(random.nextDouble()); t < Math.exp(eta); count++) {
                t -= Math.log(random.nextDouble());
              }
              return Integer.toString(count);
            });
    String model = "family: poisson, offset: e, prior: \"normal(0, 10)\"";
    Map<String, double[]> all = run(config(table, "", model, METROPOLIS, "all"), "all");
    assertEquals(List.of("(Intercept)", "x", "u"), List.copyOf(all.keySet()));
    // On the input's scale the truth is η = 0.5 + 0.8 (x − 3)/2 + offset.
    double[] x = all.getOrDefault("x", new double[3]);
    double[] intercept = all.getOrDefault("(Intercept)", new double[3]);
    assertEquals(0.4, x[0], SIGMAS * x[1]);
    assertEquals(0.5 - 1.2, intercept[0], SIGMAS * intercept[1]);
    assertAgree(all, run(config(table, "", model, FIREFLY, "fly"), "fly"));
    refused(
        2,
        "run",
        config(table, "", model, FIREFLY.replace("{", "{bound: map-tuned, "), "tuned"),
        "the family poisson has no bound that holds everywhere",
        "Choose sampler.firefly.bound: local");
    refused(
        2,
        "precompute",
        config(table, "", "family: gamma, shape: 2", METROPOLIS, "all")
            + "bounds: \""
            + folder.resolve("b")
            + "\"\n",
        "model.family is gamma",
        "'y' of the prepared table is count",
        "Prepare the table again");
    refused(
        3,
        "run",
        config(table, "", "family: gamma, shape: 2", METROPOLIS, "gamma"),
        "label that is not positive",
        "table.csv, line");
  }

  /**
   * The worked example of Welling and Teh (2011): no features, and elements with names of theirs.
   */
  @Test
  void theMixtureOfTwoNormals() throws IOException {
    Path table =
        table(
            (eta, random) ->
                Double.toString((random.nextBoolean() ? 0 : 3) + random.nextGaussian()));
    String model =
        "family: mixture, sigma: 1, prior: \"normal(0, 3)\", priors: {theta2: \"normal(2, 1)\"}";
    UnaryOperator<String> config =
        sampler ->
            config(table, "", model, sampler, sampler.equals(FIREFLY) ? "fly" : "all")
                .replace("features: [x, u], ", "");
    Map<String, double[]> all = run(config.apply(METROPOLIS), "all");
    assertEquals(List.of("theta1", "theta2"), List.copyOf(all.keySet()));
    double[] apart = all.getOrDefault("theta2", new double[3]);
    assertEquals(3, apart[0], SIGMAS * apart[1]);
    assertAgree(all, run(config.apply(FIREFLY), "fly"));
  }

  /** N(μ, σ²), the running example of Bardenet, Doucet and Holmes (2017): an intercept alone. */
  @Test
  void aNormalOfUnknownMeanAndSigmaIsAGaussianWithAnInterceptAlone() throws IOException {
    Path table = table((eta, random) -> Double.toString(4 + 0.5 * random.nextGaussian()));
    String data =
        String.format("data: {input: \"%s\", query: \"SELECT y FROM input\", label: y}%n", table);
    String model = "family: gaussian, sigma: jeffreys, prior: flat";
    UnaryOperator<String> config =
        sampler ->
            config(table, "", model, sampler, sampler.equals(FIREFLY) ? "fly" : "all")
                .replaceFirst("data: .*\n", Matcher.quoteReplacement(data));
    Map<String, double[]> all = run(config.apply(METROPOLIS), "all");
    assertEquals(List.of("(Intercept)", "sigma"), List.copyOf(all.keySet()));
    double[] mean = all.getOrDefault("(Intercept)", new double[3]);
    assertEquals(4, mean[0], SIGMAS * mean[1]);
    assertEquals(0.5 / Math.sqrt(ROWS), mean[1], 0.2 * mean[1]);
    assertAgree(all, run(config.apply(FIREFLY), "fly"));
  }

  @Test
  void gammaWithPriorsOnTheInputsScale() throws IOException {
    Path table =
        table(
            (eta, random) ->
                Double.toString(
                    Math.exp(eta)
                        * -0.5
                        * (Math.log(random.nextDouble()) + Math.log(random.nextDouble()))));
    // A prior that pins the coefficient of x, per unit of the input, far off the truth.
    String model =
        "family: gamma, shape: 2, prior: flat, prior_scale: input, priors: {x: \"normal(1,"
            + " 1e-4)\"}";
    Map<String, double[]> all = run(config(table, "", model, METROPOLIS, "all"), "all");
    double[] x = all.getOrDefault("x", new double[3]);
    assertEquals(1, x[0], 0.01);
    assertEquals(1e-4, x[1], 0.3e-4);
  }
}
