package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/**
 * By the command line, against exact leave-one-out: of a linear regression with given σ and a flat
 * prior, y_i given the others is normal with the residual r_i/(1 − h_i) and the variance σ²/(1 −
 * h_i), h_i the leverage.
 */
class LooIT {
  private static final int ROWS = 200;

  @TempDir private static Path folder;
  private static final double[] X = new double[ROWS];
  private static final double[] Y = new double[ROWS];
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    Random random = new Random(12);
    List<String> lines = new ArrayList<>(List.of("x,y"));
    for (int i = 0; i < ROWS; i++) {
      X[i] = 5 + 2 * random.nextGaussian();
      Y[i] = 1 - 0.5 * X[i] + 1.3 * random.nextGaussian();
      lines.add(X[i] + "," + Y[i]);
    }
    Files.write(folder.resolve("table.csv"), lines);
    run("run", "narrow", "1.2");
    run(
        "sample",
        "wide",
        "2",
        "sampler.seed=5",
        "prepared=" + folder.resolve("narrow/prepared"),
        "bounds=" + folder.resolve("wide/bounds"));
    run("run", "apart", "2", "data.standardize=unit");
  }

  private static void run(String name, String output, String sigma, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table.csv"),
                "data.label=y",
                "model.family=gaussian",
                "model.sigma=" + sigma,
                "model.prior=flat",
                "sampler.draws=1000",
                "output=" + folder.resolve(output)));
    settings.addAll(List.of(more));
    if (name.equals("sample")) {
      new Shell("local[2]").succeeds(command("precompute", settings));
    }
    new Shell("local[2]").succeeds(command(name, settings));
  }

  private static String[] command(String name, List<String> settings) {
    List<String> command = new ArrayList<>(List.of(name));
    settings.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  /** Returns log p(y_i | the others) of every row. */
  private static double[] exact(double sigma) {
    double meanX = Arrays.stream(X).average().orElseThrow();
    double meanY = Arrays.stream(Y).average().orElseThrow();
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < ROWS; i++) {
      xx += (X[i] - meanX) * (X[i] - meanX);
      xy += (X[i] - meanX) * (Y[i] - meanY);
    }
    double[] exact = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      double left = 1 - 1.0 / ROWS - (X[i] - meanX) * (X[i] - meanX) / xx;
      double residual = (Y[i] - meanY - xy / xx * (X[i] - meanX)) / left;
      double variance = sigma * sigma / left;
      exact[i] = -0.5 * residual * residual / variance - 0.5 * Math.log(2 * Math.PI * variance);
    }
    return exact;
  }

  private static double error(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares);
  }

  private double[] found(String what) {
    Matcher matcher =
        Pattern.compile(
                what
                    + " (\\S+), standard error (\\S+); from drawing rows (\\S+); Monte Carlo"
                    + " (\\S+)")
            .matcher(shell.out());
    assertTrue(matcher.find(), shell.out());
    double[] found = new double[4];
    for (int k = 0; k < found.length; k++) {
      found[k] = Double.parseDouble(matcher.group(k + 1).replace(",", "").replace(";", ""));
    }
    return found;
  }

  private void loo(int rows, String... runs) {
    List<String> command = new ArrayList<>(List.of("loo", "--rows", String.valueOf(rows)));
    Arrays.stream(runs).map(run -> folder.resolve(run).toString()).forEach(command::add);
    shell.succeeds(command.toArray(String[]::new));
  }

  @Test
  void allRowsGiveTheExactSum() {
    double[] exact = exact(1.2);
    loo(1000, "narrow");
    double[] found = found("elpd_loo");
    // PSIS with 4,000 draws of two parameters, and one decimal.
    assertEquals(Arrays.stream(exact).sum(), found[0], 0.15);
    assertEquals(error(exact), found[1], 0.15);
    assertEquals(0, found[2]);
    assertEquals(0.03, found[3], 0.03, "the draws' part of 0.15");
    double[] parameters = found("p_loo");
    assertEquals(2, parameters[0], 0.5);
    assertEquals(0, parameters[2]);
    assertEquals(0.03, parameters[3], 0.03);
    assertTrue(shell.out().contains(": 200 of 200 rows, 4,000 draws"), shell.out());
    assertEquals("", shell.err());
  }

  @Test
  void someRowsGiveItWithinTheirError() {
    loo(50, "narrow");
    double[] found = found("elpd_loo");
    assertTrue(found[2] > 0 && found[2] < 0.5, "the proxy is close: " + found[2]);
    assertEquals(Arrays.stream(exact(1.2)).sum(), found[0], 0.15 + 4 * found[2]);
  }

  @Test
  void modelsOfTheSameRowsArePaired() {
    double[] narrow = exact(1.2);
    double[] wide = exact(2);
    double[] differences = new double[ROWS];
    Arrays.setAll(differences, i -> wide[i] - narrow[i]);
    loo(1000, "wide", "narrow");
    assertTrue(shell.out().contains("Best: " + folder.resolve("narrow")), shell.out());
    double[] found = found("wide: elpd_diff");
    assertEquals(Arrays.stream(differences).sum(), found[0], 0.2);
    assertEquals(error(differences), found[1], 0.15);
    assertEquals(0.03, found[3], 0.03);
    assertEquals("", shell.err());
    // Some rows are the same ones, whatever the seeds. The error of rows that are not is 1.7 times.
    loo(60, "wide", "narrow");
    double[] some = found("wide: elpd_diff");
    assertEquals(found[0], some[0], 0.2 + 4 * some[2]);
    assertEquals(1, some[1] / error(differences), 0.35);
    loo(1000, "apart", "narrow");
    double[] apart = found("apart: elpd_diff");
    assertEquals(found[0], apart[0], 0.2);
    assertTrue(apart[1] > found[1] + 1, "unpaired errors are larger: " + apart[1]);
    assertTrue(shell.err().contains("separately prepared"), shell.err());
  }

  /** The files have what is printed, and the rows add up to it. */
  @Test
  void figuresAreWritten() throws IOException {
    String[] command = {
      "loo",
      folder.resolve("wide").toString(),
      folder.resolve("narrow").toString(),
      "--output",
      folder.resolve("loo").toString()
    };
    shell.succeeds(command);
    double[] printed = found("wide: elpd_diff");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("loo/loo.json").toFile());
    assertEquals(folder.resolve("narrow").toString(), json.path("best").asText());
    JsonNode difference = json.at("/differences/0/elpd_diff");
    assertEquals(printed[0], difference.path("estimate").asDouble(), 0.05);
    assertEquals(printed[3], difference.path("monte_carlo_error").asDouble(), 0.005);
    assertTrue(json.at("/differences/0/paired").asBoolean());
    assertEquals(200, json.at("/runs/1/rows_drawn").asInt());
    List<String> lines = Files.readAllLines(folder.resolve("loo/loo.csv"));
    assertEquals("run,folder,row,weight,elpd_loo,p_loo,pareto_k", lines.get(0));
    assertEquals(401, lines.size());
    double[] sums = new double[2];
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      sums[Integer.parseInt(cells[0]) - 1] += Double.parseDouble(cells[4]);
    }
    for (int run = 0; run < 2; run++) {
      double estimate = json.at("/runs/" + run + "/elpd_loo/estimate").asDouble();
      assertEquals(estimate, sums[run], 1e-9 * Math.abs(estimate));
    }
    assertEquals(2, shell.run(command));
    assertTrue(shell.err().contains("already holds loo.json"), shell.err());
  }

  /**
   * Stacking by exact leave-one-out, on a grid. A table that was prepared apart has other blocks
   * and the same rows in the same order.
   */
  @Test
  void modelsAreWeighedForAnAverage() throws IOException {
    double[] narrow = exact(1.2);
    double[] wide = exact(2);
    double best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (double w = 0; w <= 1; w += 0.001) {
      double score = 0;
      for (int i = 0; i < ROWS; i++) {
        score += Math.log(w * Math.exp(narrow[i]) + (1 - w) * Math.exp(wide[i]));
      }
      best = score > most ? w : best;
      most = Math.max(score, most);
    }
    JsonNode all = weights("wide");
    assertEquals(best, all.at("/runs/0/stacking").asDouble(), 0.03);
    assertEquals(1 - best, all.at("/runs/1/stacking").asDouble(), 0.03);
    assertEquals(Arrays.stream(wide).sum(), all.at("/runs/1/elpd_loo").asDouble(), 0.2);
    assertTrue(all.at("/runs/0/pseudo_bma_plus").asDouble() > 0.9, all.toString());
    assertTrue(all.at("/runs/0/bayesian").isNull(), all.toString());
    assertTrue(shell.out().contains("No Bayesian weights, because"), shell.out());
    assertEquals(200, all.path("rows_drawn").asInt());
    double apart = weights("apart").at("/runs/0/stacking").asDouble();
    assertEquals(best, apart, 0.03);
    // Some rows, by their numbers: the same ones of both tables.
    double some = weights("wide", "--rows", "60").at("/runs/0/stacking").asDouble();
    double others = weights("apart", "--rows", "60").at("/runs/0/stacking").asDouble();
    assertEquals(some, others, 0.03);
    assertTrue(shell.out().contains("at 60 of 200 rows"), shell.out());
  }

  private JsonNode weights(String other, String... more) throws IOException {
    Path to = folder.resolve("weights");
    List<String> command = new ArrayList<>(List.of("compare", "--average", "--overwrite"));
    command.addAll(List.of("--output", to.toString()));
    command.addAll(List.of(more));
    command.addAll(List.of(folder.resolve("narrow").toString(), folder.resolve(other).toString()));
    shell.succeeds(command.toArray(String[]::new));
    return new ObjectMapper().readTree(to.resolve("model_weights.json").toFile());
  }

  @Test
  void whatIsWrongIsSaid() throws IOException {
    assertEquals(2, shell.run("loo", folder.resolve("narrow").toString(), "--rows", "1"));
    assertEquals(3, shell.run("loo", folder.toString()));
    assertTrue(shell.err().contains("holds no manifest.json"), shell.err());
  }
}
