package org.lampyris.driver.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lampyris.driver.run.Shell;
import org.lampyris.samplers.diagnostics.VariableSummary;

/** Random effects from a raw table to draws and effects. */
class MultilevelIT {
  private static final int GROUPS = 40;

  @TempDir private static Path folder;

  /** The intercept's effect of each group. */
  private static final double[] EFFECTS = new double[GROUPS];

  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void table() throws IOException {
    Random random = new Random(4);
    Random others = new Random(5);
    List<String> lines = new ArrayList<>(List.of("y,x,shop,day,customer"));
    double[] days = random.doubles(7, -1, 1).toArray();
    for (int j = 0; j < GROUPS; j++) {
      EFFECTS[j] = 1.2 * random.nextGaussian();
      double slope = 0.02 * random.nextGaussian();
      for (int i = 0; i < 5 + 3 * j; i++) {
        double x = 30 + 10 * random.nextGaussian();
        int day = random.nextInt(7);
        double eta = -1 + 0.03 * (x - 30) + EFFECTS[j] + slope * (x - 30) + days[day];
        int y = random.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
        int customer = others.nextInt(400);
        lines.add("%d,%s,shop %d,%d,%d".formatted(y, x - 30, j, day, customer));
      }
    }
    Files.write(folder.resolve("t.csv"), lines);
    for (String other : List.of("day", "customer")) {
      Files.writeString(
          folder.resolve(other + ".yaml"),
          """
          data: {input: %s, label: y, features: [x], block_rows: 256}
          model:
            random:
              - {group: shop, effects: ["(Intercept)", x]}
              - {group: %s, prior: {sd: "half_normal(0, 1)"}}
          sampler: {chains: 2, warmup: 120, draws: 150}
          """
              .formatted(folder.resolve("t.csv"), other));
    }
  }

  private void run(String output, String... settings) {
    run("day", output, List.of(settings));
  }

  private void run(String job, String output, List<String> settings) {
    List<String> all =
        new ArrayList<>(List.of("run", "--config", folder.resolve(job + ".yaml").toString()));
    all.addAll(List.of("--set", "output=" + folder.resolve(output)));
    for (String setting : settings) {
      all.addAll(List.of("--set", setting));
    }
    int exit = shell.run(all.toArray(String[]::new));
    assertTrue(exit == 0 || exit == 4, () -> exit + ": " + shell.err());
  }

  private static List<String[]> csv(String output, String file) throws IOException {
    Path path = folder.resolve(output).resolve(file);
    return CsvText.read(new Configuration(), new org.apache.hadoop.fs.Path(path.toString()));
  }

  /** Effects on the driver, and beside the rows, are those of one posterior. */
  @Test
  void effectsAreFoundWhereverTheyAre() throws IOException {
    run("shared");
    run("together", "data.group_by=shop", "sampler.multilevel.keep_draws=30");
    drawsAreKept("shared", 2 * 100); // by default
    drawsAreKept("together", 2 * 30);
    assertEquals(
        "[.chain, .iteration, .draw, lp__, (Intercept), x, sd_shop__Intercept, sd_shop__x,"
            + " cor_shop__Intercept__x, sd_day__Intercept]",
        List.of(csv("shared", "draws.csv").get(0)).toString());
    for (String output : List.of("shared", "together")) {
      int covered = 0;
      for (String[] row : csv(output, "effects/shop.csv")) {
        if (row[2].equals("Intercept")) {
          int shop = Integer.parseInt(row[1].substring("shop ".length()));
          assertEquals(5 + 3 * shop, Integer.parseInt(row[3]));
          boolean in =
              Double.parseDouble(row[6]) < EFFECTS[shop]
                  && EFFECTS[shop] < Double.parseDouble(row[8]);
          covered += in ? 1 : 0;
        }
      }
      // Of 40 independent intervals of 90 %, fewer than 28 cover with probability 10⁻⁴.
      assertTrue(covered >= 28, output + ": " + covered);
    }
    List<String[]> one = csv("shared", "effects/shop.csv");
    List<String[]> other = csv("together", "effects/shop.csv");
    for (int i = 1; i < one.size(); i++) {
      double sd = Double.parseDouble(one.get(i)[5]);
      double difference = Double.parseDouble(one.get(i)[4]) - Double.parseDouble(other.get(i)[4]);
      assertEquals(one.get(i)[0], other.get(i)[0]);
      // 2 × 150 draws, of which a few are worth one.
      assertTrue(Math.abs(difference) < 0.6 * sd, one.get(i)[0] + ": " + difference);
    }
  }

  /**
   * A year in place of a centred column: the same posterior at each x, in known and new shops. The
   * sd of intercepts at x = −2000 is some 60, far from where a search for it begins.
   */
  @ParameterizedTest
  @ValueSource(strings = {"multilevel", "firefly"})
  void whereAColumnHasItsZeroChangesNothing(String algorithm) throws IOException {
    Fitted near = fitted(algorithm, 0);
    Fitted far = fitted(algorithm, 2000);
    double error = Math.hypot(near.slopes.mixing().mcseMean(), far.slopes.mixing().mcseMean());
    assertEquals(near.slopes.mean(), far.slopes.mean(), 5 * error);
    assertEquals(22, near.predicted.size());
    for (int i = 0; i < near.predicted.size(); i++) {
      double tolerance = i < 20 ? 0.01 : 0.03; // new shops have other random numbers
      assertEquals(near.predicted.get(i), far.predicted.get(i), tolerance, "row " + i);
    }
  }

  /** sd_shop__x, and the expected response of rows of 11 shops, one of them new. */
  private record Fitted(VariableSummary slopes, List<Double> predicted) {}

  private Fitted fitted(String algorithm, int shift) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("t.csv"))) {
      String[] cells = line.split(",");
      cells[1] = lines.isEmpty() ? "x" : Double.toString(Double.parseDouble(cells[1]) + shift);
      lines.add(String.join(",", cells));
    }
    List<String> asked = new ArrayList<>(lines.subList(0, 1));
    for (int shop = 30; shop <= GROUPS; shop++) {
      asked.add("1,%d,shop %d,2,0".formatted(shift - 15, shop));
      asked.add("1,%d,shop %d,2,0".formatted(shift + 15, shop));
    }
    String output = algorithm + shift;
    Files.write(folder.resolve(output + ".csv"), lines);
    Files.write(folder.resolve(output + "-new.csv"), asked);
    run(
        output,
        "data.input=" + folder.resolve(output + ".csv"),
        "sampler.algorithm=" + algorithm,
        "sampler.warmup=300",
        "sampler.draws=2000",
        "sampler.multilevel.keep_draws=2000");
    int exit =
        shell.run(
            "predict",
            "--config",
            folder.resolve("day.yaml").toString(),
            "--set",
            "output=" + folder.resolve(output),
            "--draws",
            "4000",
            "--input",
            folder.resolve(output + "-new.csv").toString(),
            "--to",
            folder.resolve(output + "-p").toString());
    assertEquals(0, exit, shell::err);
    Configuration conf = new Configuration();
    Draws draws = RunOutput.open(conf, folder.resolve(output).toString()).draws();
    int at = draws.placesOf(List.of("sd_shop__x"))[0];
    try (SparkSession spark = spark()) {
      List<Double> predicted =
          spark
              .read()
              .parquet(folder.resolve(output + "-p/predictions").toString())
              .orderBy("shop", "x")
              .collectAsList()
              .stream()
              .map(row -> row.<Double>getAs(".mean"))
              .toList();
      return new Fitted(VariableSummary.of("sd", draws.values()[at]), predicted);
    }
  }

  private static SparkSession spark() {
    return SparkSession.builder()
        .master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate();
  }

  /** The draws of an effect are as many as are asked for, and about its mean. */
  private static void drawsAreKept(String output, int count) throws IOException {
    try (SparkSession spark = spark()) {
      String path = folder.resolve(output).resolve("effects/shop").toString();
      drawsAreKept(spark.read().parquet(path).collectAsList(), count);
    }
  }

  private static void drawsAreKept(List<Row> rows, int count) {
    assertEquals(2 * GROUPS, rows.size());
    for (Row row : rows) {
      assertEquals(count > 0, List.of(row.schema().fieldNames()).contains("draws"));
      if (count > 0) {
        List<Float> draws = row.getList(row.fieldIndex("draws"));
        assertEquals(count, draws.size());
        double mean = draws.stream().mapToDouble(x -> x).average().orElseThrow();
        double sd = row.<Double>getAs("sd");
        assertEquals(row.<Double>getAs("mean"), mean, sd);
      }
    }
  }

  /** Nor on whether jobs ask for the rows, which are few, or they are on the driver: 0. */
  @Test
  void drawsAndEffectsDoNotDependOnThePartitions() throws IOException {
    for (String plan : List.of("", "data.group_by=shop")) {
      same("day", plan, plan.isEmpty() ? new int[] {0, 8} : new int[] {0, 2, 8});
    }
  }

  /** A block has rows of few levels of the second grouping, and so has a partition. */
  @Test
  void norOnThemWithManyLevelsWhoseRowsDoNotLieTogether() throws IOException {
    same("customer", "data.group_by=shop", new int[] {0, 8});
  }

  private void same(String other, String plan, int[] partitions) throws IOException {
    String first = "";
    for (int p : partitions) {
      String output = other + p + plan.length();
      List<String> settings =
          new ArrayList<>(
              List.of(
                  "sampler.warmup=8",
                  "sampler.draws=6",
                  p == 0 ? "sampler.plan=auto" : "sampler.plan=stepwise",
                  "data.partitions=" + p));
      if (!plan.isEmpty()) {
        settings.add(plan);
      }
      run(other, output, settings);
      String all =
          Files.readString(folder.resolve(output).resolve("draws.csv"))
              + Files.readString(folder.resolve(output).resolve("effects/shop.csv"))
              + Files.readString(folder.resolve(output).resolve("effects/" + other + ".csv"));
      first = first.isEmpty() ? all : first;
      assertEquals(first, all);
    }
  }
}
