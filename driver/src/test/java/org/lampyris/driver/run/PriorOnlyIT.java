package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Draws from the prior of models with random effects, smooths and classes, through the command
 * line. Means and variances are compared with four standard errors of 4,000 independent draws: a
 * false alarm happens to one comparison in 16,000.
 */
class PriorOnlyIT {
  @TempDir private Path folder;
  private final Shell shell = new Shell("local[2]");

  private void table() throws IOException {
    Random random = new Random(9);
    List<String> lines = new ArrayList<>(List.of("y,x,z,g,mood"));
    for (int i = 0; i < 300; i++) {
      double x = 5 + 2 * random.nextGaussian();
      double y = 3 + 0.5 * x + random.nextGaussian();
      String mood = List.of("a", "b", "c").get(random.nextInt(3));
      lines.add(y + "," + x + "," + random.nextDouble() + ",g" + random.nextInt(8) + "," + mood);
    }
    Files.write(folder.resolve("table.csv"), lines);
  }

  private String[] run(String name, String... settings) {
    List<String> command = new ArrayList<>(List.of("run"));
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table.csv"),
                "sampler.prior_only=true",
                "output=" + folder.resolve(name)));
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  private double[] column(String run, String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(run).resolve("draws.csv"));
    int at = List.of(lines.get(0).split(",", -1)).indexOf(name);
    assertTrue(at >= 0, name + " in " + lines.get(0));
    return lines.stream()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[at]))
        .toArray();
  }

  private void holds(String run, String name, double mean, double variance) throws IOException {
    double[] draws = column(run, name);
    assertEquals(4_000, draws.length);
    double[] squares = Arrays.stream(draws).map(x -> (x - mean) * (x - mean)).toArray();
    assertEquals(mean, mean(draws), 4 * error(draws), name);
    assertEquals(variance, mean(squares), 4 * error(squares), name);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double error(double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
    return Math.sqrt(squares) / values.length;
  }

  @Test
  void effectsSmoothsAndNoiseAreDrawnFromTheirPriors() throws IOException {
    table();
    shell.succeeds(
        run(
            "gaussian",
            "model.family=gaussian",
            "model.formula=y ~ x + s(z, k = 5) + (1 + x | g)",
            "model.prior=normal(1, 0.5)",
            "model.intercept_at=zero",
            "model.sigma=half_normal(0, 2)"));
    holds("gaussian", "x", 1, 0.25);
    holds("gaussian", "(Intercept)", 1, 0.25);
    holds("gaussian", "sigma", 2 * Math.sqrt(2 / Math.PI), 4 * (1 - 2 / Math.PI));
    // lkj(1) of two effects: uniform in (-1, 1).
    holds("gaussian", "cor_g__Intercept__x", 0, 1.0 / 3);
    assertTrue(mean(column("gaussian", "sd_g__x")) > 0);
    assertTrue(mean(column("gaussian", "sds_sz_1")) > 0);
    String report = Files.readString(folder.resolve("gaussian/report.html"));
    assertTrue(report.contains("These draws are from the prior."));
    assertTrue(report.contains("What the prior says of the response"));
    assertTrue(report.contains("Prior predictive checks of y"));
    assertFalse(report.contains("Does the model fit?"));
    assertFalse(report.contains("Prior and posterior"));
    assertTrue(report.contains("from the prior;"));
    assertTrue(report.contains("90 % of the prior lies"));
    assertTrue(report.contains("p-values are prior predictive."));
    for (String ofChains : List.of("more than one mode", "Coefficient by coefficient", "Cost of")) {
      assertFalse(report.contains(ofChains), ofChains);
    }
  }

  @Test
  void classesAreDrawnWithoutAnAlgorithm() throws IOException {
    table();
    String[] model = {
      "data.label=mood", "data.features=[x]", "model.family=softmax", "model.prior=normal(0, 2)"
    };
    List<String> settings = new ArrayList<>(List.of(model));
    settings.add("model.intercept_at=zero");
    shell.succeeds(run("softmax", settings.toArray(String[]::new)));
    for (String name :
        List.of(Files.readAllLines(folder.resolve("softmax/draws.csv")).get(0).split(",", -1))) {
      if (name.startsWith("x")) {
        holds("softmax", name, 0, 4);
      }
    }
    // Independent draws: nothing had to converge.
    settings.add("sampler.draws=100");
    shell.succeeds(run("few", settings.toArray(String[]::new)));
    assertTrue(shell.out().contains("independent draws from the prior"), shell.out());
    assertFalse(shell.out().contains("R-hat"), shell.out());
    settings.add("sampler.algorithm=firefly");
    assertEquals(2, shell.run(run("algorithm", settings.toArray(String[]::new))));
    assertTrue(shell.err().contains("Remove one of the two keys."), shell.err());
    assertEquals(
        2, shell.run(run("flat", "data.label=y", "model.family=gaussian", "model.prior=flat")));
    assertTrue(shell.err().contains("sampler.prior_only needs proper priors"), shell.err());
  }
}
