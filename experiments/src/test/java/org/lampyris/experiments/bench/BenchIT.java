package org.lampyris.experiments.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;

/** The benchmark of a tiny table, through the command line. */
class BenchIT {
  @TempDir Path folder;
  private String errors = "";
  private String printed = "";

  private int bench(String... more) {
    List<String> args = new ArrayList<>(List.of("bench", "--quick"));
    args.addAll(List.of("--rows", "2000", "--features", "2", "--chains", "2", "--warmup", "50"));
    args.addAll(List.of("--work", folder.resolve("work").toString()));
    args.addAll(List.of("--output", folder.resolve("out").toString()));
    args.addAll(Arrays.asList(more));
    System.setProperty("spark.master", "local[2]");
    System.setProperty("spark.ui.enabled", "false");
    try {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int exit =
          new CommandLineInterface(
                  new Steps(),
                  new PrintWriter(out),
                  new PrintWriter(err),
                  Progress::onStandardError)
              .execute(args.toArray(String[]::new));
      errors = err.toString();
      printed = out.toString();
      return exit;
    } finally {
      System.clearProperty("spark.master");
      System.clearProperty("spark.ui.enabled");
    }
  }

  /** Returns the lines of a file, each by the names of its columns. */
  private List<Map<String, String>> csv(String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("out").resolve(name));
    String[] header = lines.get(0).split(",", -1);
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1);
      assertEquals(header.length, cells.length, line);
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < cells.length; i++) {
        row.put(header[i], cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }

  private static double number(Map<String, String> row, String column) {
    return Double.parseDouble(row.get(column));
  }

  @Test
  void aTinyTableIsMeasured() throws IOException {
    assertEquals(0, bench("--draws", "400", "--algorithms", "firefly"), () -> errors);
    List<Map<String, String>> rows = csv("rows.csv");
    assertEquals(
        List.of("\"firefly, hmc\"", "\"full data, random-walk\"", "\"full data, hmc\""),
        rows.stream().map(row -> row.get("sampler")).toList());
    Map<String, String> firefly = rows.get(0);
    assertEquals("800", firefly.get("iterations"));
    assertEquals("50", firefly.get("warmup"));
    assertTrue(number(firefly, "evaluations_per_iteration") < 2000, firefly::toString);
    assertEquals(2000, number(rows.get(1), "evaluations_per_iteration"));
    for (Map<String, String> row : rows) {
      assertEquals("\"\"", row.get("remark"), row::toString);
      double seconds = number(row, "sample_seconds");
      assertEquals(
          number(row, "iterations") / seconds,
          number(row, "iterations_per_second"),
          1e-6,
          row::toString);
      assertTrue(number(row, "ess_per_second_min") > 0, row::toString);
      assertTrue(number(row, "ess_min") <= number(row, "ess_median"), row::toString);
      assertTrue(number(row, "warmup_seconds") > 0, row::toString);
    }
    Map<String, String> baselines = csv("baselines.csv").get(0);
    // Three columns and the response.
    assertEquals(2000 * 4 * 8, number(baselines, "bytes"));
    for (String column :
        List.of("empty_jobs_per_second", "stream_bytes_per_second", "precompute_seconds")) {
      assertTrue(number(baselines, column) > 0, column);
    }
    assertTrue(number(baselines, "precompute_passes") >= 2);
    assertTrue(printed.contains("| full data, hmc | 2 × "), printed);
    assertEquals(2, bench());
    assertTrue(errors.contains("already holds bench.md"), errors);
  }

  @Test
  void aGeneratedTableIsFoundAgainUnlessItWouldBeAnother() throws IOException {
    String[] command = {"--draws", "20", "--no-full-data", "--overwrite"};
    assertEquals(0, bench(command), () -> errors);
    Path table = folder.resolve("work/2000-rows-2-features");
    assertFalse(Files.exists(table.resolve("generated")));
    Object first = Files.readAttributes(table.resolve("prepared"), "*").get("fileKey");
    assertEquals(0, bench(command), () -> errors);
    assertEquals(first, Files.readAttributes(table.resolve("prepared"), "*").get("fileKey"));
    String[] other = Arrays.copyOf(command, 6);
    other[4] = "--set";
    other[5] = "generate.correlation=0.5";
    assertEquals(0, bench(other), () -> errors);
    assertNotEquals(first, Files.readAttributes(table.resolve("prepared"), "*").get("fileKey"));
    String prepared = table.resolve("prepared").toString();
    assertEquals(0, bench("--data", prepared, "--no-full-data", "--min-ess", "5", "--overwrite"));
    assertTrue(number(csv("rows.csv").get(0), "ess_min") >= 5);
  }

  @Test
  void whatIsWrongIsToldBeforeAnythingRuns() {
    assertEquals(2, bench("--algorithms", "firefly,mtropolis"));
    assertTrue(errors.contains("did you mean \"metropolis\"?"), errors);
    assertEquals(2, bench("--targets", "1,7"));
    assertTrue(errors.contains("\"7\" is no target"), errors);
    assertEquals(2, bench("--draws", "10", "--seconds", "3"));
    assertTrue(errors.contains("Give one of them"), errors);
    assertFalse(Files.exists(folder.resolve("work")));
  }

  @Test
  void clustersAreSimulated() throws IOException {
    int exit =
        bench("--simulate", "--rows", "1000,2000,4000", "--workers", "2,50", "--task-ms", "3");
    assertEquals(0, exit, errors);
    assertTrue(printed.contains("Compared with 4,000 rows"), printed);
    assertTrue(printed.contains("50 × 16 cores"), printed);
    List<Map<String, String>> rows = csv("simulation.csv");
    assertEquals(2 * 6 * 3, rows.size(), "clusters × sizes × phases");
    for (Map<String, String> row : rows) {
      assertTrue(Double.parseDouble(row.get("seconds")) > 0, row.toString());
    }
    assertEquals("100000000000", rows.get(rows.size() - 1).get("rows"));
    Files.move(folder.resolve("out"), folder.resolve("done"));
    assertEquals(2, bench("--simulate", "--rows", "1000,2000"));
    assertTrue(errors.contains("three different --rows"), errors);
  }

  /**
   * Nine processes of Java, and so more than a minute: {@code -Dlampyris.validation=all} has it.
   */
  @Test
  @EnabledIfSystemProperty(named = "lampyris.validation", matches = "all")
  void wholeProcessesAreTimedBesideSparkAlone() throws IOException {
    assertEquals(0, bench("--processes"), () -> errors);
    List<Map<String, String>> timed = csv("processes.csv");
    assertEquals(
        List.of("prepare", "run", "sample", "summarize"),
        timed.stream().map(of -> of.get("what")).filter(w -> !w.startsWith("Spark")).toList());
    assertEquals(8, timed.size());
    for (Map<String, String> of : timed) {
      assertTrue(Double.parseDouble(of.get("seconds")) > 0, of.toString());
    }
    assertTrue(printed.contains("× *Spark reads and writes the table* | at most 1.5 |"), printed);
  }
}
