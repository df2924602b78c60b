package org.lampyris.driver.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.run.Shell;
import scala.jdk.javaapi.CollectionConverters;

/** The data source, from DataFrames and from SQL, in a session that knows nothing of Lampyris. */
class LampyrisSourceIT {
  private static final String FORMULA = "visits ~ age + shop";
  private static final String GROUPS = "visits ~ age + (1 | shop)";
  private static final List<String> SETTINGS =
      List.of(
          "model.family=poisson", "sampler.draws=100", "sampler.warmup=100", "sampler.chains=2");

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static SparkSession spark;

  @BeforeAll
  static void startSpark() throws IOException {
    Random random = new Random(1);
    rows("visits.csv", 800, random);
    rows("later.csv", 300, random);
    List<String> command =
        new ArrayList<>(List.of("run", "--set", "data.input=" + path("visits.csv")));
    command.addAll(List.of("--set", "model.formula=" + FORMULA));
    SETTINGS.forEach(setting -> command.addAll(List.of("--set", setting)));
    command.addAll(List.of("--set", "output=" + path("command")));
    new Shell("local[2]").samples(command.toArray(String[]::new));
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.warehouse.dir", path("warehouse"))
            .getOrCreate();
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  private static void rows(String name, int rows, Random random) throws IOException {
    List<String> lines = new ArrayList<>(List.of("visits,age,shop"));
    for (int n = 0; n < rows; n++) {
      double age = 20 + 50 * random.nextDouble();
      int shop = random.nextInt(5);
      double mean = Math.exp(-1 + 0.02 * age - 0.2 * shop);
      int count = 0;
      for (double left = Math.exp(-mean), u = random.nextDouble(), p = left; u > left; left += p) {
        p *= mean / ++count;
      }
      lines.add(String.format(Locale.ROOT, "%d,%.1f,s%d", count, age, shop));
    }
    Files.write(folder.resolve(name), lines);
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static Dataset<Row> table(String name) {
    return spark.read().option("header", true).option("inferSchema", true).csv(path(name));
  }

  private static DataFrameWriter<Row> writer(Dataset<Row> rows) {
    DataFrameWriter<Row> writer = rows.write().format("lampyris").option("formula", FORMULA);
    SETTINGS.forEach(
        setting -> {
          String[] key = setting.split("=", 2);
          writer.option(key[0], key[1]);
        });
    return writer;
  }

  private static Dataset<Row> read(String folder, String table) {
    return spark.read().format("lampyris").option("table", table).load(folder);
  }

  private static List<String> sorted(Dataset<Row> draws) {
    return draws.sort("`.draw`").collectAsList().stream().map(Row::toString).toList();
  }

  private static List<String> drawsOf(String folder) {
    return sorted(spark.read().parquet(folder + "/draws"));
  }

  private static JsonNode manifest(String folder) throws IOException {
    return new ObjectMapper().readTree(Path.of(folder, "manifest.json").toFile());
  }

  /** Returns all files below a folder, with their times. */
  private static List<String> files(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      List<String> all = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        all.add(file + " " + Files.getLastModifiedTime(file));
      }
      return all;
    }
  }

  private static void saveAndRead(String run) throws IOException {
    SparkContext context = spark.sparkContext();
    context.setJobGroup("cell", "of a notebook", true);
    String settings = new TreeMap<>(asJava(spark)).toString();
    writer(table("visits.csv")).option("sampler.evidence", "bridge").mode("append").save(run);
    assertEquals(settings, new TreeMap<>(asJava(spark)).toString());
    assertEquals("cell", context.getLocalProperty("spark.jobGroup.id"));
    assertEquals("of a notebook", context.getLocalProperty("spark.job.description"));
    context.clearJobGroup();

    assertEquals(drawsOf(path("command")), sorted(read(run, "draws")));
    Dataset<Row> summary = spark.read().format("lampyris").load(run);
    assertEquals(
        "variable mean median sd mad q5 q95 rhat ess_bulk ess_tail mcse_mean mcse_sd",
        String.join(" ", summary.columns()));
    Row age = summary.where("variable = 'age'").select("sd", "mean").head();
    Row exact = read(run, "draws").selectExpr("stddev(age)", "avg(age)").head();
    assertEquals(exact.getDouble(0), age.getDouble(0), 1e-12);
    assertEquals(exact.getDouble(1), age.getDouble(1), 1e-12);
    assertEquals(manifest(run).path("complaints").size(), read(run, "complaints").count());
    JsonNode known = manifest(run).path("evidence");
    Row evidence = read(run, "evidence").select("standard_error", "log_evidence").head();
    assertEquals(known.path("log_evidence").asDouble(), evidence.getDouble(1), 0);
    assertEquals(known.path("standard_error").asDouble(), evidence.getDouble(0), 0);

    table("later.csv").createOrReplaceTempView("later");
    List<Row> predicted =
        spark
            .read()
            .format("lampyris")
            .option("predict", "later")
            .option("draws", 40)
            .load(run)
            .select("`.mean`", "age")
            .collectAsList();
    assertEquals(300, predicted.size());
    assertTrue(predicted.stream().allMatch(row -> row.getDouble(0) > 0));
  }

  @Test
  void effectsOfGroupsAndDrawsThatHaveNotConverged() {
    String few = path("few");
    refused(
        "are kept, but have not converged",
        () ->
            writer(table("visits.csv"))
                .option("formula", GROUPS)
                .option("sampler.draws", 20)
                .option("sampler.warmup", 20)
                .option("not_converged", "error")
                .save(few));
    assertEquals(40, read(few, "draws").count());
    assertTrue(read(few, "complaints").count() > 0);
    Dataset<Row> effects = read(few, "effects");
    assertEquals(
        "[[shop,s0], [shop,s1], [shop,s2], [shop,s3], [shop,s4]]",
        effects.select("group", "level").sort("level").collectAsList().toString());
    refused("holds no effects of groups", () -> read(path("command"), "effects"));
    refused("holds no evidence. Set sampler.evidence to bridge", () -> read(few, "evidence"));
    table("later.csv")
        .selectExpr("visits", "age", "if(shop = 's4', 's9', shop) AS shop")
        .write()
        .format("lampyris")
        .mode("append")
        .save(few);
    assertEquals(6, read(few, "effects").count());
  }

  private static Map<String, String> asJava(SparkSession session) {
    return CollectionConverters.asJava(session.conf().getAll());
  }

  @Test
  void drawsAreThoseOfTheCommandAndModesThoseOfSpark() throws IOException {
    String run = path("saved");
    saveAndRead(run);
    List<String> first = drawsOf(run);
    List<String> before = files(run);
    refused(
        "holds a run. Choose another path, or set mode",
        () -> writer(table("visits.csv")).save(run));
    writer(table("later.csv")).mode("ignore").save(run);
    // A replacement that fails after its table is prepared leaves the earlier run whole.
    refused(
        "sgld",
        () ->
            writer(table("visits.csv"))
                .option("formula", GROUPS)
                .option("sampler.algorithm", "sgld")
                .mode("overwrite")
                .save(run));
    refused("is 0 in every row", () -> writer(constant()).mode("overwrite").save(run));
    assertEquals(before, files(run));

    table("later.csv").write().format("lampyris").mode("append").save(run);
    assertEquals(1_100, manifest(run).at("/data/rows").asLong());
    assertEquals(drawsOf(run), sorted(read(run, "draws")));
    assertNotEquals(first, drawsOf(run));
    assertTrue(Files.exists(Path.of(run, "prepared")), "later rows need the earlier table");

    Files.writeString(Path.of(run, "prepared", "thesis.tex"), "mine");
    writer(table("visits.csv")).mode("overwrite").save(run);
    assertEquals(first, sorted(read(run, "draws")));
    assertEquals(
        "bounds-3 draws draws.csv manifest.json prepared prepared-3 report.html sampler_stats"
            + " summary.csv",
        Shell.files(Path.of(run)));
    assertEquals("thesis.tex", Shell.files(Path.of(run, "prepared")));
  }

  private static Dataset<Row> constant() {
    return table("later.csv").selectExpr("0 AS visits", "age", "shop", "input_file_name() AS f");
  }

  @Test
  void sqlCreatesAndReadsATable() {
    table("visits.csv").createOrReplaceTempView("visits");
    String options =
        "formula '"
            + FORMULA
            + "', "
            + String.join(
                ", ",
                SETTINGS.stream().map(setting -> setting.replaceFirst("=(.*)", " '$1'")).toList());
    spark.sql("CREATE TABLE m USING lampyris OPTIONS (" + options + ") AS SELECT * FROM visits");
    assertEquals(
        List.of("(Intercept)", "age"),
        spark.sql("SELECT variable FROM m WHERE variable NOT LIKE 'shop%'").collectAsList().stream()
            .map(row -> row.getString(0))
            .toList());
    assertEquals(6, spark.sql("SELECT * FROM m").count());
    assertEquals(drawsOf(path("command")), drawsOf(path("warehouse/m")));
    spark.sql("DROP TABLE m");
    assertFalse(Files.exists(Path.of(path("warehouse/m"))));
    // Over a run that is there, SQL has no mode: Spark refuses.
    assertThrows(
        AnalysisException.class,
        () ->
            spark.sql(
                "CREATE TABLE n USING lampyris OPTIONS (path '"
                    + path("command")
                    + "', formula 'visits ~ age') AS SELECT * FROM visits"));
  }

  @Test
  void whatIsWrongIsOneSentenceAndLeavesNothing() throws IOException {
    Dataset<Row> visits = table("visits.csv");
    String never = path("never");
    refused(
        "unknown key \"sampler.drws\"; the nearest known key is \"draws\"",
        () -> writer(visits).option("sampler.drws", 5).save(never));
    refused(
        "or option(\"data.label\", \"clicked\")",
        () -> visits.write().format("lampyris").save(never));
    refused("did you mean 'table'?", () -> writer(visits).option("tabel", "x").save(never));
    refused("Remove partitionBy", () -> writer(visits).partitionBy("shop").save(never));
    refused(
        "has type",
        () -> writer(visits.selectExpr("visits", "shop", "struct(age) AS age")).save(never));
    refused(
        "has type",
        () -> writer(visits.selectExpr("visits", "shop", "array(shop) AS age")).save(never));
    refused("vists", () -> writer(visits).option("formula", "vists ~ age").save(never));
    refused("not_converged", () -> writer(visits).option("not_converged", "x").save(never));
    refused("holds no completed run", () -> spark.read().format("lampyris").load(never));
    refused(
        "holds no completed run", () -> writer(visits).option("from", path("nowhere")).save(never));
    assertFalse(Files.exists(Path.of(never)), "nothing is left");
    String parquet = path("parquet");
    visits.write().parquet(parquet);
    List<String> before = files(parquet);
    for (String mode : List.of("overwrite", "append", "ignore", "errorifexists")) {
      refused("holds something else", () -> writer(visits).mode(mode).save(parquet));
      refused("holds something else", () -> writer(visits).mode(mode).save(path("visits.csv")));
    }
    assertEquals(before, files(parquet));
    Files.createDirectories(folder.resolve("begun/prepared"));
    refused("beginning of a run", () -> writer(visits).mode("append").save(path("begun")));
    assertThrows(
        AnalysisException.class,
        () -> spark.read().format("lampyris").option("predict", "gone").load(path("command")));
    Dataset<Row> stream = spark.readStream().format("rate").load();
    assertThrows(AnalysisException.class, () -> stream.write().format("lampyris").save(never));
    assertThrows(
        Exception.class, () -> stream.writeStream().format("lampyris").start(never).stop());
  }

  private static void refused(String words, Runnable call) {
    SourceException refused = assertThrows(SourceException.class, call::run, words);
    String message = refused.getMessage();
    assertNotNull(message);
    assertTrue(message.contains(words), message);
    assertFalse(((SparkThrowable) refused).isInternalError());
  }
}
