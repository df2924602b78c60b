package org.lampyris.driver.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.Fit;
import org.lampyris.driver.Posterior;
import org.lampyris.driver.config.ConfigReader;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.config.SetOption;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.OwnFiles;
import org.lampyris.executors.table.StorageProblem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Run in a folder that Spark's save modes speak of. A run that replaces or continues another one
 * prepares its table and bounds in folders of its own, {@code prepared-2} and {@code bounds-2}, and
 * publishes its results at the end. Until then, and if it fails, the earlier run is whole.
 *
 * @param options say where and what
 */
record SavedRun(SparkSession spark, SourceOptions options) {
  private static final Logger LOG = LoggerFactory.getLogger(SavedRun.class);

  private static final String PREPARED = "prepared";
  private static final String BOUNDS = "bounds";

  /** Items that a run has made before its results. */
  private static final Pattern MADE =
      Pattern.compile("(prepared|bounds)(-\\d+)?|checkpoint|steps\\.json");

  /** Items of a run whose process was killed. */
  private static final Pattern UNFINISHED =
      Pattern.compile(MADE + "|(prepared|bounds)(-\\d+)?\\.(tmp|old)-[0-9a-f]{8}|_writing-.*");

  /** Content of a folder. */
  private enum Content {
    NOTHING,
    RUN,
    UNFINISHED_RUN,
    SOMETHING_ELSE
  }

  /**
   * Fits a regression to rows, or adds them to an earlier run's.
   *
   * @throws UserException if the mode does not allow it, or as {@link Fit#of} has it; nothing
   *     half-written is left
   */
  void save(Dataset<Row> rows, SaveMode mode) {
    Path path = path();
    try {
      FileSystem fs = path.getFileSystem(conf());
      Content there = content(fs, path);
      requireAllowed(there, mode, path);
      if (there == Content.RUN && mode == SaveMode.Ignore) {
        return;
      }
      boolean beside = there != Content.NOTHING;
      boolean appends = there == Content.RUN && mode == SaveMode.Append;
      String suffix = beside ? "-" + free(fs, path) : "";
      Path prepared = new Path(path, PREPARED + suffix);
      Path bounds = new Path(path, BOUNDS + suffix);
      JobConfig job = job(appends ? options.path() : options.from(), beside ? suffix : null);
      Posterior posterior = null;
      try {
        posterior = Fit.of(spark, rows, job, beside);
      } finally {
        if (posterior == null) {
          remove(fs, beside ? List.of(prepared, bounds) : List.of(path));
        }
      }
      if (beside && !appends && options.from() == null) { // an earlier run may need its table
        remove(fs, superseded(fs, path, job));
      }
      report(posterior);
    } catch (IOException e) {
      throw StorageProblem.writing(options.path(), e);
    }
  }

  private Path path() {
    try {
      return new Path(options.path());
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "\"%s\" is not the path of a folder: %s.".formatted(options.path(), e.getMessage()), e);
    }
  }

  private Configuration conf() {
    return spark.sparkContext().hadoopConfiguration();
  }

  private Content content(FileSystem fs, Path path) throws IOException {
    if (!fs.exists(path)) {
      return Content.NOTHING;
    }
    if (!fs.getFileStatus(path).isDirectory()) {
      return Content.SOMETHING_ELSE;
    }
    List<String> names = names(fs, path);
    if (names.isEmpty()) {
      return Content.NOTHING;
    }
    if (RunOutput.open(conf(), options.path()).manifest().path("configuration").isObject()) {
      return Content.RUN;
    }
    return names.stream().allMatch(name -> UNFINISHED.matcher(name).matches())
        ? Content.UNFINISHED_RUN
        : Content.SOMETHING_ELSE;
  }

  private static List<String> names(FileSystem fs, Path folder) throws IOException {
    return Arrays.stream(fs.listStatus(folder))
        .map(status -> status.getPath().getName())
        .sorted()
        .toList();
  }

  private void requireAllowed(Content there, SaveMode mode, Path path) {
    if (there == Content.SOMETHING_ELSE) {
      throw UserException.usage(
          "%s holds something else than a run of Lampyris, and is left as it is. Choose another path."
              .formatted(path));
    }
    if (there == Content.UNFINISHED_RUN && mode != SaveMode.Overwrite) {
      throw UserException.usage(
          "%s holds the beginning of a run without results. Set mode(\"overwrite\") to run again, or choose another path."
              .formatted(path));
    }
    if (there == Content.RUN && mode == SaveMode.ErrorIfExists) {
      throw UserException.usage(
          "%s holds a run. Choose another path, or set mode(\"overwrite\") to replace it or mode(\"append\") to add later rows."
              .formatted(path));
    }
    if (there == Content.RUN && mode == SaveMode.Append && options.from() != null) {
      throw UserException.usage(
          "The option from names %s, but mode(\"append\") adds the rows to the run in %s. Remove the option, or save to another path."
              .formatted(options.from(), path));
    }
    String from = options.from();
    if (from != null && new Path(from).equals(path)) {
      throw UserException.usage(
          "The option from names the path itself. Set mode(\"append\") instead.");
    }
  }

  /** Returns the smallest number from 2 that no folder in the path has. */
  private static int free(FileSystem fs, Path path) throws IOException {
    int number = 2;
    while (fs.exists(new Path(path, PREPARED + "-" + number))
        || fs.exists(new Path(path, BOUNDS + "-" + number))) {
      number++;
    }
    return number;
  }

  /**
   * Reads the configuration.
   *
   * @param from the run to whose rows these are added; null for none
   * @param suffix ends the names of the table's and the bounds' folders; null for the usual names
   */
  private JobConfig job(@Nullable String from, @Nullable String suffix) throws IOException {
    String text = "";
    String source = "the options";
    List<SetOption> settings = new ArrayList<>();
    if (from != null) {
      RunOutput.Earlier earlier = RunOutput.open(conf(), from).earlier();
      text = earlier.text();
      source = earlier.source();
      settings.addAll(earlier.settings());
    }
    settings.add(SetOption.value(Fit.TABLE, List.of("data", "input")));
    settings.add(SetOption.value(options.path(), List.of("output")));
    if (suffix != null) {
      settings.add(SetOption.value(options.path() + "/" + PREPARED + suffix, List.of(PREPARED)));
      settings.add(SetOption.value(options.path() + "/" + BOUNDS + suffix, List.of(BOUNDS)));
    }
    settings.addAll(options.settings());
    EnumSet<NeededKey> needs = EnumSet.copyOf(Fit.NEEDS);
    needs.remove(NeededKey.LABEL); // asked for below, in the words of options
    JobConfig job = new ConfigReader().readText(text, source, settings, "save", needs);
    if (job.data().columns().label() == null) {
      throw UserException.usage(
          "The options name no column to explain. Set option(\"formula\", \"clicked ~ age\"), or"
              + " option(\"data.label\", \"clicked\") to explain it by all other columns.");
    }
    if (suffix != null && !job.storesRows()) {
      throw UserException.usage(
          "With prepared: none the run in %s cannot be replaced as a whole. Remove the option prepared, or choose another path."
              .formatted(options.path()));
    }
    return job;
  }

  private void report(Posterior posterior) {
    posterior.complaints().forEach(complaint -> LOG.warn("{}: {}", options.path(), complaint));
    if (options.isStrict() && !posterior.isConverged()) {
      throw UserException.data(
          "The draws in %s are kept, but have not converged: %s"
              .formatted(options.path(), String.join(" ", posterior.complaints())));
    }
  }

  /** Returns the tables and bounds of the runs that a job has replaced. */
  private static List<Path> superseded(FileSystem fs, Path path, JobConfig job) throws IOException {
    List<Path> own = List.of(new Path(job.preparedFolder()), new Path(job.boundsFolder()));
    return names(fs, path).stream()
        .filter(name -> MADE.matcher(name).matches())
        .map(name -> new Path(path, name))
        .filter(item -> !own.contains(item))
        .toList();
  }

  /** Removes items, but no folder into which another process writes, and no file of others. */
  private static void remove(FileSystem fs, List<Path> items) throws IOException {
    for (Path item : items) {
      if (fs.exists(item)
          && names(fs, item).stream().noneMatch(name -> name.startsWith("_writing-"))) {
        OwnFiles.delete(fs, item, null);
      }
    }
  }
}
