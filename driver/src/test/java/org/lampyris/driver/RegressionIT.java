package org.lampyris.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.predict.MarginalEffect;
import org.lampyris.driver.predict.MarginalEffects;
import org.lampyris.driver.predict.NewLevels;
import org.lampyris.driver.predict.Prediction;
import org.lampyris.driver.question.Answer;
import org.lampyris.driver.run.Shell;

/** Regressions called from a Spark job that knows nothing of Lampyris' configuration. */
class RegressionIT {
  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static SparkSession spark;

  @BeforeAll
  static void startSpark() throws IOException {
    Random random = new Random(1);
    rows("visits.csv", 2_000, random);
    rows("later.csv", 300, random);
    // What the command makes of it, in a session of its own.
    new Shell("local[2]")
        .samples(
            "run",
            "--set",
            "data.input=" + path("visits.csv"),
            "--set",
            "data.label=visits",
            "--set",
            "model.family=poisson",
            "--set",
            "model.prior=normal(0, 2)",
            "--set",
            "model.priors.age=normal(0, 1)",
            "--set",
            "sampler.draws=500",
            "--set",
            "output=" + path("command"));
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
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
      int shop = random.nextInt(3);
      double mean = Math.exp(-1 + 0.02 * age - 0.3 * shop);
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

  private static Regression regression() {
    return Lampyris.poisson()
        .label("visits")
        .prior("normal(0, 2)")
        .prior("age", "normal(0, 1)")
        .draws(500);
  }

  private static List<String> rowsOf(Dataset<Row> draws) {
    return draws.sort("`.draw`").collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void drawsAreThoseOfTheCommand() {
    Posterior posterior = regression().fit(table("visits.csv"), path("api"));
    assertEquals(rowsOf(spark.read().parquet(path("command/draws"))), rowsOf(posterior.draws()));
    assertTrue(Files.exists(Path.of(posterior.report())), posterior.report());
    assertEquals(4, posterior.summary().size());
    assertEquals("(Intercept)", posterior.summary().get(0).variable());
    assertEquals(posterior.complaints().isEmpty(), posterior.isConverged());
    Posterior again = Lampyris.posterior(spark, path("api"));
    assertEquals(posterior.summary(), again.summary());
    assertTrue(
        posterior.summary().toString().startsWith("variable "), posterior.summary()::toString);
    questions(again);
    predictions(again);
    Posterior updated = again.update(table("later.csv"), path("updated"));
    assertEquals(2_300, Files.exists(Path.of(path("updated/manifest.json"))) ? rows(updated) : 0);
  }

  private static long rows(Posterior posterior) {
    try {
      String manifest = Files.readString(Path.of(posterior.folder(), "manifest.json"));
      return Long.parseLong(manifest.replaceAll("(?s).*?\"rows\" : (\\d+).*", "$1"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Hypotheses and effects against plain loops over all draws. */
  private static void questions(Posterior posterior) {
    List<Row> draws = posterior.draws().collectAsList();
    Answer answer = posterior.hypothesis("shop[s2] < shop[s1]", "exp(age)").answers().get(0);
    double share =
        draws.stream()
            .filter(draw -> draw.<Double>getAs("shop[s2]") < draw.<Double>getAs("shop[s1]"))
            .count();
    assertEquals(share / draws.size(), answer.probability(), 1e-12);
    Dataset<Row> five = table("later.csv").limit(5);
    double sum = 0;
    List<Row> rows = five.collectAsList();
    for (Row row : rows) {
      for (Row draw : draws) {
        double eta =
            draw.<Double>getAs("(Intercept)")
                + draw.<Double>getAs("age") * row.<Double>getAs("age")
                + draw.<Double>getAs("shop[s1]");
        sum += Math.exp(eta) / rows.size() / draws.size();
      }
    }
    // More rows than the table has are wanted, so that all five are taken.
    MarginalEffects.How all =
        new MarginalEffects.How(
            List.of("shop"), MarginalEffects.Base.ROWS, false, false, 2_000, 5_000, 2, 0.9);
    List<MarginalEffect> effects = posterior.effects(five, all).all();
    MarginalEffect middle = effects.get(1);
    assertEquals("s1", middle.value());
    assertEquals(sum, middle.mean(), 1e-9 * sum);
    assertEquals(5, effects.size());
  }

  /** Against a plain loop over all draws. */
  private static void predictions(Posterior posterior) {
    Prediction.How all = new Prediction.How(2_000, 0.9, 2, true, NewLevels.GAUSSIAN);
    List<Row> predicted = posterior.predict(table("later.csv").limit(5), all).collectAsList();
    List<Row> draws = posterior.draws().collectAsList();
    for (Row row : predicted) {
      double sum = 0;
      for (Row draw : draws) {
        double eta =
            draw.<Double>getAs("(Intercept)")
                + draw.<Double>getAs("age") * row.<Double>getAs("age");
        String shop = row.getAs("shop");
        eta += shop.equals("s0") ? 0 : draw.<Double>getAs("shop[" + shop + "]");
        sum += Math.exp(eta);
      }
      double mean = sum / draws.size();
      assertEquals(mean, row.<Double>getAs(".mean"), 1e-9 * mean);
      assertTrue(row.<Double>getAs(".log_density") < 0);
      assertEquals(2, row.getList(row.fieldIndex(".responses")).size());
    }
    assertTrue(posterior.predict(table("later.csv")).columns().length > 3);
  }

  @Test
  void tablesOfAnyPlanAndFormulasAndGroups() {
    Posterior varying =
        regression()
            .features("age")
            .random("shop", "(Intercept)", "age")
            .set("sampler.warmup", 100)
            .draws(100)
            .fit(table("visits.csv"), path("varying"));
    assertTrue(List.of(varying.draws().columns()).contains("sd_shop__age"));
    Dataset<Row> joined =
        table("visits.csv")
            .join(
                spark.sql("SELECT 's' || id AS shop, 'r' || (id % 2) AS region FROM range(3)"),
                "shop");
    Posterior posterior =
        Lampyris.family("poisson")
            .formula("visits ~ age + region + (1 | shop)")
            .set("sampler.warmup", 100)
            .set("sampler.multilevel.keep_draws", 20)
            .draws(100)
            .chains(2)
            .seed(7)
            .fit(joined, path("joined"));
    assertTrue(List.of(posterior.draws().columns()).contains("sd_shop__Intercept"));
    assertEquals(5, posterior.predict(joined.limit(5)).count());
  }

  @Test
  void whatIsWrongIsToldByTheJobFilesKeys() {
    Dataset<Row> table = table("visits.csv");
    refused("data.label", () -> Lampyris.poisson().fit(table, path("never")));
    refused("'vists'", () -> Lampyris.poisson().label("vists").fit(table, path("never")));
    refused("model.famly", () -> regression().set("model.famly", "x").fit(table, path("never")));
    refused("normal(0", () -> regression().prior("normal(0").fit(table, path("never")));
    refused("holds no completed run", () -> Lampyris.posterior(spark, path("never")));
    refused("'shop'", () -> regression().weight("shop").fit(table, path("never")));
    assertFalse(Files.exists(folder.resolve("never")), "nothing is left");
  }

  private static void refused(String words, Runnable call) {
    UserException refused = assertThrows(UserException.class, call::run);
    assertTrue(refused.toString().contains(words), refused.toString());
  }
}
