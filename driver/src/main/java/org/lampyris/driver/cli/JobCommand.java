package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.job.Steps;
import org.lampyris.executors.table.LocalDisk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that executes a configuration and writes results. */
abstract class JobCommand extends SparkCommand {
  @Mixin final ConfigOptions config = new ConfigOptions();
  @Mixin final OverwriteOption overwrite = new OverwriteOption();

  @Option(
      names = "--dry-run",
      description =
          "Check the configuration, the input's columns and the folders, print what would be done,"
              + " and do nothing. Rows are not read, and Spark is not started.")
  private boolean dryRun;

  final Steps steps;

  JobCommand(String name, Steps steps, Console console) {
    super(name, console);
    this.steps = steps;
  }

  /** One of {@link Steps}. */
  @FunctionalInterface
  interface Step {
    void run(SparkSession spark, JobConfig job, boolean overwrite, Consumer<String> progress);
  }

  /** Returns whether this is a dry run. */
  final boolean isDryRun() {
    return dryRun;
  }

  /** Returns Hadoop's configuration without a session. */
  static Configuration withoutSession() {
    return LazySession.isWithoutSpark()
        ? LocalDisk.configuration()
        : SparkHadoopUtil.get().newConfiguration(Session.configuration("dry run"));
  }

  /** Prints the input that would be read. */
  final void tellInput(JobConfig job, Configuration conf) {
    console
        .out()
        .println("read: %s (%s)".formatted(job.data().source().input(), Steps.glance(job, conf)));
  }

  /** Prints a folder written by an earlier command; refuses if it is missing. */
  final void tellMade(String what, String folder, String command, Configuration conf)
      throws IOException {
    Path path = new Path(folder);
    if (!path.getFileSystem(conf).exists(path)) {
      throw UserException.usage(
          "There is no %s in %s. Write it with \"%s\", or correct the path."
              .formatted(what, folder, command));
    }
    console.out().println("read: " + folder);
  }

  /** Prints a folder that would be written; refuses if it cannot be. */
  final void tellFolder(String what, String folder, Configuration conf) throws IOException {
    Path path = new Path(folder);
    boolean there = path.getFileSystem(conf).exists(path);
    if (there && !overwrite.overwrite()) {
      throw UserException.usage(
          "%s in %s exists. Choose another folder, or add --overwrite to replace it."
              .formatted(what, folder));
    }
    console.out().println((there ? "replace: " : "write: ") + folder);
  }

  /** Ends a dry run. */
  final int told() {
    console.out().println("Nothing was done.");
    return ExitCode.OK;
  }

  /** Runs one step as a phase named like the command, and prints what it wrote. */
  final int alone(Step step, JobConfig job, String written) throws IOException {
    return print(
        withSpark(
            (session, progress) -> {
              step.run(session.spark(), job, overwrite.overwrite(), progress::note);
              return List.of(written);
            }));
  }

  /** Writes the prepared table. */
  @Command(
      name = "prepare",
      description = "Check and encode the table, and store its rows in blocks.",
      footer = {
        "",
        "Example. Check first, then run:",
        "  lampyris prepare --config clicks.yaml --dry-run",
        "  lampyris prepare --config clicks.yaml"
      })
  static final class Prepare extends JobCommand {
    Prepare(Steps steps, Console console) {
      super("prepare", steps, console);
    }

    @Override
    public Integer call() throws IOException {
      JobConfig job =
          config.read(name, EnumSet.of(NeededKey.INPUT, NeededKey.LABEL, NeededKey.PREPARED));
      job.requireRows(name);
      if (isDryRun()) {
        Configuration conf = withoutSession();
        tellInput(job, conf);
        tellFolder("The prepared table", job.preparedFolder(), conf);
        return told();
      }
      return alone(steps::prepare, job, "The prepared table is in " + job.prepared() + ".");
    }
  }

  /** Writes the bounds artefact. */
  @Command(
      name = "precompute",
      description = "Find the posterior's mode of a prepared table, and collapse the lower bounds.",
      footer = {
        "",
        "Example. Find the mode of a prepared table again:",
        "  lampyris precompute --config clicks.yaml --overwrite"
      })
  static final class Precompute extends JobCommand {
    Precompute(Steps steps, Console console) {
      super("precompute", steps, console);
    }

    @Override
    public Integer call() throws IOException {
      JobConfig job = config.read(name, EnumSet.of(NeededKey.PREPARED, NeededKey.BOUNDS));
      job.requireRows(name);
      if (isDryRun()) {
        Configuration conf = withoutSession();
        tellMade("prepared table", job.preparedFolder(), "prepare", conf);
        tellFolder("The artefact", job.boundsFolder(), conf);
        return told();
      }
      return alone(steps::precompute, job, "The mode and the bounds are in " + job.bounds() + ".");
    }
  }
}
