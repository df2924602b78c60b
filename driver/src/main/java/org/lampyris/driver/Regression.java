package org.lampyris.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;

/**
 * Regression to be fitted to a Spark table: the keys of a job file as Java methods. Every method
 * returns another regression; none is changed.
 *
 * <pre>{@code
 * Posterior posterior =
 *     Lampyris.logistic()
 *         .label("clicked")
 *         .features("age", "country")
 *         .prior("normal(0, 2.5)")
 *         .fit(clicks, "hdfs:///models/clicks");
 * }</pre>
 *
 * <p>Keys that have no method here are {@linkplain #set set} by their names. Defaults are those of
 * a job file: the algorithm is {@code auto}, with 4 chains of 1,000 draws.
 *
 * <p>The caller's session is used as it is. {@code spark.serializer} as KryoSerializer with {@code
 * spark.kryo.registrator=org.lampyris.executors.rows.LampyrisRegistrator} is faster than Java's.
 */
public final class Regression {
  private static final String NAME = "fit";

  private final List<SetOption> settings;
  private final List<Map<String, Object>> random;
  private final boolean overwrite;

  private Regression(
      List<SetOption> settings, List<Map<String, Object>> random, boolean overwrite) {
    this.settings = List.copyOf(settings);
    this.random = List.copyOf(random);
    this.overwrite = overwrite;
  }

  /**
   * Returns a regression of a family.
   *
   * @param family a value of {@code model.family}, such as "poisson"
   */
  public static Regression of(String family) {
    return new Regression(List.of(), List.of(), false).set("model.family", family);
  }

  /**
   * Sets a key of the job file.
   *
   * @param key its name with dots, such as "sampler.draws"; of a prior of one coefficient use
   *     {@link #prior(String, String)}
   * @param value a text, a number, a boolean, or lists and maps of such
   */
  public Regression set(String key, Object value) {
    return with(SetOption.value(value, List.of(key.split("\\.", -1))));
  }

  private Regression with(SetOption setting) {
    return new Regression(
        Stream.concat(settings.stream(), Stream.of(setting)).toList(), random, overwrite);
  }

  /** Sets the column of the responses ({@code data.label}). */
  public Regression label(String column) {
    return set("data.label", column);
  }

  /** Sets the columns that are features; all others but the label without this. */
  public Regression features(String... columns) {
    return set("data.features", List.of(columns));
  }

  /**
   * Sets the model in R's notation ({@code model.formula}), instead of label, features and random
   * effects: {@code "delayed ~ log(distance) + dow * hour + (1 | carrier)"}.
   */
  public Regression formula(String formula) {
    return set("model.formula", formula);
  }

  /**
   * Sets the linear predictor of the family's own parameter ({@code model.formulas}), such as
   * {@code formula("sigma", "~ x")}, beside {@link #formula(String)}.
   */
  public Regression formula(String parameter, String terms) {
    return with(SetOption.value(terms, List.of("model", "formulas", parameter)));
  }

  /** Sets the column of the rows' weights. */
  public Regression weight(String column) {
    return set("data.weight", column);
  }

  /** Sets the column that is added to η. */
  public Regression offset(String column) {
    return set("model.offset", column);
  }

  /** Sets the column with the number of trials of a binomial response. */
  public Regression trials(String column) {
    return set("model.trials", column);
  }

  /** Sets the prior of every coefficient, such as "normal(0, 2.5)". */
  public Regression prior(String prior) {
    return set("model.prior", prior);
  }

  /** Sets the prior of one coefficient, in place of the common prior. */
  public Regression prior(String coefficient, String prior) {
    return with(SetOption.value(prior, List.of("model", "priors", coefficient)));
  }

  /**
   * Adds coefficients that vary by groups of rows ({@code model.random}).
   *
   * @param group the column whose equal values make a group
   * @param effects what varies; the intercept alone without any
   */
  public Regression random(String group, String... effects) {
    List<String> names = effects.length == 0 ? List.of("(Intercept)") : List.of(effects);
    Map<String, Object> one = Map.of("group", group, "effects", names);
    return new Regression(
        settings, Stream.concat(random.stream(), Stream.of(one)).toList(), overwrite);
  }

  /** Sets how many draws each chain keeps. */
  public Regression draws(int draws) {
    return set("sampler.draws", draws);
  }

  /** Sets the number of chains. */
  public Regression chains(int chains) {
    return set("sampler.chains", chains);
  }

  /** Sets the seed: the same rows, configuration and seed give the same draws. */
  public Regression seed(long seed) {
    return set("sampler.seed", seed);
  }

  /** Sets the algorithm, such as "firefly". */
  public Regression algorithm(String algorithm) {
    return set("sampler.algorithm", algorithm);
  }

  /** Replaces results, a prepared table and bounds of an earlier run in the folder. */
  public Regression overwriting() {
    return new Regression(settings, random, true);
  }

  /**
   * Fits the regression to a table: prepares it, finds the mode and the bounds, samples, and writes
   * draws, summary and report into a folder.
   *
   * <p>The table is read once, or several times where groups have effects or rows have to be
   * counted: it has to give the same rows each time. Draws do not depend on the number of
   * partitions if the rows come from files without a join, aggregation, sort or sample. Otherwise
   * they depend on the rows alone, in any order.
   *
   * @param rows the rows
   * @param folder the folder of the results, on any file system of Hadoop's; new, or {@link
   *     #overwriting}
   * @throws UserException if the table, the configuration or the folder is at fault, in a sentence
   *     that names the remedy by the job file's keys; nothing half-written is left
   */
  public Posterior fit(Dataset<Row> rows, String folder) {
    return fit(rows.sparkSession(), rows, Fit.TABLE, folder);
  }

  /**
   * Fits the regression to files, as the command {@code run} does.
   *
   * @param input where they are, as {@code data.input} has it
   * @param folder see {@link #fit(Dataset, String)}
   * @throws UserException see there
   */
  public Posterior fit(SparkSession spark, String input, String folder) {
    return fit(spark, null, input, folder);
  }

  private Posterior fit(
      SparkSession spark, @Nullable Dataset<Row> rows, String input, String folder) {
    return Posterior.unchecked(() -> Fit.of(spark, rows, job(input, folder), overwrite));
  }

  private JobConfig job(String input, String folder) {
    List<SetOption> all = new ArrayList<>(settings);
    if (!random.isEmpty()) {
      all.add(SetOption.value(random, List.of("model", "random")));
    }
    all.add(SetOption.value(input, List.of("data", "input")));
    all.add(SetOption.value(folder, List.of("output")));
    return new ConfigReader().readText("", NAME, all, NAME, Fit.NEEDS);
  }
}
