package org.lampyris.driver.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.output.ExportJob;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.report.ReportJob;
import org.lampyris.driver.run.Shell;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.LocalDisk;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;

/**
 * Predictions of rows of groups against plain loops over the draws of θ and of effects that a run
 * has written. The model is by formula, with a computed label.
 */
class GroupPredictionsIT {
  private static final int KEPT = 20;
  private static final int DRAWS = 60;
  private static final int NEW = 200;

  @TempDir private static Path folder;
  private static Map<String, double[]> theta = new HashMap<>();
  private static Map<String, List<Float>> effects = new HashMap<>();
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void sample() throws IOException {
    Random random = new Random(6);
    List<String> lines = new ArrayList<>(List.of("y,x,shop,day"));
    double[] shops = random.doubles(8, -1, 1).toArray();
    for (int n = 0; n < 240; n++) {
      double x = random.nextGaussian();
      int shop = random.nextInt(8);
      int day = random.nextInt(5);
      double eta = 1 + 0.5 * x + shops[shop] * (1 + 0.5 * x) + 0.2 * day;
      lines.add("%s,%s,shop %d,%d".formatted(Math.exp(eta + random.nextGaussian()), x, shop, day));
    }
    Files.write(folder.resolve("t.csv"), lines);
    List<String> later = new ArrayList<>(List.of("id,y,x,shop,day"));
    later.add("0,2.5,0.7,shop 3,1");
    later.add("1,0.1,-1,shop 5,4");
    later.add("2,1,0.5,shop 99,2"); // a shop that nobody has seen
    later.add("3,1,0.5,shop 99,2");
    later.add("4,1,0.5,,2");
    for (int n = 0; n < NEW; n++) {
      later.add((5 + n) + ",1,0,new " + n + ",2");
    }
    Files.write(folder.resolve("later.csv"), later);
    Shell shell = new Shell("local[2]");
    shell.samples(command("run", "kept", "sampler.multilevel.keep_draws=" + KEPT));
    try (SparkSession spark = spark()) {
      for (String group : List.of("shop", "day")) {
        for (Row row :
            spark
                .read()
                .parquet(folder.resolve("kept/effects/" + group).toString())
                .collectAsList()) {
          effects.put(row.getAs("variable"), row.getList(row.fieldIndex("draws")));
        }
      }
    }
    List<String> draws = Files.readAllLines(folder.resolve("kept/draws.csv"));
    String[] header = draws.get(0).split(",", -1);
    for (int j = 0; j < header.length; j++) {
      int column = j;
      theta.put(
          header[j],
          draws.stream()
              .skip(1)
              .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[column]))
              .toArray());
    }
  }

  /** The report's checks expect of the rows of the table what predictions of them do. */
  @Test
  void rowsOfTheTableAreCheckedByTheirEffects() throws IOException {
    String report = Files.readString(folder.resolve("kept/report.html"));
    assertTrue(report.contains("Posterior predictive checks of"), "the checks are there");
    assertFalse(report.contains("Not checked"), "and say so");
    List<Double> predicted = new ArrayList<>();
    shell.succeeds(
        concat(
            command("predict", "kept"),
            "--input",
            folder.resolve("t.csv").toString(),
            "--to",
            folder.resolve("same").toString()));
    List<Double> checked = new ArrayList<>();
    try (SparkSession spark = spark()) {
      for (Row row :
          spark.read().parquet(folder.resolve("same/predictions").toString()).collectAsList()) {
        predicted.add(row.getAs(".mean"));
      }
      Configuration conf = spark.sparkContext().hadoopConfiguration();
      RunOutput.Fitted of = RunOutput.open(conf, folder.resolve("kept").toString()).model();
      List<DataBlock> blocks;
      try (BlockTable table = BlockTable.load(spark, of.job().preparedFolder(), 2)) {
        blocks = table.blocks().collect();
      }
      KnownShifts shifts = KnownShifts.of(spark, of, 200, blocks);
      for (DataBlock block : blocks) {
        for (int row = 0; row < block.rows(); row++) {
          double[] x = {1, of.schema().centers().input(block, row, 1)};
          double[] shift = shifts.of(block, row);
          double sum = 0;
          for (int s = 0; s < shift.length; s++) {
            double[] theta = shifts.thetas()[s];
            sum += theta[0] + theta[1] * x[1] + shift[s];
          }
          checked.add(sum / shift.length);
        }
      }
      assertPanels(spark, of, shifts, mean(checked.stream().mapToDouble(x -> x).toArray()));
    }
    Collections.sort(predicted);
    Collections.sort(checked);
    assertEquals(240, predicted.size());
    for (int n = 0; n < predicted.size(); n++) {
      assertEquals(predicted.get(n), checked.get(n), 1e-9);
    }
  }

  /**
   * What each panel of the report expects of its groups is, over all of them, what is predicted.
   */
  private static void assertPanels(
      SparkSession spark, RunOutput.Fitted run, KnownShifts shifts, double all) throws IOException {
    RowSample sample;
    try (BlockTable table = BlockTable.load(spark, run.job().preparedFolder(), 2)) {
      sample = RowSample.draw(table, 10_000);
    }
    PredictiveCheck check =
        PredictiveCheck.of(
            new PredictiveCheck.Fitted(
                run.schema(),
                run.model().expectation().orElseThrow(),
                shifts.thetas(),
                run.model().predictors(),
                shifts::of,
                shifts.factors()),
            sample);
    assertFalse(check.panels().isEmpty());
    for (Panel panel : check.panels()) {
      double sum = 0;
      for (Panel.Group group : panel.groups()) {
        sum += group.rows() * group.mean() / sample.rows();
        if (panel.kind() == Panel.Kind.FITTED) {
          assertEquals(group.at(), group.mean(), 1e-9, "its groups are of what is expected");
        }
      }
      // Draws put a row into different groups of what is expected: their rows are rounded means.
      boolean moves = panel.kind() == Panel.Kind.FITTED;
      assertEquals(all, sum, moves ? 0.5 * panel.groups().size() / sample.rows() : 1e-9);
    }
  }

  /** The report, and the groups for ArviZ, are the same to the last digit without Spark. */
  @Test
  void effectsAreReadHereAsBySpark() throws IOException {
    String run = folder.resolve("kept").toString();
    Configuration conf = LocalDisk.configuration();
    RowReader here =
        new RowReader(
            () -> {
              throw new AssertionError("asks for Spark");
            },
            true);
    RunOutput.Fitted of = RunOutput.open(conf, run).model();
    here.require(of);
    List<DataBlock> blocks = here.draw(of, 240).blocks();
    KnownShifts read = Objects.requireNonNull(here.shifts(of, 30, blocks));
    ReportJob.write(conf, here, run);
    String report = Files.readString(folder.resolve("kept/report.html"));
    assertTrue(report.contains("Posterior predictive checks of"), "the checks are there");
    export(here, of);
    String exported = Files.readString(folder.resolve("kept/inference.json"));
    try (SparkSession spark = spark()) {
      RowReader bySpark = RowReader.bySpark(() -> spark);
      KnownShifts joined = Objects.requireNonNull(bySpark.shifts(of, 30, blocks));
      assertEquals(2, read.levels().size());
      assertEquals(8, read.levels().get(0).size());
      assertEquals(joined.levels(), read.levels());
      assertTrue(Arrays.deepEquals(joined.thetas(), read.thetas()));
      for (DataBlock block : blocks) {
        for (int row = 0; row < block.rows(); row++) {
          assertArrayEquals(joined.of(block, row), read.of(block, row), 0.0);
        }
      }
      ReportJob.write(conf, bySpark, run);
      export(bySpark, of);
    }
    assertEquals(Files.readString(folder.resolve("kept/report.html")), report);
    assertEquals(Files.readString(folder.resolve("kept/inference.json")), exported);
  }

  private static void export(RowReader reader, RunOutput.Fitted of) throws IOException {
    InferenceGroups.Wanted wanted =
        new InferenceGroups.Wanted(
            EnumSet.of(
                InferenceGroups.Kind.LOG_LIKELIHOOD, InferenceGroups.Kind.POSTERIOR_PREDICTIVE),
            50,
            30);
    ExportJob.write(
        of.run().conf(),
        of.run().folder(),
        EnumSet.of(ExportJob.Form.ARVIZ),
        InferenceGroups.of(reader, of.run(), wanted).groups(),
        true);
  }

  /** Leaving one row out, against a plain loop over the draws that have been written. */
  @Test
  void rowsAreLeftOutByTheirEffects() throws IOException {
    double[] left = new double[240];
    double[][] influence = new double[2][KEPT];
    double in = 0;
    List<String> lines = Files.readAllLines(folder.resolve("t.csv"));
    for (int n = 0; n < left.length; n++) {
      String[] cells = lines.get(n + 1).split(",", -1);
      int shop = Integer.parseInt(cells[2].substring("shop ".length()));
      double[] eta = known(Double.parseDouble(cells[1]), shop, Integer.parseInt(cells[3]));
      double[] log = new double[eta.length];
      double[] ratios = new double[eta.length];
      double[][] chains = new double[2][KEPT];
      for (int s = 0; s < eta.length; s++) {
        double z = (Math.log(Double.parseDouble(cells[0])) - eta[s]) / of("sigma", s);
        log[s] = -0.5 * z * z - Math.log(of("sigma", s)) - 0.5 * Math.log(2 * Math.PI);
        ratios[s] = -log[s];
        chains[s / KEPT][s % KEPT] = Math.exp(log[s]);
      }
      double ess = Diagnostics.essMean(chains);
      ParetoSmoothing smoothed =
          ParetoSmoothing.of(ratios, Double.isNaN(ess) ? 1 : ess / eta.length);
      left[n] = smoothed.logPredictiveDensity(log);
      for (int s = 0; s < eta.length; s++) {
        double weight = Math.exp(smoothed.logWeights()[s]);
        influence[s / KEPT][s % KEPT] +=
            eta.length * weight * (Math.exp(log[s]) / Math.exp(left[n]) - 1);
      }
      in += ParetoSmoothing.logSumExp(log) - Math.log(eta.length);
    }
    double elpd = Arrays.stream(left).sum();
    shell.succeeds("loo", folder.resolve("kept").toString());
    assertTrue(shell.out().contains(": 240 of 240 rows, 40 draws"), shell.out());
    assertFigure("elpd_loo", elpd, 0.051);
    assertFigure("p_loo", in - elpd, 0.051);
    shell.succeeds("loo", "--rows", "80", folder.resolve("kept").toString());
    // By the other rows' own effects the proxy is so close that a third of the rows will do.
    Matcher error = Pattern.compile("from drawing rows ([^;\\s]+)").matcher(shell.out());
    assertTrue(error.find(), shell.out());
    double by = Double.parseDouble(error.group(1));
    assertTrue(by < 0.2 * sd(left) * 240 / Math.sqrt(80), "a far smaller error: " + by);
    assertFigure("elpd_loo", elpd, 0.051 + 4 * by);
    try (SparkSession spark = spark()) {
      Loo all = LooJob.of(spark, folder.resolve("kept").toString(), 1000);
      double monteCarlo = Diagnostics.mcseMean(influence);
      assertEquals(monteCarlo, Loo.Influence.error(all.influence().elpd()), 1e-6 * monteCarlo);
    }
  }

  private void assertFigure(String name, double expected, double within) {
    Matcher found = Pattern.compile(name + " ([^,\\s]+)").matcher(shell.out());
    assertTrue(found.find(), shell.out());
    assertEquals(expected, Double.parseDouble(found.group(1)), within, name);
  }

  private static String[] concat(String[] first, String... more) {
    return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
  }

  private static SparkSession spark() {
    return SparkSession.builder()
        .config(Session.configuration("test").setMaster("local[1]"))
        .getOrCreate();
  }

  private static String[] command(String name, String output, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("t.csv"),
                "model.family=gaussian",
                "model.formula=log(y) ~ x + (1 + x | shop) + (1 | day)",
                "sampler.chains=2",
                "sampler.warmup=100",
                "sampler.draws=" + DRAWS,
                "output=" + folder.resolve(output)));
    all.addAll(List.of(more));
    List<String> command = new ArrayList<>(List.of(name));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    return command.toArray(String[]::new);
  }

  private List<Row> predict(String to, String... more) throws IOException {
    List<String> command = new ArrayList<>(List.of(command("predict", "kept")));
    command.addAll(List.of("--input", folder.resolve("later.csv").toString()));
    command.addAll(List.of("--to", folder.resolve(to).toString(), "--draws", "1000"));
    command.addAll(List.of(more));
    shell.succeeds(command.toArray(String[]::new));
    try (SparkSession spark = spark()) {
      return spark
          .read()
          .parquet(folder.resolve(to + "/predictions").toString())
          .orderBy("id")
          .collectAsList();
    }
  }

  /** Returns the draw of θ, over both chains, that an effect's draw belongs to. */
  private static int draw(int s) {
    // Of 60 draws every third is kept, the last of three.
    return s / KEPT * DRAWS + 3 * (s % KEPT) + 2;
  }

  private static double of(String name, int s) {
    return Objects.requireNonNull(theta.get(name))[draw(s)];
  }

  private static double[] known(double x, int shop, int day) {
    double[] eta = new double[2 * KEPT];
    for (int s = 0; s < eta.length; s++) {
      eta[s] = of("(Intercept)", s) + x * of("x", s);
      if (shop >= 0) {
        eta[s] += effect("r_shop[shop %d,Intercept]".formatted(shop), s);
        eta[s] += x * effect("r_shop[shop %d,x]".formatted(shop), s);
      }
      eta[s] += effect("r_day[%d,Intercept]".formatted(day), s);
    }
    return eta;
  }

  private static double effect(String name, int s) {
    return Objects.requireNonNull(effects.get(name)).get(s);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double sd(double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Math.sqrt(squares / (values.length - 1));
  }

  private static void assertRow(double[] eta, Row row) {
    assertEquals(mean(eta), row.<Double>getAs(".mean"), 1e-9);
    assertEquals(sd(eta), row.<Double>getAs(".sd"), 1e-9);
  }

  private static double density(double[] eta, double y) {
    double sum = 0;
    for (int s = 0; s < eta.length; s++) {
      double z = (y - eta[s]) / of("sigma", s);
      sum += Math.exp(-0.5 * z * z) / of("sigma", s) / Math.sqrt(2 * Math.PI);
    }
    return Math.log(sum / eta.length);
  }

  @Test
  void rowsOfKnownGroupsHaveTheirEffects() throws IOException {
    List<Row> rows = predict("known", "--log-density", "--new-groups", "zero");
    assertRow(known(0.7, 3, 1), rows.get(0));
    assertRow(known(-1, 5, 4), rows.get(1));
    assertRow(known(0.5, -1, 2), rows.get(2));
    assertTrue(rows.get(4).isNullAt(5), rows.get(4).toString());
    for (int n = 0; n < 2; n++) {
      double[] eta = n == 0 ? known(0.7, 3, 1) : known(-1, 5, 4);
      double label = Math.log(n == 0 ? 2.5 : 0.1);
      assertEquals(density(eta, label), rows.get(n).<Double>getAs(".log_density"), 1e-9);
    }
    assertTrue(shell.out().contains("The log predictive density of 204 rows is"), shell.out());
  }

  @Test
  void newGroupsAreDrawnOrRefused() throws IOException {
    List<Row> rows = predict("new", "--responses", "40");
    assertRow(known(0.7, 3, 1), rows.get(0));
    assertEquals(rows.get(2).<Double>getAs(".mean"), rows.get(3).<Double>getAs(".mean"));
    assertEquals(40, rows.get(0).getList(rows.get(0).fieldIndex(".responses")).size());
    // Of each new shop, mean and variance over draws; of all shops, those of N(0, Σ).
    double[] zero = known(0, -1, 2);
    double variance = 0;
    for (int s = 0; s < zero.length; s++) {
      variance += of("sd_shop__Intercept", s) * of("sd_shop__Intercept", s) / zero.length;
    }
    double fixed = sd(zero) * sd(zero);
    double mean = 0;
    double squares = 0;
    for (Row row : rows.subList(5, rows.size())) {
      mean += row.<Double>getAs(".mean") / NEW;
      squares += Math.pow(row.<Double>getAs(".sd"), 2) / NEW;
    }
    double error = Math.sqrt(variance / (NEW * zero.length));
    assertEquals(mean(zero), mean, 5 * error);
    // The variance over 8,000 normal numbers of unequal scale, to a tenth.
    assertEquals(fixed + variance, squares, 0.1 * (fixed + variance));
    List<Row> refused = predict("refused", "--new-groups", "refuse");
    assertRow(known(0.7, 3, 1), refused.get(0));
    assertTrue(refused.get(2).isNullAt(5), refused.get(2).toString());
    assertTrue(shell.out().contains((NEW + 3) + " of them have no prediction"), shell.out());
  }

  @Test
  void responsesScatterAboutWhatIsExpected() throws IOException {
    List<Row> rows = predict("responses", "--responses", "4000", "--new-groups", "zero");
    double[] eta = known(0.7, 3, 1);
    double[] y =
        rows.get(0).<Double>getList(rows.get(0).fieldIndex(".responses")).stream()
            .mapToDouble(value -> value)
            .toArray();
    double sigma = 0;
    for (int s = 0; s < eta.length; s++) {
      sigma += of("sigma", s) * of("sigma", s) / eta.length;
    }
    double variance = sigma + sd(eta) * sd(eta);
    // Five standard errors.
    assertEquals(mean(eta), mean(y), 5 * Math.sqrt(variance / y.length));
    assertEquals(variance, sd(y) * sd(y), 5 * variance * Math.sqrt(2.0 / y.length));
  }

  @Test
  void aRunWithoutDrawsOfEffectsIsRefused() throws IOException {
    shell.samples(command("run", "bare", "sampler.multilevel.keep_draws=0"));
    List<String> command = new ArrayList<>(List.of(command("predict", "bare")));
    command.addAll(List.of("--input", folder.resolve("later.csv").toString()));
    command.addAll(List.of("--to", folder.resolve("nothing").toString()));
    assertEquals(3, shell.run(command.toArray(String[]::new)));
    assertTrue(shell.err().contains("sampler.multilevel.keep_draws"), shell.err());
    assertEquals(3, shell.run("loo", folder.resolve("bare").toString()));
    assertTrue(shell.err().contains("sampler.multilevel.keep_draws"), shell.err());
    assertTrue(Files.notExists(folder.resolve("nothing")));
  }
}
