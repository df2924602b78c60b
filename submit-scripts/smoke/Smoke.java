import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import org.lampyris.samplers.algorithm.SamplingAlgorithm;
import org.lampyris.samplers.algorithm.Trait;

/**
 * Commands and data source of the smoke set (smoke.sh), in one process and one session: every
 * algorithm, smooths, effects of groups, resume, predictions. Prints a line for each step. The
 * first failure ends it with code 1. The tests, not this, judge the draws.
 */
public class Smoke {
  private static final double SLOPE = 0.02;

  /** Keys that make a run of an algorithm short, or that it needs. */
  private static final Map<String, String> OWN =
      Map.of(
          "austerity", "sampler.austerity.epsilon=0.1",
          "sgld", "sampler.sgld.batch=300",
          "laplace", "sampler.laplace.correct=true",
          "naive-subsampling", "sampler.baseline.fraction=0.02",
          "rhee-glynn", "sampler.baseline.batch=20");

  private final Path folder;
  private final StringWriter said = new StringWriter();

  private Smoke(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    // One session for all steps: a command leaves open what it has found open.
    try (SparkSession spark =
        SparkSession.builder()
            .config(Session.configuration("smoke"))
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .getOrCreate()) {
      System.out.printf(
          "Spark %s, Scala %s, Java %d%n",
          spark.version(),
          scala.util.Properties.versionNumberString(),
          Runtime.version().feature());
      Smoke smoke = new Smoke(folder);
      smoke.algorithms();
      smoke.groups();
      smoke.resume();
      smoke.source(spark);
    }
  }

  private void algorithms() {
    command("generate", "--rows", "20000", "--features", "5", "--seed", "1", "--output", made("t"));
    String input = "data.input=" + made("t/table");
    run("auto", input);
    for (SamplingAlgorithm algorithm : SamplingAlgorithm.registry().all()) {
      String name = algorithm.name();
      // There is no class of a program here to sample.
      if (!algorithm.has(Trait.DRAWS_EFFECTS) && !name.equals("program")) {
        // It needs a bound that logistic regression lacks.
        boolean robust = name.equals("pseudo-marginal-firefly");
        run(
            name,
            input,
            "sampler.algorithm=" + name,
            robust ? "model.family=robust" : "model.family=logistic",
            robust ? "model.scale=0.5" : OWN.getOrDefault(name, "sampler.seed=1"));
      }
    }
    predict("auto", made("t/table"), input);
  }

  private void groups() throws IOException {
    StringBuilder csv = new StringBuilder("y,x,g\n");
    for (int i = 0; i < 600; i++) {
      double x = i % 17 / 17.0;
      csv.append(2 * x + Math.sin(i % 12) + 0.1 * (i * 7919 % 13 - 6)).append(',').append(x);
      csv.append(",g").append(i % 12).append('\n');
    }
    Files.writeString(folder.resolve("g.csv"), csv);
    String input = "data.input=" + made("g.csv");
    for (String formula : List.of("y ~ x + (x | g)", "y ~ s(x, k = 8) + g")) {
      String name = formula.contains("|") ? "groups" : "smooth";
      String[] keys = {input, "model.family=gaussian", "model.formula=" + formula};
      run(name, keys);
      predict(name, made("g.csv"), keys);
    }
  }

  /** Draws more from a checkpoint: the bits of a run that was never interrupted. */
  private void resume() throws IOException {
    String[] keys = {"data.input=" + made("t/table"), "sampler.algorithm=firefly", "sampler.draws=40"};
    run("part", keys);
    keys[2] = "sampler.draws=80";
    run("whole", keys);
    List<String> more = arguments("sample", "part", keys);
    more.add("--resume");
    command(more.toArray(String[]::new));
    require(
        Files.mismatch(folder.resolve("whole/draws.csv"), folder.resolve("part/draws.csv")) == -1,
        "resumed draws differ from the draws of an uninterrupted run");
  }

  private void source(SparkSession spark) {
    Dataset<Row> rows =
        spark.sql(
            "SELECT CAST(pmod(hash(id, 'u'), 9973) / 9973.0D < 1 / (1 + exp(-"
                + SLOPE
                + " * (id % 100 - 50))) AS INT) AS clicked, id % 100 AS age, id % 7 AS user"
                + " FROM range(20000)");
    rows.createOrReplaceTempView("clicks");
    String model = made("clicks");
    long start = System.nanoTime();
    rows.drop("user")
        .write()
        .format("lampyris")
        .option("formula", "clicked ~ age")
        .option("sampler.draws", 100)
        .save(model);
    rows.drop("user").limit(500).write().format("lampyris").mode(SaveMode.Append).save(model);
    Row age = spark.read().format("lampyris").load(model).filter("variable = 'age'").head();
    require(
        Math.abs(age.<Double>getAs("mean") - SLOPE) < 5 * age.<Double>getAs("sd"), age.toString());
    passed("data source: fit, append, summary", start);
    start = System.nanoTime();
    rows.write()
        .format("lampyris")
        .option("formula", "clicked ~ age + (1 | user)")
        .option("sampler.draws", 100)
        .save(made("users"));
    spark.sql(
        "CREATE TEMPORARY VIEW p USING lampyris OPTIONS (path '"
            + made("users")
            + "', predict 'clicks')");
    require(
        spark.sql("SELECT `.mean` FROM p WHERE `.mean` BETWEEN 0 AND 1").count() == 20000,
        "predictions are missing");
    passed("data source: fit with effects of groups, predict", start);
    start = System.nanoTime();
    spark.sql(
        "CREATE TABLE m USING lampyris OPTIONS (formula 'clicked ~ age', sampler.draws '100') AS"
            + " SELECT clicked, age FROM clicks");
    require(spark.sql("SELECT * FROM m").count() == 2, "the table of SQL has not two rows");
    passed("SQL: CREATE TABLE, SELECT", start);
  }

  private void run(String name, String... keys) {
    command(arguments("run", name, keys).toArray(String[]::new));
    require(Files.exists(folder.resolve(name).resolve("report.html")), name + " has no report");
  }

  private void predict(String name, String table, String... keys) {
    List<String> all = arguments("predict", name, keys);
    all.addAll(List.of("--input", table, "--to", made(name + "-predicted")));
    command(all.toArray(String[]::new));
  }

  /** Returns the arguments of a command that draws 100 times in two chains, unless told otherwise. */
  private List<String> arguments(String command, String name, String... keys) {
    List<String> all = new ArrayList<>(List.of(command, "--set", "output=" + made(name)));
    if (Arrays.stream(keys).noneMatch(key -> key.startsWith("model.formula="))) {
      all.addAll(List.of("--set", "data.label=y"));
    }
    List<String> set = new ArrayList<>(List.of("sampler.chains=2", "sampler.draws=100"));
    set.addAll(Arrays.asList(keys));
    set.forEach(key -> all.addAll(List.of("--set", key)));
    return all;
  }

  private String made(String name) {
    return folder.resolve(name).toString();
  }

  /** Runs a command, which may say that the draws are few. */
  private void command(String... args) {
    long start = System.nanoTime();
    said.getBuffer().setLength(0);
    PrintWriter out = new PrintWriter(said, true);
    int code =
        new CommandLineInterface(new Steps(), out, out, () -> Progress.lines(l -> {}))
            .execute(args);
    require(code == 0 || code == 4, String.join(" ", args) + " ended with " + code);
    String output = args[2].startsWith("output=") ? " " + Path.of(args[2]).getFileName() : "";
    passed(args[0] + output, start);
  }

  private static void passed(String step, long start) {
    System.out.printf("%s: %.1f s%n", step, 1e-9 * (System.nanoTime() - start));
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      System.err.println(said);
      System.err.println("smoke: " + what);
      System.exit(1);
    }
  }
}
