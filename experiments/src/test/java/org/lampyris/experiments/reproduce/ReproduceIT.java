package org.lampyris.experiments.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;

/** An experiment of two rows on a small table, through the command line. */
class ReproduceIT {
  private static final int ROWS = 300;

  @TempDir Path folder;
  private String errors = "";

  private Path experiment() throws IOException {
    Random random = new Random(8);
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < ROWS; n++) {
      double x = random.nextGaussian();
      lines.add(String.format(Locale.ROOT, "%d,%.6f", x + random.nextGaussian() > 0 ? 1 : 0, x));
    }
    Files.write(folder.resolve("small.csv"), lines);
    return Files.writeString(
        folder.resolve("small.yaml"),
        """
        title: "A small table"
        file: small.csv
        configuration:
          data: {label: y}
          model: {family: logistic, prior: "normal(0, 2)"}
          sampler: {chains: 2, warmup: 300, draws: 5000, kernel: random-walk, seed: 2}
        rows:
          - {name: "All rows", set: [sampler.algorithm=metropolis]}
          - {name: "Firefly", set: [sampler.algorithm=firefly]}
        quick: [sampler.draws=400]
        """);
  }

  private int lampyris(String... args) {
    System.setProperty("spark.master", "local[2]");
    System.setProperty("spark.ui.enabled", "false");
    try {
      StringWriter err = new StringWriter();
      int exit =
          new CommandLineInterface(
                  new Steps(),
                  new PrintWriter(new StringWriter()),
                  new PrintWriter(err),
                  Progress::onStandardError)
              .execute(args);
      errors = err.toString();
      return exit;
    } finally {
      System.clearProperty("spark.master");
      System.clearProperty("spark.ui.enabled");
    }
  }

  @Test
  void rowsAreComparedOnOnePreparedTable() throws IOException {
    String file = experiment().toString();
    String output = folder.resolve("out").toString();
    String[] command = {
      "reproduce", file, "--data", folder.toString(), "--output", output, "--quick"
    };
    assertEquals(0, lampyris(command), () -> errors);
    List<String> csv = Files.readAllLines(folder.resolve("out/table.csv"));
    assertEquals(3, csv.size());
    String[] all = csv.get(1).split(",", -1);
    String[] firefly = csv.get(2).split(",", -1);
    assertEquals("\"All rows\"", all[0]);
    assertEquals("800", all[1], "--quick");
    assertEquals(ROWS, Double.parseDouble(all[2]));
    assertTrue(Double.parseDouble(firefly[2]) < ROWS, csv::toString);
    // The larger of two differences of means, and of log sds, in standard errors.
    assertTrue(Double.parseDouble(firefly[11]) < 5, csv::toString);
    assertTrue(Double.parseDouble(firefly[13]) < 5, csv::toString);
    assertTrue(Files.readString(folder.resolve("out/table.md")).contains("| Firefly |"));
    assertTrue(Files.exists(folder.resolve("out/firefly/draws.csv")));
    assertEquals(2, lampyris(command));
    assertTrue(errors.contains("already holds table.md"), errors);
  }

  /** A normal distribution's two parameters: all rows and Firefly are near the grid's posterior. */
  @Test
  void tablesAreMadeAndDrawsHeldAgainstQuadrature() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("made.yaml"),
            """
            title: "Made"
            tables:
              one: {kind: normal, rows: 200, seed: 1}
              other: {kind: lognormal, rows: 100, seed: 1}
            measure: {total_variation: true}
            configuration:
              data: {label: y}
              model: {family: gaussian, sigma: flat, prior: flat}
              sampler: {chains: 2, warmup: 300, draws: 4000, kernel: hmc, seed: 2, lp: never}
            rows:
              - {name: "All rows", set: [sampler.algorithm=metropolis]}
              - {name: "Firefly", set: [sampler.algorithm=firefly]}
            """);
    String output = folder.resolve("made").toString();
    assertEquals(0, lampyris("reproduce", file.toString(), "--output", output), () -> errors);
    assertEquals(201, Files.readAllLines(folder.resolve("made/tables/one.csv")).size());
    for (String table : List.of("one", "other")) {
      List<String> csv = Files.readAllLines(folder.resolve("made/" + table + "/table.csv"));
      List<String> names = List.of(csv.get(0).split(",", -1));
      for (String line : csv.subList(1, 3)) {
        String[] cells = line.split(",", -1);
        double distance = Double.parseDouble(cells[names.indexOf("total_variation")]);
        double exact = Double.parseDouble(cells[names.indexOf("total_variation_of_exact_draws")]);
        assertTrue(exact > 0.01 && exact < 0.3, csv::toString);
        assertTrue(distance < 1.3 * exact, csv::toString);
      }
    }
  }

  /** Shards of a normal posterior combine to it; those that are groups far apart do not. */
  @Test
  void shardsAreCombinedFromWhatAnEarlierRowKept() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("shards.yaml"),
            """
            title: "Shards"
            tables:
              linear: {kind: linear, rows: 900, seed: 1, set: [model.sigma=1]}
              groups:
                kind: groups
                rows: 900
                seed: 1
                set: [model.sigma=flat, data.group_by=g, data.block_rows=50, sampler.shards.from=input]
            configuration:
              data: {label: y, standardize: none}
              model: {family: gaussian, prior: flat, intercept_at: zero}
              sampler: {algorithm: shards, chains: 2, warmup: 200, draws: 1500, seed: 2, lp: never,
                        shards: {count: 3}}
            rows:
              - {name: "All rows", set: [sampler.algorithm=metropolis]}
              - {name: "Consensus", set: []}
              - {name: "Product", from: "Consensus", set: [sampler.shards.combine=gaussian-product]}
            """);
    String output = folder.resolve("shards").toString();
    assertEquals(0, lampyris("reproduce", file.toString(), "--output", output), () -> errors);
    for (String table : List.of("linear", "groups")) {
      List<String> csv = Files.readAllLines(folder.resolve("shards/" + table + "/table.csv"));
      assertEquals(0, Double.parseDouble(csv.get(3).split(",", -1)[2]), "nothing is sampled");
      for (String line : csv.subList(2, 4)) {
        String[] cells = line.split(",", -1);
        double means = Double.parseDouble(cells[11]);
        double sds = Double.parseDouble(cells[13]);
        assertEquals(table.equals("linear"), Math.max(means, sds) < 5, csv::toString);
      }
    }
  }

  /** The signals' sources are found; the same table, and the same draws, on more partitions. */
  @Test
  void signalsAreMadeAndUnmixed() throws IOException {
    String[] folders = {"signals", "again"};
    for (String output : folders) {
      String partitions = "data.partitions=" + (output.equals("again") ? 3 : 0);
      String out = folder.resolve(output).toString();
      assertEquals(
          0,
          lampyris(
              "reproduce", "ica", "--quick", "--rows", "1,4", "--output", out, "--set", partitions),
          () -> errors);
    }
    for (String file : List.of("risk.csv", "designs.csv", "austerity-m-600-0-2/draws.csv")) {
      assertEquals(
          Files.readString(folder.resolve("signals").resolve(file)),
          Files.readString(folder.resolve("again").resolve(file)),
          file);
    }
    List<String> risk = Files.readAllLines(folder.resolve("signals/risk.csv"));
    assertEquals(1 + 2 * 4, risk.size());
    // Sources in equal parts would have a distance of 1; 4000 rows leave some hundredths.
    assertTrue(Double.parseDouble(risk.get(1).split(",", -1)[3]) < 0.1, risk::toString);
    List<String> designs = Files.readAllLines(folder.resolve("signals/designs.csv"));
    for (String design : designs.subList(1, designs.size())) {
      String[] cells = design.split(",(?=[^ ])", -1);
      double wrong = Double.parseDouble(cells[cells.length - 2]);
      double use = Double.parseDouble(cells[cells.length - 1]);
      assertTrue(wrong < 0.2 && use > 0 && use < 1, design);
    }
  }

  @Test
  void aRandomFieldNeedsNoTable() throws IOException {
    String out = folder.resolve("mrf").toString();
    assertEquals(0, lampyris("reproduce", "mrf", "--quick", "--output", out), () -> errors);
    assertTrue(Files.readString(folder.resolve("mrf/table.md")).contains("wrong decisions"));
    assertEquals(2, lampyris("reproduce", "mrf", "--quick", "--output", out));
    assertTrue(errors.contains("already holds table.md"), errors);
  }

  @Test
  void whatIsWrongIsToldBeforeAnythingRuns() throws IOException {
    String file = experiment().toString();
    String data = folder.toString();
    assertEquals(2, lampyris("reproduce", file));
    assertTrue(errors.contains("needs --data"), errors);
    assertEquals(2, lampyris("reproduce", "mnits", "--data", data));
    assertTrue(errors.contains("no experiment \"mnits\". Name one of mnist, cifar3"), errors);
    assertEquals(2, lampyris("reproduce", file, "--data", data, "--rows", "3"));
    assertTrue(errors.contains("rows 1 to 2"), errors);
    String other = Files.readString(Path.of(file)).replace("=firefly]", "=firefly], versus: None");
    Path wrong = Files.writeString(folder.resolve("wrong.yaml"), other);
    assertEquals(2, lampyris("reproduce", wrong.toString(), "--data", data));
    assertTrue(errors.contains("there is no row None"), errors);
    assertEquals(2, lampyris("reproduce", file, "--data", data, "--set", "sampler.drwas=1"));
    assertTrue(errors.contains("nearest known key is \"draws\""), errors);
  }
}
