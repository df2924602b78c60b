package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.run.Shell;

/** A model by formula against the same one by columns that were made by hand. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FormulaIT {
  private static final String FORMULA =
      "late ~ log(distance) + dow * hour + bs(minute, df = 5) + factor(gate) + dow:factor(gate)";
  private static final int ROWS = 500;
  private static final List<String> DAYS = List.of("Fri", "Mon", "Tue");
  private static double[] knots = new double[0];

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  /** A row of the table. */
  private record Flight(double distance, String dow, double hour, double minute, int gate) {
    static Flight draw(Random random) {
      return new Flight(
          Math.exp(5 + random.nextGaussian()),
          DAYS.get(random.nextInt(3)),
          random.nextInt(24),
          random.nextInt(60),
          2 + 7 * random.nextInt(2));
    }

    String written() {
      return distance + "," + dow + "," + hour + "," + minute + "," + gate;
    }

    /** Returns the columns that the formula asks for. */
    String byHand() {
      List<Object> cells = new ArrayList<>();
      cells.add(Math.log(distance));
      cells.add(dow);
      cells.add(hour);
      for (int k = 1; k <= 5; k++) {
        cells.add(spline(k, 3, minute));
      }
      cells.add(gate);
      cells.add(dow.equals("Mon") ? hour : 0);
      cells.add(dow.equals("Tue") ? hour : 0);
      cells.add(dow.equals("Mon") && gate == 9 ? 1 : 0);
      cells.add(dow.equals("Tue") && gate == 9 ? 1 : 0);
      return cells.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  /** Returns B_k of a degree by the recurrence of Cox and de Boor, as it is defined. */
  private static double spline(int k, int degree, double x) {
    double left = knot(k);
    double right = knot(k + degree + 1);
    if (degree == 0) {
      boolean last = x == knots[knots.length - 1] && right == x && left < right;
      return (left <= x && x < right) || last ? 1 : 0;
    }
    double value = 0;
    if (knot(k + degree) > left) {
      value += (x - left) / (knot(k + degree) - left) * spline(k, degree - 1, x);
    }
    if (right > knot(k + 1)) {
      value += (right - x) / (right - knot(k + 1)) * spline(k + 1, degree - 1, x);
    }
    return value;
  }

  private static double knot(int index) {
    return knots[Math.max(0, Math.min(knots.length - 1, index - 3))];
  }

  @BeforeAll
  static void write() throws IOException {
    Random random = new Random(8);
    List<Flight> flights = new ArrayList<>();
    for (int n = 0; n < ROWS; n++) {
      flights.add(Flight.draw(random));
    }
    double[] minutes = flights.stream().mapToDouble(Flight::minute).sorted().toArray();
    knots =
        new double[] {
          minutes[0], quantile(minutes, 1 / 3.0), quantile(minutes, 2 / 3.0), minutes[ROWS - 1]
        };
    List<String> table = new ArrayList<>(List.of("id,late,distance,dow,hour,minute,gate"));
    List<String> hand = new ArrayList<>(List.of("late,l,dow,hour,s1,s2,s3,s4,s5,gate,mh,th,m9,t9"));
    int id = 0;
    for (Flight flight : flights) {
      double eta =
          0.5 * Math.log(flight.distance)
              - 2.5
              + (flight.dow.equals("Mon") ? 0.05 * flight.hour : 0);
      int late = random.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
      table.add(id++ + "," + late + "," + flight.written());
      hand.add(late + "," + flight.byHand());
    }
    Files.write(folder.resolve("table.csv"), table);
    Files.write(folder.resolve("hand.csv"), hand);
    List<String> later = new ArrayList<>(List.of("id,distance,dow,hour,minute,gate"));
    List<String> laterByHand =
        new ArrayList<>(List.of("id,l,dow,hour,s1,s2,s3,s4,s5,gate,mh,th,m9,t9"));
    for (int n = 0; n < 40; n++) {
      Flight flight = Flight.draw(random);
      later.add(n + "," + flight.written());
      laterByHand.add(n + "," + flight.byHand());
    }
    later.add("40,100,Sun,3,3,2"); // a day that nobody knows
    later.add("41,-1,Mon,3,3,2"); // has no logarithm
    later.add("42,100,Mon,,3,2");
    Files.write(folder.resolve("later.csv"), later);
    Files.write(folder.resolve("later-hand.csv"), laterByHand);
  }

  private static double quantile(double[] sorted, double p) {
    double at = p * (sorted.length - 1);
    int below = (int) at;
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
  }

  private static String[] byFormula(String command, String... more) {
    return of(command, "table.csv", "formula", "model.formula=" + FORMULA, more);
  }

  private static String[] byHand(String command, String... more) {
    return of(command, "hand.csv", "hand", "data.label=late", more);
  }

  private static String[] of(
      String command, String input, String output, String model, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    List<String> settings =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve(input),
                "output=" + folder.resolve(output),
                "sampler.warmup=100",
                "sampler.draws=100",
                "data.layout=dense"));
    settings.add(model);
    if (output.equals("hand")) {
      settings.add("data.categorical.gate.reference=2");
    }
    settings.forEach(setting -> all.addAll(List.of("--set", setting)));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static double[][] draws(String output) throws IOException {
    return Files.readAllLines(folder.resolve(output + "/draws.csv")).stream()
        .skip(1)
        .map(line -> Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray())
        .toArray(double[][]::new);
  }

  @Test
  @Order(1)
  void thePosteriorIsThatOfColumnsMadeByHand() throws IOException {
    shell.samples(byFormula("run"));
    String[] order =
        byHand(
            "run",
            "--set",
            "data.features=[l, dow, hour, s1, s2, s3, s4, s5, gate, mh, th, m9, t9]");
    shell.samples(order);
    String header = Files.readAllLines(folder.resolve("formula/draws.csv")).get(0);
    assertTrue(
        header.endsWith(
            "(Intercept),log(distance),dow[Mon],dow[Tue],hour,\"bs(minute, df = 5)1\",\"bs(minute,"
                + " df = 5)2\",\"bs(minute, df = 5)3\",\"bs(minute, df = 5)4\",\"bs(minute, df ="
                + " 5)5\",factor(gate)[9],"
                + "dow[Mon]:hour,dow[Tue]:hour,dow[Mon]:factor(gate)[9],dow[Tue]:factor(gate)[9]"),
        header);
    double[][] formula = draws("formula");
    double[][] hand = draws("hand");
    assertEquals(400, formula.length);
    for (int s = 0; s < formula.length; s++) {
      for (int j = 0; j < formula[s].length; j++) {
        assertEquals(hand[s][j], formula[s][j], 1e-7 * (1 + Math.abs(hand[s][j])), s + " " + j);
      }
    }
  }

  @Test
  @Order(2)
  void newRowsAreExpandedByTheSameNumbers() throws IOException {
    shell.succeeds(
        byFormula(
            "predict",
            "--input",
            folder.resolve("later.csv").toString(),
            "--to",
            folder.resolve("later").toString()));
    assertTrue(shell.out().contains("3 of them have no prediction"), shell.out());
    shell.succeeds(
        byHand(
            "predict",
            "--set",
            "data.features=[l, dow, hour, s1, s2, s3, s4, s5, gate, mh, th, m9, t9]",
            "--input",
            folder.resolve("later-hand.csv").toString(),
            "--to",
            folder.resolve("later-hand").toString()));
    try (SparkSession spark =
        SparkSession.builder()
            .config(Session.configuration("test").setMaster("local[1]"))
            .getOrCreate()) {
      List<Row> formula = predictions(spark, "later");
      List<Row> hand = predictions(spark, "later-hand");
      assertEquals(
          List.of(
              "id",
              "distance",
              "dow",
              "hour",
              "minute",
              "gate",
              ".mean",
              ".sd",
              ".lower",
              ".upper"),
          List.of(formula.get(0).schema().fieldNames()));
      for (int n = 0; n < 40; n++) {
        for (String figure : List.of(".mean", ".sd", ".lower", ".upper")) {
          assertEquals(
              hand.get(n).<Double>getAs(figure),
              formula.get(n).<Double>getAs(figure),
              1e-6,
              figure);
        }
      }
    }
  }

  /** A small CSV is read, predicted and written without Spark; a query needs Spark. */
  @Test
  @Order(3)
  void fewRowsHaveThePredictionsOfSpark() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("later.csv")));
    lines.set(0, lines.get(0) + ",note,day");
    lines.replaceAll(line -> line.startsWith("id") ? line : line + ",\"a, \"\"b\"\"\",NA");
    lines.add("43,100,Tue,3,3,2.0,,2026-01-01"); // the gate is 2 as well
    lines.add("44,1e2,Tue,NA,3,9,é,");
    Files.write(folder.resolve("few.csv"), lines);
    fewAreAsBySpark("formula", "model.formula=" + FORMULA, "few.csv");
    assertTrue(shell.out().contains("'Sun'"), shell.out());
  }

  /** Predicts without Spark and with it, which a query needs. */
  private void fewAreAsBySpark(String run, String model, String input) throws IOException {
    List<String> told = new ArrayList<>();
    for (String to : List.of("few", "by-spark")) {
      List<String> more = new ArrayList<>(List.of("--input", folder.resolve(input).toString()));
      more.addAll(List.of("--overwrite", "--to", folder.resolve(to).toString()));
      more.addAll(told.isEmpty() ? List.of() : List.of("--query", "SELECT * FROM input"));
      shell.succeeds(of("predict", "table.csv", run, model, more.toArray(String[]::new)));
      told.add(shell.out().replace("/" + to, ""));
    }
    assertTrue(Files.exists(folder.resolve("few/predictions/part-00000.snappy.parquet")));
    assertEquals(told.get(1), told.get(0));
    try (SparkSession spark =
        SparkSession.builder()
            .config(Session.configuration("test").setMaster("local[1]"))
            .getOrCreate()) {
      assertEquals(predictions(spark, "by-spark").toString(), predictions(spark, "few").toString());
    }
  }

  private static List<Row> predictions(SparkSession spark, String to) {
    return spark
        .read()
        .parquet(folder.resolve(to + "/predictions").toString())
        .orderBy("id")
        .collectAsList();
  }

  @Test
  @Order(3)
  void anotherTableTakesTheNumbersOver() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("table.csv"));
    Files.write(folder.resolve("half.csv"), lines.subList(0, ROWS / 2));
    shell.succeeds(
        of(
            "prepare",
            "half.csv",
            "half",
            "model.formula=" + FORMULA,
            "--set",
            "data.like=" + folder.resolve("formula/prepared")));
    assertEquals(kept("formula"), kept("half"));
    assertEquals(
        2,
        shell.run(
            of(
                "prepare",
                "half.csv",
                "other",
                "model.formula=late ~ hour",
                "--set",
                "data.like=" + folder.resolve("formula/prepared"))));
    assertTrue(shell.err().contains("Set the same formula for both"), shell.err());
  }

  private static JsonNode kept(String output) throws IOException {
    JsonNode schema =
        new ObjectMapper().readTree(folder.resolve(output + "/prepared/schema.json").toFile());
    assertEquals(4, schema.at("/source/formula/bases/0/numbers").size());
    return schema.at("/source/formula");
  }

  @Test
  @Order(4)
  void whatTheTableCannotGiveIsRefused() {
    refuses("late ~ distence", "names 'distence', which is not a column of", 3);
    refuses("late ~ log(dow)", "the column 'dow' holds categories", 2);
    refuses("late ~ dow + (0 + dow | gate)", "without an intercept; write (dow | gate), the", 2);
    refuses("late ~ dow + (0 + dow || gate)", "write 0 + dow outside the parentheses, too", 2);
    refuses("late ~ log(hour)", "'log(hour)' in model.formula is not a finite number in ", 3);
    assertTrue(shell.err().contains("if hour is 0 (first: "), shell.err());
    assertTrue(shell.err().contains("line "), shell.err());
    assertTrue(
        shell.err().contains("WHERE `hour` > 0, or write log1p(hour), the logarithm of 1 + hour"),
        shell.err());
    refuses("late ~ distance + sqrt(hour - 5)", "'sqrt(hour - 5)' in model.formula", 3);
    refuses("late ~ I(distance / (gate - 2))", "distance is ", 3);
    assertTrue(shell.err().contains(" and gate is 2; drop such rows"), shell.err());
    assertEquals(
        2, shell.run(byFormula("prepare", "--set", "data.categorical.id.top=3", "--overwrite")));
    assertTrue(
        shell.err().contains("names 'id', which is no feature of model.formula"), shell.err());
    assertEquals(
        2, shell.run(byFormula("prepare", "--set", "data.features=[hour]", "--overwrite")));
    assertTrue(shell.err().contains("data.features is set"), shell.err());
  }

  /** Terms with several columns vary by group in all of them. */
  @Test
  @Order(5)
  void polynomialsAndSplinesVaryByGroup() throws IOException {
    String formula =
        "late ~ poly(minute, 2) + ns(hour, df = 2) + C(dow, sum) * distance"
            + " + (C(dow, sum) * distance || gate) + (0 + poly(minute, 2) | gate)"
            + " + (0 + ns(hour, df = 2) || gate)";
    shell.samples(
        of("run", "table.csv", "varying", "model.formula=" + formula, "--set", "sampler.chains=1"));
    String summary = Files.readString(folder.resolve("varying/summary.csv"));
    for (String effect :
        List.of("poly(minute, 2)2", "ns(hour, df = 2)1", "C(dow, sum)1", "C(dow, sum)2:distance")) {
      assertTrue(summary.contains("sd_gate__" + effect), summary);
    }
    assertTrue(summary.contains("cor_gate__poly(minute, 2)1__poly(minute, 2)2"), summary);
  }

  /** Its columns then have the name of the column itself. */
  @Test
  @Order(5)
  void withoutAnInterceptAFactorHasACoefficientForEachLevel() throws IOException {
    String formula = "model.formula=late ~ 0 + dow";
    shell.samples(of("run", "table.csv", "means", formula));
    String summary = Files.readString(folder.resolve("means/summary.csv"));
    for (String level : DAYS) {
      assertTrue(summary.contains("dow[" + level + "]"), summary);
    }
    fewAreAsBySpark("means", formula, "later.csv");
  }

  /** Copies of its columns under other names give the same draws and predictions. */
  @Test
  @Order(5)
  void aColumnMayHaveSeveralRoles() throws IOException {
    String formula =
        "model.formula=late | weights(%2$s) ~ 0 + dow + dow:gate + log(distance) + hour"
            + " + offset(%4$s) + (1 | %1$s) + (1 | %2$s) + (1 | %3$s) + (1 | %5$s)";
    copyColumns("table", 2);
    copyColumns("later", 1);
    List<List<String>> all = new ArrayList<>();
    for (Object[] of :
        List.of(
            new String[] {"dow2", "gate2", "both", "log", "hour2"},
            new String[] {"dow", "gate", "dow:gate", "log(distance)", "hour"})) {
      String run = folder.resolve("roles-" + of[0]).toString();
      String[] more = {"--set", "sampler.warmup=20", "--set", "sampler.chains=1"};
      shell.samples(of("run", "table-2.csv", "roles-" + of[0], formula.formatted(of), more));
      List<String> draws = Files.readAllLines(Path.of(run, "draws.csv"));
      all.add(new ArrayList<>(draws.subList(1, draws.size())));
    }
    assertEquals(all.get(0), all.get(1));
    String model = formula.formatted("dow", "gate", "dow:gate", "log(distance)", "hour");
    fewAreAsBySpark("roles-dow", model, "later-2.csv");
    assertTrue(shell.out().contains("groups of 'hour' that the run has not seen"), shell.out());
    shell.succeeds("loo", folder.resolve("roles-dow").toString());
    shell.succeeds(
        "effects", "--run", folder.resolve("roles-dow").toString(), "--at", "rows", "--groups");
    assertTrue(shell.out().contains("dow = Fri"), shell.out());
  }

  private static void copyColumns(String table, int after) throws IOException {
    List<String> copied = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(table + ".csv")).subList(0, 41)) {
      String[] cell = line.split(",", -1);
      String more =
          copied.isEmpty()
              ? ",dow2,hour2,gate2,both,log"
              : ",%s,%s,%s,%1$s:%3$s,%s"
                  .formatted(
                      cell[after + 1],
                      cell[after + 2],
                      cell[after + 4],
                      Math.log(Double.parseDouble(cell[after])));
      copied.add(line + more);
    }
    if (table.equals("later")) {
      copied.add("40,100,Tue,3,3,2.0,Tue,3,2.0,Tue:2,4.6"); // the gate 2, too
      copied.add("41,100,Tue,3,3,,Tue,3,,,4.6");
      copied.add("42,100,Sun,3,3,9,Sun,3,9,Sun:9,4.6");
    }
    Files.write(folder.resolve(table + "-2.csv"), copied);
  }

  @Test
  @Order(6)
  void standardDeviationsOfSmoothsAreDrawn() throws IOException {
    String formula = "model.formula=late ~ distance + s(minute, k = 5) + (1 + minute | gate)";
    shell.samples(of("run", "table.csv", "smooth", formula));
    String summary = Files.readString(folder.resolve("smooth/summary.csv"));
    assertTrue(summary.contains("sds_sminute_1,") && summary.contains("s_sminute_1[3]"), summary);
    assertTrue(summary.contains("cor_gate__Intercept__minute,"), summary);
    String manifest = Files.readString(folder.resolve("smooth/manifest.json"));
    assertTrue(manifest.contains("normal(0, sds_sminute_1)"), manifest);
    String report = Files.readString(folder.resolve("smooth/report.html"));
    String section = report.substring(report.indexOf("<section id=\"smooths\">"));
    assertTrue(section.contains("<title>s(minute)</title>"), section);
    assertTrue(section.contains("expected response"), section);
  }

  @Test
  @Order(4)
  void smoothsAreRefusedWhereThereAreSeveralPredictors() {
    String[] run =
        of(
            "run",
            "table.csv",
            "none",
            "model.formula=dow ~ s(minute, k = 5)",
            "--set",
            "model.family=softmax");
    assertEquals(2, shell.run(run), shell.err());
    assertTrue(shell.err().contains("2 linear predictors"), shell.err());
  }

  @Test
  @Order(5)
  void aHorseshoesGlobalScaleIsDrawn() throws IOException {
    String prior = "model.prior=regularized_horseshoe(half_cauchy(0.1), 2, 4)";
    String formula = "model.formula=late ~ distance + hour + minute";
    shell.samples(of("run", "table.csv", "sparse", formula, "--set", prior));
    List<String> summary = Files.readAllLines(folder.resolve("sparse/summary.csv"));
    assertEquals(
        List.of("(Intercept)", "distance", "hour", "minute", "hs_global", "hs_slab"),
        summary.stream().skip(1).map(line -> line.split(",", 2)[0]).toList());
    String manifest = Files.readString(folder.resolve("sparse/manifest.json"));
    assertTrue(manifest.contains("regularized_horseshoe(half_cauchy("), manifest);
    String[] none =
        of("run", "table.csv", "none", formula, "--set", prior, "--set", "sampler.algorithm=sgld");
    assertEquals(2, shell.run(none), shell.err());
    assertTrue(shell.err().contains("the global scale of regularized_horseshoe("), shell.err());
    String[] intercept =
        of(
            "run",
            "table.csv",
            "none",
            formula,
            "--set",
            "model.priors={\"(Intercept)\": \"horseshoe(half_cauchy(1))\"}");
    assertEquals(2, shell.run(intercept), shell.err());
    assertTrue(shell.err().contains("is for coefficients of columns"), shell.err());
  }

  @Test
  @Order(4)
  void smoothsAreRefusedByAlgorithmsThatDrawNoScales() {
    String formula = "model.formula=late ~ distance + s(minute, k = 5)";
    String[] run = of("run", "table.csv", "none", formula, "--set", "sampler.algorithm=sgld");
    assertEquals(2, shell.run(run), shell.err());
    assertTrue(
        shell.err().contains("sampler.algorithm: sgld") && shell.err().contains("s(minute)"),
        shell.err());
  }

  @Test
  @Order(5)
  void combinationsThatNoRowHasAreLeftOut() throws IOException {
    Random random = new Random(5);
    List<String> lines = new ArrayList<>(List.of("y,a,b,x"));
    for (int n = 0; n < 400; n++) {
      String a = List.of("u", "v", "w").get(random.nextInt(3));
      // No row has v and q.
      String b = a.equals("v") || random.nextBoolean() ? "p" : "q";
      lines.add(random.nextInt(2) + "," + a + "," + b + "," + random.nextGaussian());
    }
    Files.write(folder.resolve("some.csv"), lines);
    String formula = "model.formula=y ~ a * b + a:b:x";
    shell.samples(of("run", "some.csv", "some", formula));
    assertTrue(
        shell.out().contains("no row has a[v]:b[q], a[v]:b[q]:x, a product in model.formula"),
        shell.out());
    String header = Files.readAllLines(folder.resolve("some/draws.csv")).get(0);
    assertTrue(
        header.endsWith(
            "(Intercept),a[v],a[w],b[q],a[w]:b[q],a[u]:b[p]:x,a[v]:b[p]:x,a[w]:b[p]:x,"
                + "a[u]:b[q]:x,a[w]:b[q]:x"),
        header);
    Files.write(folder.resolve("new.csv"), List.of("a,b,x", "w,q,1", "v,p,1", "v,q,1"));
    shell.succeeds(
        of(
            "predict",
            "some.csv",
            "some",
            formula,
            "--input",
            folder.resolve("new.csv").toString(),
            "--to",
            folder.resolve("some-new").toString()));
    assertTrue(shell.out().contains("1 of them have no prediction"), shell.out());
    Files.write(folder.resolve("all.csv"), List.of("y,a,b,x", "0,u,p,1", "1,v,q,1", "1,w,q,0"));
    assertEquals(
        3,
        shell.run(
            of(
                "prepare",
                "all.csv",
                "all",
                formula,
                "--set",
                "data.like=" + folder.resolve("some/prepared"))));
    assertTrue(
        shell.err().contains("a row has 'a[v]:b[q]', which no row of the earlier table has"),
        shell.err());
  }

  private void refuses(String formula, String words, int code) {
    assertEquals(
        code,
        shell.run(of("prepare", "table.csv", "refused", "model.formula=" + formula)),
        formula);
    assertTrue(shell.err().contains(words), shell.err());
    assertTrue(Files.notExists(folder.resolve("refused/prepared")), formula);
  }
}
