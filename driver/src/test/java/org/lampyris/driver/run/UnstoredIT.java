package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.ExitCode;

/** Runs that store no rows. */
class UnstoredIT {
  private static final String UNSTORED = "prepared=none";

  @TempDir Path folder;

  private final Shell shell = new Shell("local[2]");

  @BeforeEach
  void table() throws IOException {
    try (SparkSession spark = session()) {
      rows(spark).write().parquet(folder.resolve("table").toString());
    }
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .getOrCreate();
  }

  private static Dataset<Row> rows(SparkSession spark) {
    return spark
        .range(0, 20_000, 1, 2)
        .selectExpr(
            "sin(id * 0.7) AS a",
            "100 + cos(id * 1.3 * id) AS b",
            "IF(sin(17.0 * id) < 0.5 * sin(id * 0.7), 1, 0) AS y");
  }

  private void csv(Dataset<Row> rows, String name) {
    rows.write().option("header", true).csv(folder.resolve(name).toString());
  }

  private String job(String algorithm) throws IOException {
    return Files.writeString(
            folder.resolve(algorithm + ".yaml"),
            """
            data: {input: "%s/table", label: y, standardize: unit}
            model: {family: logistic, prior: "normal(0, 1)"}
            sampler: {algorithm: %s, chains: 2, warmup: 60, draws: 100, checkpoint_minutes: 0.00001}
            """
                .formatted(folder, algorithm))
        .toString();
  }

  private String to(String output) {
    return "output=" + folder.resolve(output);
  }

  private String draws(String output) throws IOException {
    return Files.readString(folder.resolve(output).resolve("draws.csv"));
  }

  private String report(String output) throws IOException {
    return Files.readString(folder.resolve(output).resolve("report.html"));
  }

  private static String checked(String report) {
    int from = report.indexOf("<section id=\"checks\"");
    return report.substring(from, report.indexOf("</section>", from));
  }

  @Test
  void drawsAreThoseOfRowsThatAreStored() throws IOException {
    for (String algorithm : new String[] {"auto", "metropolis"}) {
      String job = job(algorithm);
      shell.samples("run", "--config", job, "--set", to("stored-" + algorithm));
      shell.samples("run", "--config", job, "--set", to(algorithm), "--set", UNSTORED);
      assertEquals(draws("stored-" + algorithm), draws(algorithm));
      assertEquals("schema.json", Shell.files(folder.resolve(algorithm + "/prepared")));
      // The run checks the model while it has the rows, a later report cannot.
      String checks = "Posterior predictive checks of y on";
      assertTrue(report(algorithm).contains(checks));
      assertEquals(checked(report("stored-" + algorithm)), checked(report(algorithm)));
      shell.succeeds("report", folder.resolve(algorithm).toString());
      assertTrue(
          report(algorithm)
              .contains(
                  "Not checked: " + folder.resolve(algorithm + "/prepared") + " has a schema"));
    }
  }

  /** CSV is stored as numbers that stand for columns, Parquet as columns. */
  @Test
  void smoothsHaveTheSameDrawsHoweverTheyAreStored() throws IOException {
    try (SparkSession spark = session()) {
      csv(rows(spark), "table.csv");
      csv(rows(spark).limit(1_000).coalesce(1), "later.csv");
    }
    List<String> looks = new ArrayList<>();
    String[] commands = {"numbers", "table.csv", "columns", "table", "memory", "table"};
    for (int k = 0; k < commands.length; k += 2) {
      String job =
          Files.writeString(
                  folder.resolve(commands[k] + ".yaml"),
                  """
                  data: {input: "%s/%s", storage: float}
                  model: {formula: "y ~ s(a, k = 6) + b"}
                  sampler: {algorithm: firefly, chains: 2, warmup: 60, draws: 100}
                  output: "%1$s/%s"
                  """
                      .formatted(folder, commands[k + 1], commands[k]))
              .toString();
      String prepared = k < 4 ? "data.partitions=0" : UNSTORED;
      shell.samples("run", "--config", job, "--set", prepared);
      assertEquals(draws("numbers"), draws(commands[k]));
    }
    assertTrue(schema("numbers").contains("\"curves\""));
    assertFalse(schema("columns").contains("\"curves\""));
    for (String from : new String[] {"numbers", "columns"}) {
      shell.samples(
          "update",
          "--from",
          folder.resolve(from).toString(),
          "--set",
          "data.input=" + folder.resolve("later.csv"),
          "--set",
          to("later-" + from));
      shell.succeeds(
          "predict",
          "--config",
          folder.resolve(from + ".yaml").toString(),
          "--input",
          folder.resolve("later.csv").toString(),
          "--to",
          folder.resolve("predicted-" + from).toString());
      String predicted = shell.out().replace("predicted-" + from, "");
      shell.succeeds("loo", folder.resolve(from).toString());
      looks.add(predicted + shell.out().replace(folder.resolve(from).toString(), ""));
    }
    assertEquals(draws("later-numbers"), draws("later-columns"));
    assertEquals(looks.get(0), looks.get(1));
  }

  private String schema(String output) throws IOException {
    return Files.readString(folder.resolve(output + "/prepared/schema.json"));
  }

  @Test
  void aRunGoesOnFromRowsThatAreMadeAnew() throws IOException {
    String job = job("firefly");
    shell.samples("run", "--config", job, "--set", to("long"), "--set", "sampler.draws=150");
    shell.samples("run", "--config", job, "--set", to("short"), "--set", UNSTORED);
    assertFalse(draws("long").equals(draws("short")));
    String[] more = {
      "run", "--config", job, "--resume", "--set", to("short"), "--set", "sampler.draws=150"
    };
    String[] others = new String[more.length + 4];
    System.arraycopy(more, 0, others, 0, more.length);
    others[more.length] = "--set";
    others[more.length + 1] = UNSTORED;
    others[more.length + 2] = "--set";
    others[more.length + 3] = "data.partitions=1";
    assertEquals(ExitCode.USAGE, shell.run(others));
    assertTrue(shell.err().contains("Set data.partitions to 2"), shell.err());
    others[more.length + 3] = "data.partitions=0";
    shell.samples(others);
    assertEquals(draws("long"), draws("short"));
  }

  @Test
  void whatNeedsRowsSaysSo() throws IOException {
    String job = job("firefly");
    for (String command : new String[] {"prepare", "precompute", "sample"}) {
      refused(
          "\"" + command + "\"",
          ExitCode.USAGE,
          command,
          "--config",
          job,
          "--set",
          to("o"),
          "--set",
          UNSTORED);
    }
    String query = "data.query=SELECT a, y FROM input LATERAL VIEW explode(array(1)) e AS one";
    refused(
        "prepared: none needs a table in Parquet",
        ExitCode.USAGE,
        "run",
        "--config",
        job,
        "--set",
        to("o"),
        "--set",
        UNSTORED,
        "--set",
        query);
    Path csv = Files.writeString(folder.resolve("t.csv"), "y,a\n1,0.5\n0,broken\n");
    List<String> lines = new ArrayList<>();
    shell.told(lines::add);
    refused(
        "prepared: none needs a table in Parquet",
        ExitCode.USAGE,
        "run",
        "--config",
        job,
        "--set",
        to("o"),
        "--set",
        UNSTORED,
        "--set",
        "data.input=" + csv);
    assertFalse(lines.toString().contains("reading"), "rows were read: " + lines);
    assertFalse(Files.exists(folder.resolve("o")), "nothing is left");
    shell.samples("run", "--config", job, "--set", to("o"), "--set", UNSTORED);
    String output = folder.resolve("o").toString();
    refused("has a schema but no rows", ExitCode.DATA, "loo", output);
    refused(
        "rows were not stored",
        ExitCode.USAGE,
        "update",
        "--from",
        output,
        "--set",
        to("later"),
        "--set",
        "data.input=" + folder.resolve("table"));
    shell.succeeds(
        "predict",
        "--config",
        job,
        "--set",
        to("o"),
        "--set",
        UNSTORED,
        "--input",
        folder.resolve("table").toString(),
        "--to",
        folder.resolve("predicted").toString());
  }

  private void refused(String because, int code, String... command) {
    assertEquals(code, shell.run(command), shell.err());
    assertTrue(shell.err().contains(because), shell.err());
  }
}
