package org.lampyris.driver.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigNode;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.Interval;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.Origin;
import org.lampyris.bounds.config.Section;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.predict.NewLevels;
import org.lampyris.driver.predict.Prediction;
import org.lampyris.executors.jobs.ScalaCollections;

/**
 * Options of the data source. Keys of the job file have their own names, such as {@code
 * sampler.draws}. All other options are below; {@code formula} and {@code family} are short for the
 * keys of the section {@code model}. A table that SQL has created is read with the options that it
 * was written with, so both sides take all of them.
 *
 * @param path the folder of the run
 * @param settings the keys of the job file
 * @param from the folder of an earlier run, to whose rows those that are written are added
 * @param isStrict whether draws that have not converged are an exception
 * @param table what is read
 * @param predict the table or view that is predicted, by its name
 * @param how how it is predicted
 */
record SourceOptions(
    String path,
    List<SetOption> settings,
    @Nullable String from,
    boolean isStrict,
    PosteriorTable.Kind table,
    @Nullable String predict,
    Prediction.How how) {
  private static final String PATH = "path";
  private static final String TABLE = "table";
  private static final String PREDICT = "predict";
  private static final String FROM = "from";
  private static final String NOT_CONVERGED = "not_converged";

  /** Short names of keys of the section {@code model}. */
  private static final List<String> MODEL = List.of("formula", "family");

  /** Settings of {@link #how}. */
  private static final List<String> HOW =
      List.of("draws", "interval", "responses", "log_density", "new_groups");

  private static final List<String> OWN =
      Stream.of(List.of(PATH, TABLE, PREDICT, FROM, NOT_CONVERGED), MODEL, HOW)
          .flatMap(List::stream)
          .toList();

  /** Keys whose meaning the written rows and the path have. */
  private static final List<String> TAKEN =
      List.of(
          "output",
          "generate",
          "data.input",
          "data.query",
          "data.format",
          "data.encoding",
          "data.csv");

  /** What Spark and Hive's catalog add of their own. */
  private static final String PARTITIONS = "__partition_columns";

  private static final String SERIALIZATION = "serialization.format";

  /**
   * Reads the options.
   *
   * @param parameters what Spark passes on
   * @throws UserException (usage) if one is unknown or has a wrong value, or two contradict
   */
  static SourceOptions of(scala.collection.immutable.Map<String, String> parameters) {
    // Names of coefficients in keys keep their case there alone.
    return of(
        ScalaCollections.asJava(
            parameters instanceof CaseInsensitiveMap<String> any ? any.originalMap() : parameters));
  }

  static SourceOptions of(Map<String, String> options) {
    ConfigNode.Mapping own = ConfigNode.Mapping.empty(Origin.option("the options"));
    List<SetOption> settings = new ArrayList<>();
    options.forEach(
        (key, text) -> {
          String name = key.toLowerCase(Locale.ROOT);
          if (text == null || name.equals(SERIALIZATION)) {
            return;
          }
          if (name.equals(PARTITIONS)) {
            throw UserException.usage(
                "A posterior has no partitions by columns. Remove partitionBy.");
          }
          if (isKey(key)) {
            settings.add(setting(key, text));
          } else {
            requireKnown(key, name);
            Origin origin = Origin.option("option " + name);
            own.entries()
                .put(name, new ConfigNode.Entry(origin, new ConfigNode.Scalar(origin, text)));
          }
        });
    return of(Section.root(own, OWN.toArray(String[]::new)), settings);
  }

  private static SourceOptions of(Section own, List<SetOption> settings) {
    for (String key : MODEL) {
      String text = own.text(key);
      if (text != null) {
        List<String> path = List.of("model", key);
        if (settings.stream().anyMatch(one -> one.path().equals(path))) {
          throw UserException.usage(
              "The options %s and model.%s are the same key. Remove one of the two."
                  .formatted(key, key));
        }
        settings.add(SetOption.flag("option " + key, text, path.toArray(String[]::new)));
      }
    }
    String predict = own.text(PREDICT);
    if (predict == null) {
      HOW.stream().filter(own::has).findFirst().ifPresent(SourceOptions::refuseWithoutPredict);
    } else if (own.has(TABLE)) {
      throw UserException.usage(
          "The options table and predict ask for two tables. Remove one of the two.");
    }
    String path = own.text(PATH);
    if (path == null || path.isBlank()) {
      throw UserException.usage(
          "The folder of the run is missing. Name it in save(path), load(path) or the option path.");
    }
    String notConverged = own.choice(NOT_CONVERGED, List.of("keep", "error"));
    return new SourceOptions(
        path,
        List.copyOf(settings),
        own.text(FROM),
        "error".equals(notConverged),
        own.choice(TABLE, PosteriorTable.Kind.SUMMARY),
        predict,
        how(own));
  }

  private static Prediction.How how(Section own) {
    Prediction.How byDefault = Prediction.How.DEFAULT;
    return new Prediction.How(
        own.whole("draws", byDefault.draws(), 2, Integer.MAX_VALUE),
        own.number("interval", byDefault.interval(), Interval.OPEN_UNIT),
        own.whole("responses", byDefault.responses(), 0, Integer.MAX_VALUE),
        own.flag("log_density", byDefault.logDensity()),
        own.choice("new_groups", NewLevels.GAUSSIAN));
  }

  private static void refuseWithoutPredict(String option) {
    throw UserException.usage(
        "The option %s says how to predict, but no table is predicted. Name one in the option predict%s."
            .formatted(
                option,
                option.equals("draws")
                    ? ", or set sampler.draws for the draws that each chain keeps"
                    : ", or remove " + option));
  }

  private static boolean isKey(String name) {
    return ConfigText.keys(JobConfig.class).contains(name.split("\\.", 2)[0]);
  }

  private static SetOption setting(String key, String text) {
    for (String taken : TAKEN) {
      if (key.equals(taken) || key.startsWith(taken + ".")) {
        throw UserException.usage(
            "The option %s contradicts the data source: the rows are those that are written, and the folder is the path. Remove %s."
                .formatted(key, key));
      }
    }
    return key.equals("model.formula") || key.startsWith("model.formulas.")
        ? SetOption.flag("option " + key, text, key.split("\\.", 3))
        : SetOption.ofKey(key, text);
  }

  private static void requireKnown(String key, String name) {
    if (OWN.contains(name)) {
      return;
    }
    List<String> keys = ConfigReader.keys();
    Optional<String> whole =
        keys.stream().filter(one -> one.substring(one.lastIndexOf('.') + 1).equals(name)).findAny();
    List<String> known = Stream.concat(OWN.stream(), keys.stream()).toList();
    throw UserException.usage(
        "The option %s is unknown; %s"
            .formatted(
                key,
                whole
                    .map(one -> "did you mean '" + one + "'?")
                    .orElseGet(() -> NearestName.hint(key, known))));
  }
}
