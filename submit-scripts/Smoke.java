import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.cli.CommandLineInterface;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;

/**
 * Smoke set of smoke.sh, in one process and one session: is the jar whole on this line of Spark? A
 * line for each step; the first failure ends it with code 1. What the draws are worth, the tests
 * hold.
 */
public class Smoke {
  private static final double SLOPE = 0.02;

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
      System.out.println("Spark " + spark.version() + ", Java " + Runtime.version().feature());
      Files.writeString(folder.resolve("job.yaml"), "sampler: {chains: 2, warmup: 100}\n");
      Smoke smoke = new Smoke(folder);
      smoke.algorithms();
      smoke.groups();
      smoke.resume();
      smoke.source(spark);
      System.out.println("All steps succeeded.");
    }
  }

  private void algorithms() {
    command("generate", "--rows", "20000", "--features", "5", "--seed", "1", "--output", made("t"));
    for (String what :
        List.of(
            "auto",
            "metropolis",
            "firefly",
            "mhss",
            "smh",
            "delayed-acceptance",
            "perfect",
            "laplace",
            "austerity",
            "sgld",
            "shards",
            "rhee-glynn")) {
      sampled(what, "logistic", "data.input=" + made("t/table"), "sampler.algorithm=" + what);
    }
    List<String> predict = arguments("predict", "auto", "logistic", "data.input=" + made("t/table"));
    predict.addAll(List.of("--input", made("t/table"), "--to", made("p")));
    command(predict.toArray(String[]::new));
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
    sampled("effects", "gaussian", input, "model.formula=y ~ x + (x | g)");
    sampled("smooth", "gaussian", input, "model.formula=y ~ s(x, k = 8) + g");
  }

  /** Draws more from a checkpoint: the bits of a run that was never interrupted. */
  private void resume() throws IOException {
    String input = "data.input=" + made("t/table");
    String firefly = "sampler.algorithm=firefly";
    sampled("whole", "logistic", input, firefly, "sampler.draws=80");
    sampled("part", "logistic", input, firefly, "sampler.draws=40");
    List<String> more = arguments("sample", "part", "logistic", input, firefly, "sampler.draws=80");
    more.add("--resume");
    command(more.toArray(String[]::new));
    require(
        Files.readString(folder.resolve("whole/draws.csv"))
            .equals(Files.readString(folder.resolve("part/draws.csv"))),
        "resumed draws differ from those of an uninterrupted run");
  }

  private void source(SparkSession spark) {
    Dataset<Row> rows =
        spark.sql(
            "SELECT CAST(pmod(hash(id, 'u'), 9973) / 9973.0D < 1 / (1 + exp(-"
                + SLOPE
                + " * (id % 100 - 50))) AS INT) AS clicked, id % 100 AS age, id % 7 AS user"
                + " FROM range(20000)");
    String model = made("clicks");
    rows.write()
        .format("lampyris")
        .option("formula", "clicked ~ age + (1 | user)")
        .option("sampler.draws", 100)
        .save(model);
    rows.limit(500).write().format("lampyris").mode("append").save(model);
    Row age = spark.read().format("lampyris").load(model).filter("variable = 'age'").head();
    require(
        Math.abs(age.<Double>getAs("mean") - SLOPE) < 5 * age.<Double>getAs("sd"), age.toString());
    rows.createOrReplaceTempView("clicks");
    spark.sql(
        "CREATE TABLE m USING lampyris OPTIONS (formula 'clicked ~ age', sampler.draws '100') AS"
            + " SELECT clicked, age FROM clicks");
    require(spark.sql("SELECT * FROM m").count() == 2, "the table of SQL has not two rows");
    spark.sql(
        "CREATE TEMPORARY VIEW p USING lampyris OPTIONS (path '" + model + "', predict 'clicks')");
    require(
        spark.sql("SELECT `.mean` FROM p WHERE `.mean` BETWEEN 0 AND 1").count() == 20000,
        "predictions are missing");
    System.out.println("the data source");
  }

  private void sampled(String name, String family, String... settings) {
    command(arguments("run", name, family, settings).toArray(String[]::new));
    require(Files.exists(folder.resolve(name).resolve("report.html")), name + " has no report");
  }

  private List<String> arguments(String command, String name, String family, String... settings) {
    List<String> all = new ArrayList<>(List.of(command, "--config", made("job.yaml")));
    List<String> keys = new ArrayList<>(Arrays.asList(settings));
    if (Arrays.stream(settings).noneMatch(key -> key.startsWith("model.formula"))) {
      keys.add("data.label=y");
    }
    keys.addAll(List.of("model.family=" + family, "output=" + made(name)));
    if (Arrays.stream(settings).noneMatch(key -> key.startsWith("sampler.draws"))) {
      keys.add("sampler.draws=100");
    }
    keys.forEach(key -> all.addAll(List.of("--set", key)));
    return all;
  }

  private String made(String name) {
    return folder.resolve(name).toString();
  }

  /** Runs a command, which may say that 200 draws are few. */
  private void command(String... args) {
    long start = System.nanoTime();
    PrintWriter out = new PrintWriter(said, true);
    int code = new CommandLineInterface(new Steps(), out, out, () -> Progress.lines(l -> {}))
        .execute(args);
    require(code == 0 || code == 4, String.join(" ", args) + " ended with " + code);
    String name = args[0];
    for (String arg : args) {
      name = arg.startsWith("output=") ? name + " " + Path.of(arg.substring(7)).getFileName() : name;
    }
    System.out.printf("%s: %.1f s%n", name, 1e-9 * (System.nanoTime() - start));
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      System.err.println(said);
      System.err.println("smoke: " + what);
      System.exit(1);
    }
  }
}
