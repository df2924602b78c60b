package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of two algorithms, of two seeds and of two tables, compared through the command line. */
class CompareIT {
  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() {
    Shell shell = new Shell("local[2]");
    for (String seed : List.of("3", "4")) {
      shell.succeeds(
          ("generate --rows 300 --features 2 --seed " + seed + " --output " + table(seed))
              .split(" "));
    }
    shell.succeeds(command("run", "firefly", "3", "sampler.algorithm=firefly"));
    shell.succeeds(
        command(
            "sample",
            "metropolis",
            "3",
            "sampler.algorithm=metropolis",
            "prepared=" + path("firefly/prepared"),
            "bounds=" + path("firefly/bounds")));
    shell.succeeds(command("run", "seed", "3", "sampler.seed=2", "data.order=content"));
    shell.succeeds(command("run", "table", "4", "model.prior=normal(0, 1)"));
  }

  private static Path table(String seed) {
    return folder.resolve("generated-" + seed);
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static String[] command(String name, String output, String table, String... settings) {
    List<String> command = new ArrayList<>(List.of(name));
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + table(table).resolve("table"),
                "data.label=y",
                "sampler.warmup=200",
                "sampler.draws=1000",
                "output=" + path(output)));
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  @Test
  void exactAlgorithmsDoNotDiffer() throws IOException {
    String[] command = {
      "compare", path("metropolis"), path("firefly"), "--output", path("comparison")
    };
    shell.succeeds(command);
    assertEquals("", shell.err());
    String out = shell.out();
    assertTrue(out.startsWith("run 1: " + path("metropolis") + " (reference)\n"), out);
    assertTrue(out.contains("\nNo difference exceeds its Monte-Carlo error.\n"), out);
    assertTrue(out.matches("(?s).*\nalgorithm +metropolis +firefly\n.*"), out);
    assertEquals("compare.csv compare_runs.csv", Shell.files(folder.resolve("comparison")));
    assertEquals(2, shell.run(command));
    assertTrue(shell.err().contains("already holds compare.csv"), shell.err());
    String written = Files.readString(folder.resolve("comparison/compare.csv"));
    shell.succeeds(
        "compare", path("firefly"), path("firefly"), "--overwrite", command[3], command[4]);
    assertTrue(Files.readString(folder.resolve("comparison/compare.csv")).contains(",0.0,"));
    shell.succeeds(
        "compare", path("metropolis"), path("firefly"), "--overwrite", command[3], command[4]);
    assertEquals(written, Files.readString(folder.resolve("comparison/compare.csv")));
    variables(written.lines().map(line -> line.split(",", -1)).toList());
    runs(Files.readAllLines(folder.resolve("comparison/compare_runs.csv")));
  }

  @Test
  void hypothesesAreAnsweredFromTheDraws() {
    String[] command = {
      "hypothesis", "--run", path("firefly"), "x1 > 0", "(Intercept)", "--output", path("answers")
    };
    shell.succeeds(command);
    assertTrue(shell.out().matches("(?s)hypothesis +mean .*\nx1 > 0 +.*\n.*"), shell.out());
    assertTrue(shell.out().endsWith("hypothesis.json and hypothesis.csv.\n"), shell.out());
    assertEquals(2, shell.run(command));
    assertTrue(shell.err().contains("already holds hypothesis.json"), shell.err());
    shell.succeeds("hypothesis", "--run", path("firefly"), "x1 = 0", "--json");
    assertTrue(shell.out().startsWith("{"), shell.out());
    assertEquals(2, shell.run("hypothesis", "--run", path("firefly"), "x3 > 0"));
    assertTrue(shell.err().contains("did you mean 'x"), shell.err());
    assertEquals(3, shell.run("hypothesis", "--run", path("none"), "x1 > 0"));
    shell.run("summarize", path("firefly"), "--exp");
    assertTrue(shell.out().contains("\nexp(x2) "), shell.out());
  }

  /** A line for each variable and run, with the figures of the summaries. */
  private static void variables(List<String[]> lines) throws IOException {
    List<String> header = List.of(lines.get(0));
    assertEquals(1 + 3 * 2, lines.size());
    lines.forEach(line -> assertEquals(header.size(), line.length));
    for (int run = 1; run <= 2; run++) {
      String name = run == 1 ? "metropolis" : "firefly";
      List<String> summary = Files.readAllLines(folder.resolve(name + "/summary.csv"));
      for (int j = 0; j < 3; j++) {
        String[] line = lines.get(2 * j + run);
        String[] known = summary.get(1 + j).split(",", -1);
        assertEquals(List.of(known[0], run + "", path(name)), List.of(line).subList(0, 3));
        List<String> columns = List.of(summary.get(0).split(","));
        for (String same : List.of("mean", "sd", "q5", "q95", "mcse_mean", "rhat", "ess_tail")) {
          assertEquals(known[columns.indexOf(same)], line[header.indexOf(same)], same);
        }
        assertEquals(known[columns.indexOf("median")], line[header.indexOf("q50")]);
        assertEquals(run == 1 ? "" : "false", line[header.indexOf("means_differ")]);
        assertEquals(run == 1, line[header.indexOf("kolmogorov_distance")].isEmpty());
      }
    }
  }

  private static void runs(List<String> lines) throws IOException {
    List<String> header = List.of(lines.get(0).split(","));
    assertEquals(3, lines.size());
    String[] firefly = lines.get(2).split(",", -1);
    JsonNode manifest =
        new ObjectMapper().readTree(folder.resolve("firefly/manifest.json").toFile());
    assertEquals(
        manifest.at("/counts/setup_evaluations").asLong()
            + manifest.at("/counts/likelihood_evaluations").asLong(),
        Long.parseLong(firefly[header.indexOf("evaluations")]));
    assertEquals(
        manifest.at("/seconds/precompute").asDouble(),
        Double.parseDouble(firefly[header.indexOf("seconds_precompute")]));
    String[] metropolis = lines.get(1).split(",", -1);
    assertEquals("", metropolis[header.indexOf("seconds_precompute")]);
    assertEquals("", metropolis[header.indexOf("kl_divergence")]);
    assertEquals("false", firefly[header.indexOf("kl_differs")]);
    // Two leapfrog steps on average, each of all 300 rows.
    double each = Double.parseDouble(metropolis[header.indexOf("evaluations_per_iteration")]);
    assertEquals(2 * 300, each, 100);
  }

  @Test
  void seedsOfOneTableCannotBeToldFromOtherRows() {
    shell.succeeds("compare", path("firefly"), path("seed"));
    assertTrue(shell.out().contains("No difference exceeds"), shell.out());
    assertTrue(
        shell
            .err()
            .contains(
                "were prepared separately and differ in data.order (content, auto), sampler.seed"
                    + " (2, 1)"),
        shell.err());
    assertEquals(1, shell.err().lines().count(), shell.err());
  }

  @Test
  void otherDataAndModelsAreWarnedOf() {
    shell.succeeds("compare", path("firefly"), path("table"));
    assertTrue(shell.out().contains(path("table") + " differs from " + path("firefly")));
    List<String> err = shell.err().lines().toList();
    assertEquals(2, err.size(), err::toString);
    assertTrue(
        err.get(0).contains("have different data: they differ in data.input ("), err::toString);
    assertTrue(
        err.get(1).contains("have different models: they differ in the prior of"), err::toString);
  }

  /** Weights need the same rows, in the same order. */
  @Test
  void modelsOfOtherRowsAreNotAveraged() {
    assertEquals(3, shell.run("compare", "--average", path("firefly"), path("table")));
    assertTrue(
        shell.err().contains("are not, because their data.input differs. Sample"), shell.err());
    assertEquals(3, shell.run("compare", "--average", path("firefly"), path("seed")));
    assertTrue(shell.err().contains("another order. Set data.order: input"), shell.err());
    assertEquals(2, shell.run("compare", "--rows", "9", path("firefly"), path("seed")));
    assertTrue(shell.err().contains("--rows is for --average"), shell.err());
  }

  @Test
  void whatIsNoOutputFolderIsRefusedAndLeavesNothing() throws IOException {
    assertEquals(3, shell.run("compare", path("firefly"), path("nowhere"), "--output", path("n")));
    assertTrue(
        shell.err().startsWith("lampyris: " + path("nowhere") + " holds neither draws/"),
        shell.err());
    assertFalse(Files.exists(folder.resolve("n")));
    Path broken = Files.createDirectories(folder.resolve("broken"));
    Files.copy(folder.resolve("firefly/draws.csv"), broken.resolve("draws.csv"));
    Files.writeString(broken.resolve("manifest.json"), "{\"data\": ");
    assertEquals(3, shell.run("compare", path("firefly"), path("broken")));
    assertTrue(shell.err().contains("broken/manifest.json cannot be read ("), shell.err());
    assertEquals(2, shell.run("compare", path("firefly")));
    assertTrue(shell.err().contains("at least 2"), shell.err());
    assertEquals(2, shell.run("compare", path("firefly"), path("firefly"), "--output", ""));
    assertTrue(shell.err().contains("cannot be an output folder's path"), shell.err());
  }
}
