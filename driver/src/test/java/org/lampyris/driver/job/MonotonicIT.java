package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.driver.run.Shell;

/** Monotonic effects from a formula to the questions of a run. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MonotonicIT {
  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void write() throws IOException {
    Random random = new Random(4);
    double[] effect = {0, 0.2, 1.4, 1.6};
    String[] sizes = {"low", "mid", "high"};
    List<String> lines = new ArrayList<>(List.of("y,stage,x,size,g"));
    for (int n = 0; n < 600; n++) {
      int stage = 1 + random.nextInt(4);
      double x = random.nextGaussian();
      double eta = -1 + effect[stage - 1] + 0.5 * x;
      int y = random.nextDouble() * (1 + Math.exp(-eta)) < 1 ? 1 : 0;
      lines.add(y + "," + stage + "," + x + "," + sizes[random.nextInt(3)] + ",g" + n % 7);
    }
    Files.write(folder.resolve("table.csv"), lines);
    Files.write(folder.resolve("later.csv"), lines.subList(0, 200));
    Files.write(folder.resolve("another.csv"), List.of(lines.get(0), "1,5,0.5,low,g1"));
    Files.write(folder.resolve("new.csv"), List.of("stage,x", "1,0", "4,0.5"));
    Files.write(folder.resolve("beyond.csv"), List.of("stage,x", "1,0", "5,0.5"));
    Files.write(folder.resolve("gap.csv"), List.of("y,stage", "0,1", "1,2", "1,4", "0,4"));
    Files.write(folder.resolve("part.csv"), List.of("y,stage", "0,1", "1,2.5", "1,2"));
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static String[] run(String name, String table, String formula, String... settings) {
    return command("run", name, table, formula, settings).toArray(String[]::new);
  }

  private static List<String> command(
      String command, String name, String table, String formula, String... settings) {
    List<String> all = new ArrayList<>(List.of(command));
    List<String> keys =
        new ArrayList<>(
            List.of(
                "data.input=" + path(table),
                "model.family=logistic",
                "model.formula=" + formula,
                "output=" + path(name)));
    keys.addAll(List.of(settings));
    keys.forEach(key -> all.addAll(List.of("--set", key)));
    return all;
  }

  private static double[] column(String run, String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(run).resolve("draws.csv"));
    int at = List.of(lines.get(0).split(",", -1)).indexOf(name);
    assertTrue(at >= 0, name + " in " + lines.get(0));
    return lines.stream()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[at]))
        .toArray();
  }

  @Test
  @Order(1)
  void aRunReportsTheSlopeTheSimplexAndTheSteps() throws IOException {
    shell.samples(
        run(
            "a",
            "table.csv",
            "y ~ mo(stage) + x",
            "sampler.algorithm=firefly",
            "model.priors.simo_mostage1=dirichlet(2)",
            "sampler.draws=500"));
    double[] slope = column("a", "bsp_mostage");
    double[] sum = new double[slope.length];
    for (int k = 1; k <= 3; k++) {
      double[] share = column("a", "simo_mostage1[" + k + "]");
      double[] step = column("a", "mostage[" + (k + 1) + "]");
      for (int i = 0; i < slope.length; i++) {
        sum[i] += share[i];
        assertEquals(step[i], 3 * slope[i] * share[i], 1e-9);
      }
    }
    assertEquals(1, Arrays.stream(sum).min().orElseThrow(), 1e-9);
    assertEquals(1, Arrays.stream(sum).max().orElseThrow(), 1e-9);
    double mean = Arrays.stream(slope).average().orElseThrow();
    assertEquals(1.6 / 3, mean, 0.25);
    String summary = Files.readString(folder.resolve("a/summary.csv"));
    assertTrue(summary.contains("bsp_mostage"), summary);
  }

  @Test
  @Order(2)
  void questionsOfTheRunKnowIt() throws IOException {
    shell.succeeds("report", path("a"));
    shell.succeeds("hypothesis", "--run", path("a"), "bsp_mostage > 0");
    shell.succeeds("loo", path("a"));
    shell.succeeds(predict("new.csv"));
    shell.run(predict("beyond.csv"));
    String said = shell.out() + shell.err();
    assertTrue(said.contains("have no prediction"), said);
  }

  private static String[] predict(String rows) {
    List<String> all =
        command("predict", "a", "table.csv", "y ~ mo(stage) + x", "sampler.algorithm=firefly");
    all.addAll(List.of("--set", "model.priors.simo_mostage1=dirichlet(2)"));
    all.addAll(List.of("--input", path(rows), "--to", path("predicted-" + rows)));
    return all.toArray(String[]::new);
  }

  /** The rows are those of the earlier table once more: the posterior narrows. */
  @Test
  @Order(3)
  void laterRowsHaveTheLevelsOfTheEarlierOnes() throws IOException {
    shell.samples(update("later.csv"));
    assertTrue(sd(column("updated-later.csv", "bsp_mostage")) < sd(column("a", "bsp_mostage")));
    assertEquals(3, shell.run(update("another.csv")), shell.err());
    assertTrue(
        shell.err().contains("'5', and the earlier table has levels from '1' to '4'"), shell.err());
  }

  private static String[] update(String rows) {
    return new String[] {
      "update",
      "--from",
      path("a"),
      "--set",
      "data.input=" + path(rows),
      "--set",
      "output=" + path("updated-" + rows)
    };
  }

  private static double sd(double[] draws) {
    double mean = Arrays.stream(draws).average().orElseThrow();
    double square = Arrays.stream(draws).map(x -> x * x).average().orElseThrow();
    return Math.sqrt(square - mean * mean);
  }

  @Test
  @Order(3)
  void itStandsBesideGroupsAndOrderedText() throws IOException {
    shell.samples(
        run(
            "mhss",
            "table.csv",
            "y ~ mo(ordered(size, levels = c(\"low\", \"mid\", \"high\"))) + mo(stage) + (1 | g)",
            "sampler.algorithm=mhss",
            "sampler.kernel=random-walk",
            "sampler.warmup=300",
            "sampler.draws=300"));
    for (String name :
        List.of(
            "bsp_mosize", "simo_mosize1[2]", "mosize[high]", "bsp_mostage", "sd_g__Intercept")) {
      assertTrue(Arrays.stream(column("mhss", name)).allMatch(Double::isFinite), name);
    }
  }

  /** The slope of x, too, changes in one direction: its product has a simplex of its own. */
  @Test
  @Order(3)
  void aResumedRunHasTheDrawsOfAStraightOne() throws IOException {
    String[] settings = {
      "sampler.algorithm=firefly",
      "sampler.warmup=60",
      "sampler.draws=40",
      "model.priors.\"bsp_mostage:x\"=normal(0, 0.5)",
      "model.priors.\"simo_mostage:x1\"=dirichlet(2)"
    };
    String formula = "y ~ mo(stage) * x";
    shell.samples(run("straight", "table.csv", formula, settings));
    settings[2] = "sampler.draws=15";
    shell.samples(run("halted", "table.csv", formula, settings));
    settings[2] = "sampler.draws=40";
    List<String> resumed = command("sample", "halted", "table.csv", formula, settings);
    resumed.add("--resume");
    shell.samples(resumed.toArray(String[]::new));
    assertEquals(
        Files.readString(folder.resolve("straight/draws.csv")),
        Files.readString(folder.resolve("halted/draws.csv")));
    double[] slope = column("straight", "bsp_mostage:x");
    double[] share = column("straight", "simo_mostage:x1[2]");
    double[] step = column("straight", "mostage[3]:x");
    for (int i = 0; i < slope.length; i++) {
      assertEquals(step[i], 3 * slope[i] * share[i], 1e-9);
    }
    assertEquals(0, Arrays.stream(slope).average().orElseThrow(), 0.4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gap.csv | y ~ mo(stage) | x=y | no row has a number between 2 and 4",
        "part.csv | y ~ mo(stage) | x=y | mo(stage) in model.formula: '2.5' is no whole number (first: ",
        "table.csv | y ~ mo(stage) | sampler.algorithm=sgld | sampler.algorithm: sgld does not draw mo(x)",
        "table.csv | y ~ mo(stage) | sampler.algorithm=mhss | Set sampler.kernel: random-walk",
        "table.csv | y ~ mo(stage) | model.priors.simo_mostage1=dirichlet(1, 2) | is a simplex of 3 elements",
        "table.csv | y ~ x + mo(stage) | model.priors.x=dirichlet(1) | which is for the simplex of mo(x)",
      })
  @Order(4)
  void whatCannotBeDrawnIsRefused(String table, String formula, String setting, String message) {
    String[] settings = setting.equals("x=y") ? new String[0] : new String[] {setting};
    int exit = shell.run(run("refused", table, formula, settings));
    assertTrue(exit == 2 || exit == 3, shell.err());
    assertTrue(shell.err().contains(message), shell.err());
  }
}
