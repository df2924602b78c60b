package org.lampyris.driver.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lampyris.driver.Regression;
import org.lampyris.driver.cli.Session;
import org.lampyris.driver.run.Shell;

/** Models with a formula for a parameter of the family, from the table to predictions. */
class SeveralPredictorsIT {
  private static final int ROWS = 400;

  @TempDir private static Path folder;
  private final Shell shell = new Shell("local[2]");

  @BeforeAll
  static void write() throws IOException {
    Random random = new Random(4);
    List<String> table = new ArrayList<>(List.of("y,n,x,z,f"));
    for (int i = 0; i < ROWS; i++) {
      double x = 50 + 10 * random.nextGaussian();
      double z = random.nextGaussian();
      String f = List.of("a", "b").get(random.nextInt(2));
      double sigma = Math.exp(-1 + 0.03 * x + (f.equals("b") ? 0.6 : 0));
      double y = 2 + 0.3 * x - z + sigma * random.nextGaussian();
      int n = random.nextDouble() < 1 / (1 + Math.exp(-z)) ? 0 : random.nextInt(5);
      table.add(y + "," + n + "," + x + "," + z + "," + f);
    }
    Files.write(folder.resolve("table.csv"), table);
  }

  private static String[] of(String command, String output, String... settings) {
    List<String> all = new ArrayList<>(List.of(command));
    List<String> set =
        new ArrayList<>(
            List.of(
                "data.input=" + folder.resolve("table.csv"),
                "output=" + folder.resolve(output),
                "sampler.warmup=200",
                "sampler.draws=200"));
    set.addAll(List.of(settings));
    set.forEach(setting -> all.addAll(List.of("--set", setting)));
    return all.toArray(String[]::new);
  }

  /** Draws by Firefly, the summary's names and means, and predictions against plain loops. */
  @Test
  void aSigmaWithAFormulaIsSampledAndPredicted() throws IOException {
    String[] settings = {
      "model.family=gaussian",
      "model.formulas.mu=y ~ x + z",
      "model.formulas.sigma=~ x + f",
      "model.priors.sigma_x=normal(0, 1)",
      "sampler.algorithm=firefly"
    };
    shell.samples(of("run", "gaussian", settings));
    List<String> summary = Files.readAllLines(folder.resolve("gaussian/summary.csv"));
    List<String> names =
        List.of("(Intercept)", "x", "z", "sigma_Intercept", "sigma_x", "sigma_f[b]");
    assertEquals(
        names,
        summary.stream().skip(1).map(line -> line.split(",", -1)[0]).limit(names.size()).toList());
    double[] truth = {2, 0.3, -1, -1, 0.03, 0.6};
    for (int j = 0; j < truth.length; j++) {
      String[] cells = summary.get(1 + j).split(",", -1);
      double mean = Double.parseDouble(cells[1]);
      assertEquals(truth[j], mean, 4.5 * Double.parseDouble(cells[3]), names.get(j));
    }
    String report = Files.readString(folder.resolve("gaussian/report.html"));
    assertTrue(report.contains("y ~ x + z; sigma ~ x + f"), "the report names both formulas");
    List<String> more = new ArrayList<>(Arrays.asList(of("predict", "gaussian", settings)));
    String known = "SELECT 61D AS x, 0.5D AS z, 'b' AS f, 18D AS y FROM input LIMIT 1";
    more.addAll(
        List.of(
            "--input",
            folder.resolve("table.csv").toString(),
            "--to",
            folder.resolve("new").toString(),
            "--query",
            known,
            "--draws",
            "100000",
            "--responses",
            "800",
            "--log-density"));
    shell.succeeds(more.toArray(String[]::new));
    Row row = written("new");
    double[][] draws =
        Files.readAllLines(folder.resolve("gaussian/draws.csv")).stream()
            .skip(1)
            .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray())
            .toArray(double[][]::new);
    List<String> header =
        List.of(Files.readAllLines(folder.resolve("gaussian/draws.csv")).get(0).split(","));
    int at = header.indexOf("(Intercept)");
    double mean = 0;
    double density = 0;
    double variance = 0;
    for (double[] draw : draws) {
      double eta = draw[at] + 61 * draw[at + 1] + 0.5 * draw[at + 2];
      double sigma = Math.exp(draw[at + 3] + 61 * draw[at + 4] + draw[at + 5]);
      double u = (18 - eta) / sigma;
      mean += eta / draws.length;
      variance += sigma * sigma / draws.length;
      density += Math.exp(-0.5 * u * u) / sigma / Math.sqrt(2 * Math.PI) / draws.length;
    }
    assertEquals(mean, row.<Double>getAs(".mean"), 1e-9);
    assertEquals(Math.log(density), row.<Double>getAs(".log_density"), 1e-9);
    double squares = 0;
    for (double y : row.<Double>getList(row.fieldIndex(".responses"))) {
      squares += (y - mean) * (y - mean) / 800;
    }
    // The sd of a mean of 800 squares is 5 % of it.
    assertEquals(variance, squares, 0.25 * variance);
    shell.succeeds("loo", folder.resolve("gaussian").toString());
  }

  /** The Java API and the data source make the same draws, and a second sampled parameter. */
  @Test
  void aFormulaBesideASharedParameterByJavaAndByTheDataSource() throws IOException {
    List<String> names =
        List.of("(Intercept)", "x", "hu_Intercept", "hu_z", "hu_f[b]", "hu_z:f[b]", "shape");
    try (SparkSession spark =
        SparkSession.builder()
            .config(Session.configuration("test").setMaster("local[2]"))
            .getOrCreate()) {
      Dataset<Row> table =
          spark
              .read()
              .option("header", true)
              .option("inferSchema", true)
              .csv(folder.resolve("table.csv").toString());
      String java = folder.resolve("java").toString();
      Regression.of("hurdle_negative_binomial")
          .formula("n ~ x")
          .formula("hu", "~ z * f")
          .set("sampler.warmup", 200)
          .draws(200)
          .algorithm("firefly")
          .fit(table, java);
      String source = folder.resolve("source").toString();
      table
          .write()
          .format("lampyris")
          .option("family", "hurdle_negative_binomial")
          .option("formula", "n ~ x")
          .option("model.formulas.hu", "~ z + f + z : f")
          .option("sampler.warmup", "200")
          .option("sampler.draws", "200")
          .option("sampler.algorithm", "firefly")
          .save(source);
      List<Row> summary = spark.read().format("lampyris").load(source).collectAsList();
      assertEquals(names, summary.stream().map(row -> row.getString(0)).limit(7).toList());
      assertEquals(
          Files.readAllLines(Path.of(java, "summary.csv")),
          Files.readAllLines(Path.of(source, "summary.csv")));
      // A 0 has probability 0.2 + 0.8 σ(z).
      assertEquals(0.8, summary.get(3).<Double>getAs("mean"), 0.5);
    }
  }

  private static Row written(String to) throws IOException {
    try (SparkSession spark =
        SparkSession.builder()
            .config(Session.configuration("test").setMaster("local[1]"))
            .getOrCreate()) {
      return spark.read().parquet(folder.resolve(to + "/predictions").toString()).head();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "gaussian; y ~ x; zi; ~ x; the family gaussian has a formula for sigma only",
        "poisson; n ~ x; zi; ~ x; the family poisson has no parameter with a formula",
        "gaussian; y ~ x; sigma; x; the terms of a predictor after a ~",
        "gaussian; y ~ x; sigma; ~ 0 + x; every predictor needs an intercept",
        "gaussian; y ~ 0 + x; sigma; ~ x; every predictor needs an intercept",
        "gaussian; y ~ x; sigma; ~ s(x); smooths are for a model of one predictor",
        "gaussian; y ~ x; sigma; ~ x + (1 | f); neither an offset nor effects of groups",
        "gaussian; y ~ x + (1 | f); sigma; ~ x; takes no effects of groups",
        "gaussian; y ~ .; sigma; ~ x; several predictors need their terms one by one",
        "gaussian; y ~ x:f; sigma; ~ x; 'x:f' would have other columns",
        "gaussian; y ~ x; sigma; ~ x + exp; 'exp'",
        "zero_inflated_poisson; n ~ x; zi; ~ q; 'q'",
      })
  void whatCannotBeIsRefused(
      String family, String formula, String parameter, String other, String words) {
    String[] run =
        of(
            "run",
            "refused",
            "model.family=" + family,
            "model.formula=" + formula,
            "model.formulas." + parameter + "=" + other);
    int code = shell.run(run);
    assertTrue(code == 2 || code == 3, shell.err());
    assertTrue(shell.err().contains(words), shell.err());
  }

  @Test
  void aParameterIsGivenOnce() {
    String[] twice =
        of(
            "config",
            "twice",
            "model.family=gaussian",
            "model.formula=y ~ x",
            "model.sigma=2",
            "model.formulas.sigma=~ x");
    assertEquals(2, shell.run(twice));
    assertTrue(shell.err().contains("model.sigma is set, and model.formulas"), shell.err());
    String[] mu = of("config", "mu", "model.formula=y ~ x", "model.formulas.mu=y ~ z");
    assertEquals(2, shell.run(mu));
    assertTrue(shell.err().contains("which is the same"), shell.err());
    String[] shared =
        of(
            "config",
            "shared",
            "model.family=gaussian",
            "model.formula=y ~ x",
            "model.formulas.sigma=~ x",
            "model.prior=horseshoe(half_cauchy(0.1))");
    assertEquals(2, shell.run(shared));
    assertTrue(shell.err().contains("no prior with a sampled global scale"), shell.err());
    String[] none =
        of("config", "none", "model.family=gaussian", "data.label=y", "model.formulas.sigma=~ x");
    assertEquals(2, shell.run(none));
    assertTrue(shell.err().contains("needs model.formula"), shell.err());
    String[] prior =
        of(
            "run",
            "prior",
            "model.family=gaussian",
            "model.formula=y ~ x + z",
            "model.formulas.sigma=~ x",
            "model.priors.sigma_z=normal(0, 1)");
    assertEquals(2, shell.run(prior));
    assertTrue(shell.err().contains("sigma_z"), shell.err());
  }
}
