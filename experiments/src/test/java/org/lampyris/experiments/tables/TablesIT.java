package org.lampyris.experiments.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;

/** Two jobs of 60 rows by two algorithms; one asks for a bound that its family has not. */
class TablesIT {
  private static final int ROWS = 60;

  @TempDir Path folder;
  private String errors = "";

  private int tables(String... more) {
    List<String> args = new ArrayList<>(List.of("tables", "--jobs", folder.toString()));
    args.addAll(List.of("--output", folder.resolve("out").toString()));
    args.addAll(Arrays.asList(more));
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
              .execute(args.toArray(String[]::new));
      errors = err.toString();
      return exit;
    } finally {
      System.clearProperty("spark.master");
      System.clearProperty("spark.ui.enabled");
    }
  }

  private void job(String name, String family) throws IOException {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>(List.of("y,x"));
    for (int n = 0; n < ROWS; n++) {
      double x = random.nextGaussian();
      lines.add((random.nextGaussian() < x ? 1 : 0) + "," + x);
    }
    Path table = Files.write(folder.resolve(name + ".csv"), lines);
    Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        data: {input: "%s", label: y}
        model: {family: %s}
        sampler: {chains: 2, warmup: 200, draws: 300, firefly: {bound: map-tuned}}
        """
            .formatted(table, family));
  }

  @Test
  void everyJobIsRunByEveryAlgorithmBesideItsReference() throws IOException {
    job("first", "logistic");
    job("second", "probit");
    // Means far off in one variable of the first, and none of the second.
    Files.writeString(
        folder.resolve("first.reference.csv"),
        "variable,mean,sd,mcse_mean,mcse_sd\n\"x\",100,1,0.1,0.1\n");
    assertEquals(0, tables("--algorithms", "auto,firefly"), () -> errors);
    List<String[]> rows =
        Files.readAllLines(folder.resolve("out/" + TablesReport.CSV)).stream()
            .map(line -> line.split(",", 18))
            .toList();
    List<String> header = List.of(rows.get(0));
    assertEquals(1 + 4, rows.size());
    assertEquals(
        List.of(
            "first auto metropolis", "first firefly firefly", "second auto ", "second firefly "),
        rows.subList(1, 5).stream()
            .map(cells -> cells[0] + " " + cells[1] + " " + cells[header.indexOf("algorithm")])
            .toList());
    for (String[] cells : rows.subList(1, 3)) {
      assertEquals("60", cells[header.indexOf("rows")]);
      assertTrue(Double.parseDouble(cells[header.indexOf("ess_min")]) > 20, cells[0]);
      assertTrue(Double.parseDouble(cells[header.indexOf("rhat_max")]) < 1.2, cells[0]);
    }
    assertTrue(Double.parseDouble(rows.get(1)[header.indexOf("apart_in_mcse")]) > 100);
    assertEquals(100, Double.parseDouble(rows.get(1)[header.indexOf("apart_in_sd")]), 5);
    assertEquals("false", rows.get(1)[header.indexOf("passes")]);
    String shown = Files.readString(folder.resolve("out/" + TablesReport.MARKDOWN));
    assertTrue(shown.contains("reference"), shown);
    assertTrue(shown.contains("0 of 4 pass"), shown);
    // What cannot be run says why, and the others go on.
    for (String[] cells : rows.subList(3, 5)) {
      assertEquals("NaN", cells[header.indexOf("ess_min")]);
      assertTrue(cells[17].contains("no bound that holds everywhere"), cells[17]);
    }
    assertTrue(Files.exists(folder.resolve("out/first/auto/summary.csv")));
    assertEquals(2, tables(), "what is there is not replaced");
    assertEquals(2, tables("--overwrite", "--only", "third"));
    assertTrue(errors.contains("there is no job"), errors);
  }
}
