package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.run.Shell;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.run.Bias;

/** The command line from the arguments to the output folder, with steps that do next to nothing. */
class CommandLineIT {
  private final Path folder;
  private final FakeSteps steps = new FakeSteps();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> warnings = new ArrayList<>();
  private final Progress silent =
      new Shell.Silence() {
        @Override
        public void warn(String message) {
          warnings.add(message);
        }
      };

  CommandLineIT(@TempDir Path temp) {
    this.folder = temp.resolve("a b");
  }

  @BeforeEach
  void masterFromOutside() throws IOException {
    // As spark-submit hands them over: the code itself sets no master.
    System.setProperty("spark.master", "local[1]");
    System.setProperty("spark.ui.enabled", "false");
    System.setProperty("spark.driver.host", "127.0.0.1");
    System.setProperty("spark.kryo.registrator", "");
    Files.createDirectories(folder);
  }

  @AfterEach
  void clear() {
    System.clearProperty("spark.master");
    System.clearProperty("spark.ui.enabled");
    System.clearProperty("spark.driver.host");
    System.clearProperty("spark.kryo.registrator");
    System.clearProperty("spark.app.name");
  }

  private int lampyris(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLineInterface(steps, new PrintWriter(out), new PrintWriter(err), () -> silent)
        .execute(args);
  }

  private String job(String more) throws IOException {
    return Files.writeString(
            folder.resolve("job.yaml"),
            "data: {input: t.csv, label: y}\noutput: \""
                + folder
                + "/out\"\nsampler: {chains: 2, warmup: 2, draws: 3}\n"
                + more)
        .toString();
  }

  private static final String MODELLED =
      """
      Model: logistic; label clicked: class 1 is 'yes', class 0 is 'no'; 12 rows, without 3 rows \
      with missing values.
      Reference levels: country[DE].
      Note: column 'id' counts the rows.
      """;

  @Test
  void runDoesAllAndLeavesTheOutputFolder() throws IOException {
    assertEquals(0, lampyris("run", "--config", job("")), err.toString());
    String output = folder + "/out";
    assertEquals(
        List.of("prepare t.csv", "precompute " + output + "/bounds", "sample " + output),
        steps.calls);
    assertEquals("", err.toString());
    assertTrue(
        out.toString().contains("Draws, summary, manifest and report.html are in " + output + "."));
    assertTrue(out.toString().startsWith(MODELLED), out.toString());
    try (Stream<Path> files = Files.list(folder.resolve("out"))) {
      assertEquals(
          List.of(
              "draws",
              "draws.csv",
              "manifest.json",
              "prepared",
              "report.html",
              "sampler_stats",
              "steps.json",
              "summary.csv"),
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.endsWith(".crc"))
              .sorted()
              .toList());
    }
    drawsAreOnTheInputsScaleInFull();
    statisticsAreInFull();
    manifestTellsWhatWasRun();
  }

  private void drawsAreOnTheInputsScaleInFull() throws IOException {
    List<String> csv = Files.readAllLines(folder.resolve("out/draws.csv"));
    assertEquals(
        ".chain,.iteration,.draw,lp__,(Intercept),x.1,\"say \"\"a, b\"\"\",country[FR]",
        csv.get(0));
    assertEquals("2,2,5,-2.142857142857143,4.0,1.3333333333333333,-0.0,1.0E-300", csv.get(5));
    assertEquals(7, csv.size());
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      Dataset<Row> draws = spark.read().parquet(folder + "/out/draws");
      assertEquals(
          csv.get(0).replace("\"\"", "'").replace("\"", "").replace("'", "\""),
          String.join(",", draws.columns()));
      Row row = draws.orderBy("`.draw`").collectAsList().get(4);
      assertEquals(
          "[2,2,5,-2.142857142857143,4.0,1.3333333333333333,-0.0,1.0E-300]", row.toString());
    }
  }

  private void statisticsAreInFull() throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      Dataset<Row> stats = spark.read().parquet(folder + "/out/sampler_stats");
      assertEquals(
          ".chain,.iteration,warmup,acceptance_probability,likelihood_evaluations,bright_rows,"
              + "divergent,seconds",
          String.join(",", stats.columns()));
      List<Row> rows = stats.orderBy("`.chain`", "seconds", "`.iteration`").collectAsList();
      assertEquals(10, rows.size());
      assertEquals("[1,2,true,0.5,100,30,false,0.01]", rows.get(1).toString());
      assertEquals("[1,1,false,0.25,10,null,false,0.02]", rows.get(2).toString());
      assertEquals("[2,2,false,0.25,11,5,true,0.02]", rows.get(8).toString());
    }
  }

  private void manifestTellsWhatWasRun() throws IOException {
    JsonNode manifest = new ObjectMapper().readTree(folder.resolve("out/manifest.json").toFile());
    assertEquals("run", manifest.at("/command").asText());
    assertEquals("4.1.3", manifest.at("/versions/spark").asText());
    assertTrue(manifest.at("/versions/lampyris").asText().matches("\\d+\\.\\d+.*"));
    assertEquals("f00d", manifest.at("/data/fingerprint").asText());
    assertEquals(12, manifest.at("/data/rows").asLong());
    assertEquals("yes", manifest.at("/modelled/positive").asText());
    assertEquals("no", manifest.at("/modelled/classes/0").asText());
    assertEquals("DE", manifest.at("/modelled/references/country").asText());
    assertEquals(3, manifest.at("/modelled/left_out").asLong());
    assertEquals("country[FR]", manifest.at("/data/coefficients/3").asText());
    assertEquals(2 * (200 + 33), manifest.at("/counts/likelihood_evaluations").asLong());
    assertEquals(44, manifest.at("/counts/jobs").asLong());
    assertEquals(3, manifest.at("/counts/passes").asLong());
    assertEquals(120, manifest.at("/counts/setup_evaluations").asLong());
    assertEquals(0.25, manifest.at("/chains/1/mean_acceptance").asDouble());
    assertEquals(0.7, manifest.at("/chains/1/step_size").asDouble());
    assertEquals(11, manifest.at("/chains/1/evaluations_per_iteration").asDouble());
    assertEquals(1, manifest.at("/chains/1/divergent").asLong());
    assertTrue(manifest.at("/chains/1/mean_bright_rows").isNull());
    assertEquals(1.5, manifest.at("/seconds/sampling").asDouble());
    assertTrue(manifest.at("/seconds/prepare").asDouble() > 0);
    assertEquals(0.01, manifest.at("/configuration/sampler/firefly/q").asDouble());
    assertEquals("auto", manifest.at("/configuration/sampler/firefly/bound").asText());
  }

  @Test
  void existingResultsAreRefusedBeforeAnyWork() throws IOException {
    String job = job("");
    assertEquals(0, lampyris("run", "--config", job), err.toString());
    steps.calls.clear();
    assertEquals(2, lampyris("run", "--config", job));
    assertTrue(err.toString().contains("already holds draws"), err.toString());
    assertEquals(2, lampyris("sample", "--config", job));
    assertEquals(List.of(), steps.calls);
    assertEquals(0, lampyris("sample", "--config", job, "--overwrite"), err.toString());
    assertTrue(Files.isDirectory(folder.resolve("out/prepared")));
    assertEquals(0, lampyris("run", "--config", job, "--overwrite"), err.toString());
    Files.move(folder.resolve("out/prepared"), folder.resolve("p2"));
    steps.calls.clear();
    assertEquals(
        2,
        lampyris(
            "run",
            "--config",
            job,
            "--set",
            "output=" + folder + "/o2",
            "--set",
            "prepared=" + folder + "/p2"));
    assertTrue(err.toString().contains("The prepared table in " + folder + "/p2 exists"));
    assertFalse(Files.exists(folder.resolve("o2")));
    assertEquals(List.of(), steps.calls);
  }

  @Test
  void whatIsKnownToMixBadlyIsWarnedOfBeforeAnyWork() throws IOException {
    steps.whileSampling = spark -> assertEquals(1, warnings.size());
    String job = job("");
    String algorithm = "sampler.algorithm=smh";
    String order = "sampler.subsampling.order=1";
    assertEquals(0, lampyris("run", "--config", job, "--set", algorithm, "--set", order));
    assertTrue(warnings.get(0).contains("Set sampler.subsampling.order: 2"), warnings.toString());
    warnings.clear();
    assertEquals(
        0,
        lampyris("sample", "--overwrite", "--config", job, "--set", algorithm, "--set", order),
        err.toString());
    assertEquals(1, warnings.size());
    warnings.clear();
    steps.whileSampling = spark -> {};
    lampyris("sample", "--overwrite", "--config", job, "--set", algorithm);
    lampyris("sample", "--overwrite", "--config", job, "--set", order);
    assertEquals(List.of(), warnings);
  }

  @Test
  void doubtfulDrawsAreKeptWithExitCode4() throws IOException {
    steps.rhat = 1.05;
    assertEquals(4, lampyris("run", "--config", job("")));
    assertTrue(
        err.toString().startsWith("lampyris: R-hat > 1.01 or ESS < 400 for 4 of 4 coefficients"),
        err.toString());
    assertTrue(Files.exists(folder.resolve("out/draws.csv")));
    assertEquals(4, lampyris("summarize", folder + "/out"));
    steps.rhat = 1.0;
    assertEquals(0, lampyris("summarize", "--run", folder + "/out"), err.toString());
  }

  @Test
  void whatAnApproximationIsOffByIsSaidAndInTheManifest() throws IOException {
    steps.bias = new Bias("a knob", Map.of("rate", 0.25), "1 of 4 is wrong");
    assertEquals(0, lampyris("run", "--config", job("")), err.toString());
    assertTrue(out.toString().contains("bias: 1 of 4 is wrong\n"), out.toString());
    String manifest = Files.readString(folder.resolve("out/manifest.json"));
    assertTrue(manifest.contains("\"rate\" : 0.25"), manifest);
  }

  @Test
  void summarizeReadsParquetOrCsvAndShowsTheTruth() throws IOException {
    assertEquals(0, lampyris("run", "--config", job("")));
    String first = out.toString();
    Path summary = folder.resolve("out/summary.csv");
    String written = Files.readString(summary);
    assertTrue(written.startsWith("variable,mean,median,sd,mad,q5,q95,rhat,ess_bulk,ess_tail,"));
    assertTrue(written.contains("\n(Intercept),3.0,3.0,1.0,"), written);
    Files.delete(summary);
    assertEquals(0, lampyris("summarize", folder + "/out"), err.toString());
    // The draws do not tell of divergent iterations, as the run did.
    String divergences = "2 of 6 iterations (33 %) were divergent: ";
    assertTrue(first.contains(divergences), first);
    assertEquals(
        first.lines().filter(line -> !line.startsWith(divergences)).toList(),
        out.toString().lines().toList());
    assertEquals(written, Files.readString(summary));
    try (Stream<Path> files = Files.walk(folder.resolve("out/draws"))) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    assertEquals(0, lampyris("summarize", folder + "/out"), err.toString());
    assertEquals(written, Files.readString(summary));
    Path truth = Files.writeString(folder.resolve("t.csv"), "variable,value\n(Intercept),2.5\n");
    assertEquals(0, lampyris("summarize", folder + "/out", "--truth", truth.toString()));
    assertTrue(out.toString().contains("1 of 1 true values"), out.toString());
  }

  @Test
  void summarizeTellsWhatIsWrongWithTheDraws() throws IOException {
    Path run = Files.createDirectories(folder.resolve("r"));
    assertEquals(3, lampyris("summarize", run.toString()));
    assertTrue(err.toString().contains("holds neither draws/ nor draws.csv"), err.toString());
    assertEquals(3, summarized(run, ""));
    assertTrue(err.toString().contains("draws.csv is empty"), err.toString());
    assertEquals(3, summarized(run, "a,b\n1,2\n"));
    assertTrue(err.toString().contains("no columns .chain and .iteration"), err.toString());
    assertEquals(3, summarized(run, ".chain,.iteration,a\n"));
    assertTrue(err.toString().contains("holds no draws"), err.toString());
    assertEquals(3, summarized(run, ".chain,.iteration,a\n1,1,x\n"));
    assertTrue(
        err.toString().contains("draws.csv, line 2, column \"a\": \"x\" is not a number."),
        err.toString());
    assertEquals(3, summarized(run, ".chain,.iteration,a\n1,1\n"));
    assertTrue(err.toString().contains("line 2: 2 cells, but the header has 3"), err.toString());
    assertEquals(3, summarized(run, ".chain,.iteration,a\n1,1,0\n1,1,0\n"));
    assertTrue(err.toString().contains("holds iteration 1 of chain 1 twice"), err.toString());
    assertEquals(3, summarized(run, ".chain,.iteration,a\n1,1,0\n2,1,0\n2,2,0\n"));
    assertTrue(
        err.toString().contains("chain 2 has 2 draws, but another chain has 1"), err.toString());
    assertEquals(3, lampyris("summarize", run.toString(), "--truth", "/no/such.csv"));
    assertTrue(err.toString().contains("Check --truth"), err.toString());
    Path truth = Files.writeString(folder.resolve("t.csv"), "name,value\n");
    assertEquals(3, lampyris("summarize", run.toString(), "--truth", truth.toString()));
    assertTrue(err.toString().contains("the header must be variable,value"), err.toString());
  }

  private int summarized(Path run, String csv) throws IOException {
    Files.writeString(run.resolve("draws.csv"), csv);
    return lampyris("summarize", run.toString());
  }

  @Test
  void aMistakeFoundInATaskArrivesWithoutItsWrapping() throws IOException {
    steps.failInTask = true;
    assertEquals(3, lampyris("run", "--config", job("")));
    assertEquals("lampyris: t.csv, line 3: \"x\" is no number.", err.toString().strip());
    assertFalse(Files.exists(folder.resolve("out")), "nothing half-written");
  }

  @Test
  void generateTakesFlagsOverTheConfiguration() throws IOException {
    assertEquals(
        0,
        lampyris(
            "generate",
            "--config",
            job("generate: {rows: 5, features: 7, output: nowhere}"),
            "--rows",
            "9",
            "--output",
            "there"),
        err.toString());
    assertEquals(List.of("generate 9 x 7 to there"), steps.calls);
    assertEquals(2, lampyris("generate", "--rows", "9"));
    assertTrue(err.toString().contains("the key generate.output is missing"), err.toString());
    assertEquals(2, lampyris("generate", "--rows", "many", "--output", "x"));
    assertTrue(err.toString().contains("--rows many: generate.rows must be"), err.toString());
  }

  /** A model that the table does not follow may share its file. */
  @Test
  void generateSaysWhichKeysOfTheModelItDoesNotUse() throws IOException {
    String job =
        job("model: {formula: y ~ x1, offset: o}\ngenerate: {rows: 5, features: 7, output: n}");
    assertEquals(0, lampyris("generate", "--config", job), err.toString());
    String note = "The table does not depend on model.formula and model.offset: its labels follow";
    assertTrue(out.toString().contains(note), out.toString());
    assertEquals(0, lampyris("generate", "--config", job, "--dry-run"), err.toString());
    assertTrue(out.toString().contains(note), out.toString());
    assertEquals(0, lampyris("generate", "--rows", "5", "--output", "n"), err.toString());
    assertFalse(out.toString().contains("depend"), out.toString());
  }

  @Test
  void theConfigurationIsCheckedBeforeSparkStarts() throws IOException {
    System.setProperty("spark.master", "nonsense");
    assertEquals(2, lampyris("run", "--config", job("model: {prior: nromal}")));
    assertTrue(
        err.toString().contains("job.yaml:4:16: model.prior: cannot read the prior \"nromal\""),
        err.toString());
  }

  @Test
  void misuseIsToldInALine() {
    assertEquals(2, lampyris("sampel"));
    assertTrue(err.toString().contains("Did you mean"), err.toString());
    assertEquals(2, lampyris());
    assertTrue(err.toString().contains("A command is missing"), err.toString());
    assertEquals(2, lampyris("run", "--confg", "x"));
    assertTrue(err.toString().contains("Try \"lampyris run --help\""), err.toString());
    assertEquals(2, lampyris("summarize"));
    assertTrue(err.toString().contains("<folder>"), err.toString());
  }

  @Test
  void commandsOfAnotherJarAreAskedForByItsName() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertEquals(2, lampyris("bench", "--quick"));
      assertTrue(err.toString().contains("lampyris-experiments.jar, which is not"), err.toString());
      assertEquals(2, lampyris("run", "bench"));
      assertTrue(err.toString().contains("file bench does not exist"), err.toString());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void helpVersionAndConfigNeedNoSpark() throws IOException {
    System.setProperty("spark.master", "nonsense");
    assertEquals(0, lampyris("--help"));
    assertTrue(out.toString().contains("Exit codes:"), out.toString());
    assertEquals(0, lampyris("run", "--help"));
    assertTrue(out.toString().contains("--overwrite"), out.toString());
    assertEquals(0, lampyris("config", "--help"));
    for (String name : SamplingAlgorithm.registry().names()) {
      assertTrue(out.toString().contains("\n  " + name + " "), out.toString());
    }
    assertTrue(out.toString().contains("uses gradients; adapts the step size"), out.toString());
    assertEquals(0, lampyris("--version"));
    assertTrue(out.toString().matches("(?s)Lampyris \\d.* \\(Spark 4\\.1\\.3, Java .*"));
    assertEquals(0, lampyris("config", "--config", job(""), "--set", "sampler.draws=17"));
    assertTrue(out.toString().contains("draws: 17"), out.toString());
    assertTrue(out.toString().contains("prior: auto"), out.toString());
  }

  @Test
  void aMissingMasterIsTold() throws IOException {
    System.clearProperty("spark.master");
    assertEquals(2, lampyris("run", "--config", job("")));
    assertTrue(err.toString().contains("No Spark master is set"), err.toString());
  }

  @Test
  void whatTheUserSetStays() {
    System.clearProperty("spark.kryo.registrator");
    SparkConf conf = Session.configuration("run");
    assertEquals("lampyris run", conf.get("spark.app.name"));
    assertEquals("org.apache.spark.serializer.KryoSerializer", conf.get("spark.serializer"));
    assertEquals(
        "org.lampyris.executors.rows.LampyrisRegistrator", conf.get("spark.kryo.registrator"));
    System.setProperty("spark.app.name", "mine");
    System.setProperty("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    try {
      conf = Session.configuration("run");
      assertEquals("mine", conf.get("spark.app.name"));
      assertEquals("org.apache.spark.serializer.JavaSerializer", conf.get("spark.serializer"));
      System.setProperty("spark.app.name", "org.lampyris.driver.Lampyris");
      assertEquals("lampyris run", Session.configuration("run").get("spark.app.name"));
    } finally {
      System.clearProperty("spark.serializer");
    }
  }
}
