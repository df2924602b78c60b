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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;

/** ArviZ's groups by the command line, against what follows from the table and the draws. */
class InferenceGroupsIT {
  private static final String ALL =
      "log_likelihood,posterior_predictive,prior,prior_predictive,observed_data,constant_data";

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  private void run(String name, List<String> lines, String... settings) throws IOException {
    Files.write(folder.resolve(name + ".csv"), lines);
    List<String> command = new ArrayList<>(List.of("run"));
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("data.input=" + folder.resolve(name + ".csv"));
    all.add("output=" + folder.resolve(name));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    shell.samples(command.toArray(String[]::new));
  }

  private static JsonNode read(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name).resolve("inference.json").toFile());
  }

  private static double[] numbers(JsonNode array) {
    double[] numbers = new double[array.size()];
    Arrays.setAll(numbers, i -> array.path(i).asDouble());
    return numbers;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** Fails falsely for one table in a million: five standard errors. */
  private static void isMean(double expected, double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    assertEquals(expected, mean, 5 * Math.sqrt(squares) / values.length);
  }

  /**
   * A regression with effects of groups. Each group's effect follows from its rows'
   * log-likelihoods, is the same for all of them, and is on average the one in the effects' file.
   */
  @Test
  void groupsHaveTheirEffects() throws IOException {
    Random random = new Random(3);
    int rows = 60;
    double[] x = new double[rows];
    double[] y = new double[rows];
    List<String> lines = new ArrayList<>(List.of("x,g,y"));
    for (int i = 0; i < rows; i++) {
      x[i] = 3 + random.nextGaussian();
      y[i] = 1 + 0.5 * x[i] + (i % 6 - 2.5) + random.nextGaussian();
      lines.add(x[i] + ",g" + i % 6 + "," + y[i]);
    }
    run(
        "grouped",
        lines,
        "model.formula=y ~ x + (1 | g)",
        "model.family=gaussian",
        "model.sigma=half_normal(0, 1)",
        "sampler.chains=2",
        "sampler.warmup=100",
        "sampler.draws=50",
        "sampler.multilevel.keep_draws=50");
    shell.succeeds("export", folder.resolve("grouped").toString(), "--groups", ALL);
    assertTrue(shell.out().contains("constant_data: 60 of 60."), shell.out());
    assertTrue(shell.out().contains("posterior_predictive: 100 of 100."), shell.out());
    assertTrue(shell.out().contains("prior and prior_predictive: 1,000."), shell.out());
    JsonNode data = read("grouped");
    assertEquals(
        List.of(("posterior,sample_stats," + ALL).split(",")),
        data.propertyStream().map(Map.Entry::getKey).toList());
    assertEquals(
        data.path("posterior").propertyStream().map(Map.Entry::getKey).toList(),
        data.path("prior").propertyStream().map(Map.Entry::getKey).toList());
    double[] observed = numbers(data.at("/observed_data/y"));
    List<double[]> order = new ArrayList<>();
    Map<Double, Integer> at = new HashMap<>();
    for (int i = 0; i < rows; i++) {
      at.put(y[i], i);
    }
    for (double value : observed) {
      int i = Objects.requireNonNull(at.get(value));
      order.add(new double[] {x[i], i % 6});
    }
    assertEquals(
        List.of("x"), data.path("constant_data").propertyStream().map(Map.Entry::getKey).toList());
    double[] column = numbers(data.at("/constant_data/x"));
    for (int i = 0; i < rows; i++) {
      assertEquals(order.get(i)[0], column[i], 1e-12);
    }
    double[][] effects = new double[6][100];
    List<Double> residuals = new ArrayList<>();
    for (int s = 0; s < 100; s++) {
      double[] theta = theta(data.path("posterior"), s / 50, s % 50);
      double[] log = numbers(data.at("/log_likelihood/y").path(s / 50).path(s % 50));
      double[] drawn = numbers(data.at("/posterior_predictive/y").path(s / 50).path(s % 50));
      for (int g = 0; g < 6; g++) {
        effects[g][s] = effect(theta, log, observed, order, g);
      }
      for (int i = 0; i < rows; i++) {
        double[] row = order.get(i);
        double eta = theta[0] + theta[1] * row[0] + effects[(int) row[1]][s];
        residuals.add((drawn[i] - eta) / theta[2]);
      }
    }
    List<String> file = Files.readAllLines(folder.resolve("grouped/effects/g.csv"));
    for (int g = 0; g < 6; g++) {
      String[] cells = file.get(g + 1).replace("\"r_g[g" + g + ",Intercept]\"", "r").split(",", -1);
      assertEquals("g" + g, cells[1]);
      assertEquals(Double.parseDouble(cells[4]), mean(effects[g]), 1e-5);
    }
    double[] z = residuals.stream().mapToDouble(Double::doubleValue).toArray();
    isMean(0, z);
    isMean(1, Arrays.stream(z).map(one -> one * one).toArray());
    priorPredictive(data, order);
  }

  /** Rows of one group share their effect, and those of others do not. */
  private static void priorPredictive(JsonNode data, List<double[]> order) {
    int[] same = {-1, -1, -1};
    for (int i = 0; i < order.size(); i++) {
      int k = order.get(i)[1] == 0 ? (same[0] < 0 ? 0 : 1) : 2;
      same[k] = i;
    }
    double[] sd = numbers(data.at("/prior/sd_g__Intercept").path(0));
    assertEquals(1000, sd.length);
    double[] shared = new double[sd.length];
    double[] apart = new double[sd.length];
    for (int s = 0; s < sd.length; s++) {
      double[] theta = theta(data.path("prior"), 0, s);
      double[] drawn = numbers(data.at("/prior_predictive/y").path(0).path(s));
      double[] off = new double[3];
      for (int k = 0; k < 3; k++) {
        off[k] = drawn[same[k]] - theta[0] - theta[1] * order.get(same[k])[0];
      }
      double variance = sd[s] * sd[s] + theta[2] * theta[2];
      shared[s] = (off[0] * off[1] - sd[s] * sd[s]) / variance;
      apart[s] = off[0] * off[2] / variance;
    }
    isMean(0, shared);
    isMean(0, apart);
  }

  /** Returns intercept, slope and sigma. */
  private static double[] theta(JsonNode group, int chain, int draw) {
    return List.of("(Intercept)", "x", "sigma").stream()
        .mapToDouble(name -> group.path(name).path(chain).path(draw).asDouble())
        .toArray();
  }

  private static double effect(
      double[] theta, double[] log, double[] y, List<double[]> rows, int group) {
    double best = Double.NaN;
    double least = Double.POSITIVE_INFINITY;
    double[] e = new double[y.length];
    double[] r = new double[y.length];
    int first = -1;
    for (int i = 0; i < y.length; i++) {
      e[i] = y[i] - theta[0] - theta[1] * rows.get(i)[0];
      double half = -log[i] - Math.log(theta[2] * Math.sqrt(2 * Math.PI));
      r[i] = theta[2] * Math.sqrt(2 * Math.max(0, half));
      first = first < 0 && rows.get(i)[1] == group ? i : first;
    }
    for (double b : new double[] {e[first] - r[first], e[first] + r[first]}) {
      double worst = 0;
      for (int i = 0; i < y.length; i++) {
        if (rows.get(i)[1] == group) {
          worst = Math.max(worst, Math.abs(Math.abs(e[i] - b) - r[i]));
        }
      }
      best = worst < least ? b : best;
      least = Math.min(worst, least);
    }
    assertEquals(0, least, 1e-5, "the effect of group " + group);
    return best;
  }

  /**
   * Rows that are stored once with their number are many rows. The draws of a run from the prior
   * are {@code prior}, and the same as those that another run exports.
   */
  @Test
  void equalRowsAreSeveralRows() throws IOException {
    Random random = new Random(5);
    List<String> lines = new ArrayList<>(List.of("town,sold"));
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int town = random.nextInt(3);
      int sold = random.nextInt(2);
      lines.add("t" + town + "," + (sold == 1 ? "yes" : "no"));
      rows.add(new double[] {town, sold});
    }
    run(
        "merged",
        lines,
        "data.label=sold",
        "data.aggregate=always",
        "model.prior=normal(0, 1)",
        "sampler.prior_only=true",
        "sampler.draws=300");
    String[] export = {
      "export",
      folder.resolve("merged").toString(),
      "--as",
      "arviz",
      "--groups",
      ALL.replace("posterior_predictive,", "")
    };
    shell.succeeds(export);
    JsonNode data = read("merged");
    assertEquals(
        List.of(
            "prior",
            "sample_stats_prior",
            "log_likelihood",
            "prior_predictive",
            "observed_data",
            "constant_data"),
        data.propertyStream().map(Map.Entry::getKey).toList());
    double[] observed = numbers(data.at("/observed_data/sold"));
    assertEquals(400, observed.length);
    assertTrue(data.at("/observed_data/sold").path(0).isInt());
    assertTrue(data.at("/prior_predictive/sold").path(0).path(0).path(0).isInt());
    double[] towns = numbers(data.at("/constant_data/town[t2]"));
    double[] both = new double[2];
    for (int i = 0; i < 400; i++) {
      both[0] += towns[i];
      both[1] += towns[i] * observed[i];
    }
    assertEquals((double) rows.stream().filter(row -> row[0] == 2).count(), both[0]);
    assertEquals((double) rows.stream().filter(row -> row[0] == 2 && row[1] == 1).count(), both[1]);
    assertEquals(rows.stream().mapToDouble(row -> row[1]).sum(), Arrays.stream(observed).sum(), 0);
    List<String> names = List.of("(Intercept)", "town[t1]", "town[t2]");
    double[][] draws = new double[3][];
    run(
        "sampled",
        lines,
        "data.label=sold",
        "data.aggregate=always",
        "model.prior=normal(0, 1)",
        "sampler.warmup=20",
        "sampler.draws=20");
    shell.succeeds("export", folder.resolve("sampled").toString(), "--groups", "prior");
    JsonNode sampled = read("sampled").path("prior");
    for (int j = 0; j < 3; j++) {
      draws[j] = numbers(data.path("prior").path(names.get(j)).path(0));
      double[] prior = numbers(sampled.path(names.get(j)).path(0));
      assertEquals(1000, prior.length);
      for (int s = 0; s < 300; s++) {
        assertEquals(draws[j][s], prior[s], 0);
      }
    }
    // 1,000 of 1,200 draws, of each chain 250; the last of them is the draw 299 or 300 of a chain.
    JsonNode log = data.at("/log_likelihood/sold");
    assertEquals(4, log.size());
    assertEquals(250, log.path(0).size());
    double found = Arrays.stream(numbers(log.path(0).path(249))).sum();
    double least = Double.POSITIVE_INFINITY;
    for (int s = 297; s < 300; s++) {
      double exact = 0;
      for (double[] row : rows) {
        double eta = draws[0][s] + (row[0] > 0 ? draws[(int) row[0]][s] : 0);
        exact -= Math.log1p(Math.exp(row[1] == 1 ? -eta : eta));
      }
      least = Math.min(least, Math.abs(exact - found));
    }
    assertEquals(0, least, 1e-9);

    String before = Files.readString(folder.resolve("merged/inference.json"));
    List<String> again = new ArrayList<>(List.of(export));
    again.add("--overwrite");
    shell.succeeds(again.toArray(String[]::new));
    assertEquals(before, Files.readString(folder.resolve("merged/inference.json")));
    again.addAll(List.of("--rows", "50", "--draws", "8"));
    shell.succeeds(again.toArray(String[]::new));
    // A binomial number of rows, 400 of probability 1/8: six standard deviations.
    int drawn = read("merged").at("/observed_data/sold").size();
    assertEquals(50, drawn, 6 * Math.sqrt(50 * 7 / 8.0));
    assertTrue(shell.out().contains(drawn + " of 400. Set --rows"), shell.out());
    assertEquals(2, read("merged").at("/prior_predictive/sold").path(0).size());
    assertEquals(2, read("merged").at("/log_likelihood/sold").path(0).size());
    refusals();
  }

  private void refusals() throws IOException {
    String run = folder.resolve("merged").toString();
    refused("names none", "export", run, "--rows", "5", "--overwrite");
    refused("Set --as to arviz", "export", run, "--as", "cmdstan", "--groups", "prior");
    refused("Set both to at least 1", "export", run, "--groups", "prior", "--draws", "0");
    refused("prior_predictiv", "export", run, "--groups", "prior_predictiv");
    refused("Set --groups to prior_predictive", "export", run, "--groups", "posterior_predictive");
    Path manifest = folder.resolve("sampled/manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replaceFirst("\\{", "{\"included\": {},"));
    Files.deleteIfExists(folder.resolve("sampled/.manifest.json.crc"));
    refused(
        "prior of sets of variables",
        "export",
        folder.resolve("sampled").toString(),
        "--groups",
        "prior",
        "--overwrite");
  }

  private void refused(String words, String... command) {
    assertEquals(2, shell.run(command));
    assertTrue(shell.err().contains(words), shell.err());
  }
}
