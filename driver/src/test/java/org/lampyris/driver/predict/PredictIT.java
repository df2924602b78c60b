package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.run.Shell;

/** Predictions through the command line against plain loops over the draws that were written. */
class PredictIT {
  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    Random random = new Random(3);
    List<String> lines = new ArrayList<>(List.of("age,city,exposure,visits,mood"));
    for (int i = 0; i < 600; i++) {
      double age = 40 + 10 * random.nextGaussian();
      String city = List.of("Lima", "Oslo", "Rome").get(random.nextInt(3));
      double eta = -1 + 0.03 * age + (city.equals("Oslo") ? 0.5 : 0);
      int visits = 0;
      for (double t = -Math.log(random.nextDouble());
          t < Math.exp(eta);
          t -= Math.log(random.nextDouble())) {
        visits++;
      }
      String mood = List.of("bad", "fair", "good").get(random.nextInt(3));
      lines.add(age + "," + city + "," + random.nextDouble() + "," + visits + "," + mood);
    }
    Files.write(folder.resolve("table.csv"), lines);
    Files.writeString(
        folder.resolve("new.csv"),
        "id,age,city,exposure\n7,35.5,Oslo,0.25\n8,50,Lima,-1\n9,,Lima,0\n10,44,Paris,0\n");
    Shell shell = new Shell("local[2]");
    shell.run(command("run", "poisson", "visits", "model.offset=exposure"));
    shell.run(command("run", "softmax", "mood", "data.features=[age, city]"));
    shell.run(
        command(
            "run",
            "poisson",
            "visits",
            "model.offset=exposure",
            "data.features=[age]",
            "output=" + folder.resolve("small")));
  }

  private static String[] command(String name, String family, String label, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table.csv"),
                "data.label=" + label,
                "data.features=[age, city]",
                "model.family=" + family,
                "sampler.warmup=100",
                "sampler.draws=100",
                "output=" + folder.resolve(family)));
    all.addAll(List.of(more));
    List<String> command = new ArrayList<>(List.of(name));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  private static String[] predict(String family, String label, String to, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                family.equals("poisson")
                    ? command("predict", family, label, "model.offset=exposure")
                    : command("predict", family, label)));
    command.addAll(List.of("--input", folder.resolve("new.csv").toString()));
    command.addAll(List.of("--to", folder.resolve(to).toString()));
    command.addAll(List.of(more));
    return command.toArray(String[]::new);
  }

  /** Predicts by the average of the runs poisson and another one; returns the first two rows. */
  private List<Row> average(String to, String other, double weight, String... more)
      throws IOException {
    Path weights = folder.resolve(to + ".json");
    Files.writeString(
        weights,
        "{\"runs\": [{\"folder\": \"%s\", \"stacking\": %s}, {\"folder\": \"%s\", \"stacking\": %s}]}"
            .formatted(folder.resolve("poisson"), weight, folder.resolve(other), 1 - weight));
    List<String> command =
        new ArrayList<>(List.of("predict", "--weights", weights.toString(), "--draws", "1000"));
    command.addAll(List.of("--input", folder.resolve("new.csv").toString()));
    command.addAll(List.of("--to", folder.resolve(to).toString()));
    command.addAll(List.of(more));
    shell.succeeds(command.toArray(String[]::new));
    return written(to);
  }

  @Test
  void modelsAreAveraged() throws IOException {
    shell.succeeds(predict("poisson", "visits", "alone", "--draws", "1000"));
    assertEquals(written("alone"), average("all", "small", 1));
    String known =
        "SELECT 1 AS id, 35.5D AS age, 'Oslo' AS city, 0.25D AS exposure, 3 AS visits FROM input"
            + " LIMIT 1";
    Row row =
        average("mixed", "small", 0.6, "--query", known, "--log-density", "--responses", "2000")
            .get(0);
    assertEquals(
        List.of(".mean", ".sd", ".lower", ".upper", ".log_density", ".responses"),
        List.of(row.schema().fieldNames()).subList(5, 11));
    Map<String, double[]> large = draws("poisson");
    Map<String, double[]> small = draws("small");
    double[][] expected = new double[2][400];
    double density = 0;
    for (int s = 0; s < 400; s++) {
      expected[0][s] =
          Math.exp(
              0.25
                  + of(large, "(Intercept)")[s]
                  + 35.5 * of(large, "age")[s]
                  + of(large, "city[Oslo]")[s]);
      expected[1][s] = Math.exp(0.25 + of(small, "(Intercept)")[s] + 35.5 * of(small, "age")[s]);
      for (int k = 0; k < 2; k++) {
        double m = expected[k][s];
        density += (k == 0 ? 0.6 : 0.4) / 400 * Math.exp(-m) * m * m * m / 6;
      }
    }
    double mean =
        0.6 * Arrays.stream(expected[0]).average().orElseThrow()
            + 0.4 * Arrays.stream(expected[1]).average().orElseThrow();
    assertEquals(mean, row.<Double>getAs(".mean"), 1e-9 * mean);
    assertEquals(Math.log(density), row.<Double>getAs(".log_density"), 1e-9);
    double lower = row.<Double>getAs(".lower");
    double below =
        0.6 * Arrays.stream(expected[0]).filter(e -> e < lower).count() / 400
            + 0.4 * Arrays.stream(expected[1]).filter(e -> e < lower).count() / 400;
    assertEquals(0.05, below, 0.002);
    double average =
        row.<Double>getList(row.fieldIndex(".responses")).stream()
            .mapToDouble(y -> y)
            .average()
            .orElseThrow();
    assertEquals(mean, average, 5 * Math.sqrt(2 * mean / 2000));
    // A row that one model cannot predict has no prediction: Paris is no level of the larger one.
    List<Row> rows = average("four", "small", 0.5);
    assertTrue(rows.get(3).isNullAt(4) && !rows.get(1).isNullAt(4), rows.toString());
    assertTrue(
        Files.readString(folder.resolve("four/prediction.json")).contains("\"weight\" : 0.5"));
  }

  @Test
  void whatHasNoAverageIsRefused() {
    for (String[] one :
        new String[][] {
          {"softmax", "predicts the count visits and", "--interval", "0.5"},
          {"small", "has no weight 'bayesian'", "--by", "bayesian"},
          {"small", "--config and --set have no place", "--set", "data.label=visits"}
        }) {
      AssertionError error =
          assertThrows(
              AssertionError.class,
              () -> average("no-average", one[0], 0.5, one[2], one[3]),
              one[1]);
      assertTrue(shell.err().contains(one[1]), error + shell.err());
    }
    assertEquals(2, shell.run(predict("poisson", "visits", "none", "--by", "stacking")));
    assertTrue(shell.err().contains("--by is for --weights"), shell.err());
  }

  private static Map<String, double[]> draws(String family) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(family + "/draws.csv"));
    String[] header = lines.get(0).split(",", -1);
    Map<String, double[]> draws = new HashMap<>();
    for (int j = 0; j < header.length; j++) {
      int column = j;
      draws.put(
          header[j],
          lines.stream()
              .skip(1)
              .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[column]))
              .toArray());
    }
    return draws;
  }

  private static double[] of(Map<String, double[]> draws, String name) {
    return Objects.requireNonNull(draws.get(name));
  }

  private static List<Row> written(String to) throws IOException {
    try (SparkSession spark =
        SparkSession.builder()
            .config(Session.configuration("test").setMaster("local[1]"))
            .getOrCreate()) {
      return spark
          .read()
          .parquet(folder.resolve(to + "/predictions").toString())
          .orderBy("id")
          .collectAsList();
    }
  }

  @Test
  void countsAreExpectedWithTheirOffsets() throws IOException {
    shell.succeeds(predict("poisson", "visits", "counts", "--draws", "1000"));
    assertTrue(shell.out().contains("4 rows are in " + folder.resolve("counts")), shell.out());
    assertTrue(shell.out().contains("2 of them have no prediction"), shell.out());
    // Few rows are printed as well.
    String header = shell.out().lines().findFirst().orElseThrow();
    assertEquals("id age city exposure .mean .sd .lower .upper", header.replaceAll(" +", " "));
    assertEquals(5, shell.out().lines().takeWhile(line -> !line.contains("rows are in")).count());
    List<Row> rows = written("counts");
    assertEquals(
        List.of("id", "age", "city", "exposure", ".mean", ".sd", ".lower", ".upper"),
        List.of(rows.get(0).schema().fieldNames()));
    Map<String, double[]> b = draws("poisson");
    double[] oslo = new double[400];
    double[] lima = new double[400];
    for (int s = 0; s < 400; s++) {
      double intercept = of(b, "(Intercept)")[s];
      double age = of(b, "age")[s];
      oslo[s] = Math.exp(0.25 + intercept + 35.5 * age + of(b, "city[Oslo]")[s]);
      lima[s] = Math.exp(-1 + intercept + 50 * age);
    }
    assertFigures(oslo, rows.get(0), "");
    assertFigures(lima, rows.get(1), "");
    assertTrue(rows.get(2).isNullAt(4) && rows.get(3).isNullAt(4), rows.toString());
  }

  private static void assertFigures(double[] values, Row row, String output) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    Arrays.sort(values);
    assertEquals(mean, row.<Double>getAs(".mean" + output), 1e-9 * mean);
    assertEquals(
        Math.sqrt(squares / (values.length - 1)), row.<Double>getAs(".sd" + output), 1e-9 * mean);
    // The quantile 0.05 of 400 is at 19.95.
    double lower = values[19] + 0.95 * (values[20] - values[19]);
    assertEquals(lower, row.<Double>getAs(".lower" + output), 1e-9 * mean);
  }

  @Test
  void classesHaveProbabilities() throws IOException {
    shell.succeeds(predict("softmax", "mood", "moods", "--draws", "1000"));
    List<Row> rows = written("moods");
    Map<String, double[]> b = draws("softmax");
    Map<String, double[]> p = new HashMap<>();
    for (String mood : List.of("bad", "fair", "good")) {
      p.put(mood, new double[400]);
    }
    for (int s = 0; s < 400; s++) {
      double sum = 0;
      for (Map.Entry<String, double[]> e : p.entrySet()) {
        String of = "[" + e.getKey() + "]";
        double[] zero = new double[400];
        double eta =
            b.getOrDefault("(Intercept)" + of, zero)[s]
                + 35.5 * b.getOrDefault("age" + of, zero)[s]
                + b.getOrDefault("city[Oslo]" + of, zero)[s];
        e.getValue()[s] = Math.exp(eta);
        sum += e.getValue()[s];
      }
      for (double[] of : p.values()) {
        of[s] /= sum;
      }
    }
    p.forEach((mood, values) -> assertFigures(values, rows.get(0), "[" + mood + "]"));
  }

  /** Densities against plain loops, and responses against probabilities and means. */
  @Test
  void outcomesHaveDensitiesAndResponses() throws IOException {
    String known =
        "SELECT 1 AS id, 35.5D AS age, 'Oslo' AS city, 0.25D AS exposure, 3 AS visits, 'fair' AS"
            + " mood FROM input LIMIT 1";
    shell.succeeds(
        predict(
            "poisson",
            "visits",
            "density",
            "--draws",
            "1000",
            "--query",
            known,
            "--log-density",
            "--responses",
            "4000"));
    Row row = written("density").get(0);
    Map<String, double[]> b = draws("poisson");
    double density = 0;
    double mean = 0;
    for (int s = 0; s < 400; s++) {
      double m =
          Math.exp(
              0.25 + of(b, "(Intercept)")[s] + 35.5 * of(b, "age")[s] + of(b, "city[Oslo]")[s]);
      density += Math.exp(-m) * m * m * m / 6 / 400;
      mean += m / 400;
    }
    assertEquals(Math.log(density), row.<Double>getAs(".log_density"), 1e-9);
    double average =
        row.<Double>getList(row.fieldIndex(".responses")).stream()
            .mapToDouble(y -> y)
            .average()
            .orElseThrow();
    assertEquals(mean, average, 5 * Math.sqrt(2 * mean / 4000));
    shell.succeeds(
        predict(
            "softmax",
            "mood",
            "classes",
            "--draws",
            "1000",
            "--query",
            known,
            "--log-density",
            "--responses",
            "4000"));
    Row mood = written("classes").get(0);
    double fair = mood.<Double>getAs(".mean[fair]");
    assertEquals(Math.log(fair), mood.<Double>getAs(".log_density"), 1e-9);
    long drawn =
        mood.<String>getList(mood.fieldIndex(".responses")).stream().filter("fair"::equals).count();
    assertEquals(fair, drawn / 4000.0, 5 * Math.sqrt(0.25 / 4000));
    refuses("-1 responses for each row (--responses)", "--responses", "-1");
    refuses("--new-groups is some", "--new-groups", "some");
    refuses("has no column 'visits'", "--log-density");
  }

  @Test
  void whatCannotBePredictedIsRefused() {
    refuses("has no column 'city'", "--query", "SELECT id, age, exposure FROM input");
    refuses("An interval of probability 1.5 (--interval)", "--interval", "1.5");
    refuses("1 draws for predictions (--draws)", "--draws", "1");
    refuses("has a column '.sd'", "--query", "SELECT *, 1 AS `.sd` FROM input");
    refuses("'age' of", "--query", "SELECT id, 'old' AS age, city, exposure FROM input");
    assertEquals(2, shell.run("predict", "--input", "x.csv"));
    assertTrue(shell.err().contains("--to"), shell.err());
  }

  private void refuses(String words, String... more) {
    assertTrue(shell.run(predict("poisson", "visits", "refused", more)) > 1);
    assertTrue(shell.err().contains(words), shell.err());
    assertTrue(Files.notExists(folder.resolve("refused")), words);
  }
}
