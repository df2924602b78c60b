package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A generated table sampled through the real command line, with Kryo registration required: what
 * the output folder holds, the same bits however the work is spread, and the same posterior
 * whatever the scale, the start and the algorithm.
 */
class RunIT {
  /** Every algorithm, z-kernel and scheme, as settings over the job. */
  private static final Map<String, List<String>> ALGORITHMS = algorithms();

  /**
   * Largest error of a mean or a log sd, in standard errors. For 32 normal errors the false-alarm
   * rate is below 10⁻⁶.
   */
  private static final double SIGMAS = 6;

  @TempDir private static Path folder;
  private static String truth = "";

  private static Map<String, List<String>> algorithms() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put("per-row", List.of("z_kernel=per-row"));
    all.put("implicit", List.of("z_kernel=implicit", "q=0.05"));
    all.put("untuned", List.of("bound=untuned", "z_kernel=implicit"));
    all.put("with", List.of("z_kernel=explicit", "fraction=0.2", "scheme=with-replacement"));
    all.put("without", List.of("z_kernel=explicit", "fraction=0.2", "scheme=without-replacement"));
    all.put("scheduled", List.of("z_kernel=explicit", "fraction=0.2", "scheme=scheduled"));
    return all;
  }

  @BeforeAll
  static void generate() {
    new Shell("local[2]")
        .succeeds(
            ("generate --rows 1000 --features 3 --correlation 0.4 --seed 3 --output "
                    + folder.resolve("synthetic"))
                .split(" "));
    truth = folder.resolve("synthetic/true_coefficients.csv").toString();
  }

  /** Returns a job on the generated table: its file. */
  private static String job(String name, String more) throws IOException {
    return Files.writeString(
            folder.resolve(name + ".yaml"),
            String.format(
                Locale.ROOT,
                "data: {input: \"%s\", label: y, block_rows: 64}%noutput: \"%s\"%n%s%n",
                folder.resolve("synthetic/table"),
                folder.resolve(name),
                more))
        .toString();
  }

  private static String[] command(String name, String job, List<String> settings) {
    List<String> command = new ArrayList<>(List.of(name, "--config", job));
    for (String setting : settings) {
      command.add("--set");
      command.add(setting);
    }
    return command.toArray(String[]::new);
  }

  @Test
  void theOutputFolderIsInFull() throws IOException {
    Shell shell = new Shell("local[2]");
    String job =
        job(
            "full",
            "sampler: {algorithm: firefly, kernel: random-walk, chains: 3, warmup: 20, draws: 30,"
                + " thin: 2, seed: 5}");
    shell.samples("run", "--config", job, "--truth", truth);
    String shown = shell.out();
    Path out = folder.resolve("full");
    assertEquals(
        "bounds checkpoint draws draws.csv manifest.json prepared report.html sampler_stats"
            + " steps.json summary.csv",
        Shell.files(out));
    assertTrue(shown.contains("of 4 true values lie in their 90 % interval"), shown);
    long evaluations;
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()) {
      drawsAreEqual(spark, out);
      evaluations = statistics(spark, out);
    }
    manifest(out, evaluations);

    String written = Files.readString(out.resolve("summary.csv"));
    assertTrue(
        written.startsWith(
            "variable,mean,median,sd,mad,q5,q95,rhat,ess_bulk,ess_tail,mcse_mean,mcse_sd\n"),
        written);
    Files.delete(out.resolve("summary.csv"));
    shell.samples("summarize", out.toString(), "--truth", truth);
    assertEquals(written, Files.readString(out.resolve("summary.csv")));
    assertEquals(shown, shell.out());
  }

  private static void drawsAreEqual(SparkSession spark, Path out) throws IOException {
    List<String> csv = Files.readAllLines(out.resolve("draws.csv"));
    Dataset<Row> draws = spark.read().parquet(out.resolve("draws").toString());
    assertEquals(csv.get(0), String.join(",", draws.columns()));
    assertEquals(".chain,.iteration,.draw,lp__,(Intercept),x1,x2,x3", csv.get(0));
    List<String> rows =
        draws.orderBy("`.draw`").collectAsList().stream().map(row -> row.mkString(",")).toList();
    assertEquals(csv.subList(1, csv.size()), rows);
    assertEquals(90, rows.size());
    assertTrue(rows.get(89).startsWith("3,30,90,-"), rows.get(89));
  }

  private static long statistics(SparkSession spark, Path out) {
    Dataset<Row> statistics = spark.read().parquet(out.resolve("sampler_stats").toString());
    assertEquals(3 * 20, statistics.where("warmup").count());
    assertEquals(3 * 30 * 2, statistics.where("not warmup").count());
    Row row =
        statistics
            .selectExpr(
                "min(acceptance_probability)",
                "max(acceptance_probability)",
                "min(bright_rows)",
                "max(bright_rows)",
                "sum(likelihood_evaluations)",
                "min(seconds)")
            .head();
    assertTrue(row.getDouble(0) >= 0 && row.getDouble(1) <= 1, row.toString());
    assertTrue(row.getLong(2) >= 0 && row.getLong(3) <= 1000, row.toString());
    assertTrue(row.getLong(3) > 0, row.toString());
    assertTrue(row.getDouble(5) >= 0, row.toString());
    return row.getLong(4);
  }

  private static void manifest(Path out, long evaluations) throws IOException {
    JsonNode manifest = json(out.resolve("manifest.json"));
    JsonNode schema = json(out.resolve("prepared/schema.json"));
    assertEquals("run", manifest.at("/command").asText());
    assertEquals("4.1.3", manifest.at("/versions/spark").asText());
    assertTrue(manifest.at("/versions/lampyris").asText().matches("\\d+\\.\\d+.*"));
    assertTrue(manifest.at("/ansi_sql").asBoolean(false));
    assertEquals(5, manifest.at("/seed").asLong());
    assertEquals(schema.at("/fingerprint").asText(), manifest.at("/data/fingerprint").asText());
    assertEquals(
        schema.at("/fingerprint").asText(),
        json(out.resolve("bounds/bounds.json")).findValue("fingerprint").asText());
    assertEquals(1000, manifest.at("/data/rows").asLong());
    assertEquals("(Intercept)", manifest.at("/data/coefficients/0").asText());
    assertEquals(3, manifest.at("/counts/chains").asInt());
    assertEquals(30, manifest.at("/counts/draws_per_chain").asInt());
    assertEquals(evaluations, manifest.at("/counts/likelihood_evaluations").asLong());
    // One job for the start. Segments: fewer jobs than there are iterations.
    assertTrue(manifest.at("/counts/jobs").asLong() < 20 + 30 * 2, manifest.toPrettyString());
    assertTrue(
        manifest.at("/decisions/0/text").asText().startsWith("plan: "), manifest.toPrettyString());
    assertEquals(1, manifest.at("/counts/passes").asLong());
    // 15 for the rate of a row whose rate the bound alone does not tell, and of a row of the first
    // blocks for their mean; chains begin dark.
    long setup = manifest.at("/counts/setup_evaluations").asLong();
    assertEquals(0, setup % 15, Long.toString(setup));
    assertTrue(setup > 0 && setup <= 2 * 15 * 1000, Long.toString(setup));
    for (String phase : List.of("prepare", "precompute", "load", "sample")) {
      assertTrue(manifest.at("/seconds/" + phase).asDouble() > 0, phase);
    }
    for (int chain = 0; chain < 3; chain++) {
      JsonNode one = manifest.at("/chains/" + chain);
      assertEquals(chain + 1, one.at("/chain").asInt());
      assertTrue(one.at("/step_size").asDouble() > 0);
      assertTrue(one.at("/mean_acceptance").asDouble() > 0);
      assertTrue(one.at("/mean_bright_rows").asDouble() > 0);
      assertTrue(one.at("/evaluations_per_iteration").asDouble() > 0);
    }
    assertEquals("firefly", manifest.at("/configuration/sampler/algorithm").asText());
    assertEquals(64, manifest.at("/configuration/data/block_rows").asInt());
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  /** Not only the chains: the prepared table and the bounds are made anew under each spread. */
  @Test
  void oneSeedGivesTheSameBitsHoweverTheWorkIsSpread() throws IOException {
    String job = job("bits", "sampler: {chains: 2, warmup: 10, draws: 15, seed: 8}");
    Map<String, String> first = spread(job, "local[1]", 1, 1, "segment");
    assertEquals(first, spread(job, "local[2]", 2, 2, "stepwise"));
    assertEquals(first, spread(job, "local[2]", 8, 5, "segment"));
    if ("all".equals(System.getProperty("lampyris.validation"))) {
      assertEquals(first, spread(job, "local[1]", 8, 3, "auto"));
    }
    assertEquals(ALGORITHMS.size() + 3, first.values().stream().distinct().count());
  }

  /**
   * Returns the draws of every algorithm.
   *
   * @param plan the plan of execution, for the algorithms that have segments
   */
  private static Map<String, String> spread(
      String job, String master, int partitions, int shuffles, String plan) throws IOException {
    String name = master.charAt(6) + "-" + partitions;
    Shell shell =
        new Shell(master)
            .set("spark.sql.shuffle.partitions", Integer.toString(shuffles))
            .set("spark.sql.files.maxPartitionBytes", Integer.toString(40_000 / shuffles));
    List<String> settings =
        List.of(
            "data.partitions=" + partitions,
            "prepared=" + folder.resolve("prepared-" + name),
            "bounds=" + folder.resolve("bounds-" + name));
    shell.succeeds(command("prepare", job, settings));
    shell.succeeds(command("precompute", job, settings));
    Map<String, String> draws = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> algorithm : ALGORITHMS.entrySet()) {
      List<String> all = new ArrayList<>(settings);
      algorithm.getValue().forEach(setting -> all.add("sampler.firefly." + setting));
      all.add("sampler.algorithm=firefly");
      all.add("sampler.plan=" + plan);
      draws.put(algorithm.getKey(), draws(shell, job, name + algorithm.getKey(), all));
    }
    // What auto chooses draws as it does when it is asked for by name.
    for (String algorithm : List.of("metropolis", "mhss", "smh", "auto")) {
      List<String> all = new ArrayList<>(settings);
      all.add("sampler.algorithm=" + algorithm);
      boolean segments = algorithm.equals("mhss") || algorithm.equals("smh");
      all.add("sampler.plan=" + (segments ? plan : "auto"));
      draws.put(algorithm, draws(shell, job, name + algorithm, all));
    }
    String choice =
        json(folder.resolve("draws-" + name + "auto/manifest.json"))
            .at("/decisions/0/text")
            .asText();
    assertTrue(
        choice.matches("algorithm: (\\w+) \\(expected .*: \\1 \\S+, \\w+ \\S+, \\w+ \\S+\\)"),
        choice);
    return draws;
  }

  private static String draws(Shell shell, String job, String name, List<String> settings)
      throws IOException {
    List<String> all = new ArrayList<>(settings);
    all.add("output=" + folder.resolve("draws-" + name));
    shell.samples(command("sample", job, all));
    return Files.readString(folder.resolve("draws-" + name + "/draws.csv"));
  }

  @Test
  void thePosteriorIsTheSameOnEveryScaleAndFromEveryStart() throws IOException {
    String sampler =
        "sampler: {algorithm: metropolis, hmc: {leapfrog_steps: 3}, chains: 8, warmup: 100,"
            + " draws: 150, seed: 2}\n";
    Map<String, double[]> reference =
        posterior("none", "model: {prior: flat}\n" + sampler, List.of());
    agree(
        "unit",
        reference,
        posterior(
            "unit",
            "model: {prior: flat}\n" + sampler,
            List.of("sampler.algorithm=firefly", "data.standardize=unit")));
    agree(
        "overdispersed",
        reference,
        posterior(
            "over",
            "model: {prior: flat}\n" + sampler,
            List.of("sampler.algorithm=firefly", "sampler.init=overdispersed")));
    // A prior this wide moves a mean by less than 1e-3 of its sd, below what the draws can tell.
    agree(
        "prior",
        reference,
        posterior(
            "prior",
            "model: {prior: \"normal(0, 10)\"}\n" + sampler,
            List.of("sampler.init=prior", "sampler.warmup=200")));
  }

  private static Map<String, double[]> posterior(String name, String more, List<String> settings)
      throws IOException {
    new Shell("local[2]").samples(command("run", job("posterior-" + name, more), settings));
    List<String> lines = Files.readAllLines(folder.resolve("posterior-" + name + "/summary.csv"));
    return lines.subList(1, lines.size()).stream()
        .map(line -> line.split(","))
        .collect(
            Collectors.toMap(
                cells -> cells[0],
                cells -> Arrays.stream(cells).skip(1).mapToDouble(Double::parseDouble).toArray()));
  }

  private static void agree(
      String name, Map<String, double[]> reference, Map<String, double[]> found) {
    assertEquals(reference.keySet(), found.keySet());
    found.forEach(
        (variable, row) -> {
          double[] other = Objects.requireNonNull(reference.get(variable));
          double mean = (row[0] - other[0]) / Math.hypot(row[9], other[9]);
          double logSd =
              Math.log(row[2] / other[2]) / Math.hypot(row[10] / row[2], other[10] / other[2]);
          String what = name + ", " + variable + ": ";
          assertTrue(row[7] > 100, what + "effective sample size " + row[7]);
          assertTrue(Math.abs(mean) < SIGMAS, what + "mean off by " + mean + " standard errors");
          assertTrue(Math.abs(logSd) < SIGMAS, what + "sd off by " + logSd + " standard errors");
        });
  }
}
