package org.lampyris.driver.cli;

import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.command.ExitCode;
import org.lampyris.driver.command.OverwriteOption;
import org.lampyris.driver.command.RunOptions;
import org.lampyris.driver.command.Session;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.Need;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.steps.Steps;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A command that does what a configuration says, and writes. */
abstract class JobCommand implements Callable<Integer> {
  @Mixin final ConfigOptions config = new ConfigOptions();
  @Mixin final RunOptions run = new RunOptions();
  @Mixin final OverwriteOption overwrite = new OverwriteOption();
  final String name;
  final Steps steps;
  final Console console;

  JobCommand(String name, Steps steps, Console console) {
    this.name = name;
    this.steps = steps;
    this.console = console;
  }

  /** One of {@link Steps}. */
  @FunctionalInterface
  interface Step {
    void run(SparkSession spark, JobConfig job, boolean overwrite, Consumer<String> progress);
  }

  /** Does one step, as a phase that is called like the command, and prints what it has written. */
  final int alone(Step step, JobConfig job, String written) {
    try (Session session = Session.open(name, run.verbose());
        Progress progress = console.progress(session)) {
      progress.start(name, 0);
      step.run(session.spark(), job, overwrite.overwrite(), progress::note);
      progress.end();
    }
    console.out().println(written);
    return ExitCode.OK;
  }

  /** Writes the prepared table. */
  @Command(
      name = "prepare",
      description = "Check and encode the table, and store its rows in blocks.")
  static final class Prepare extends JobCommand {
    Prepare(Steps steps, Console console) {
      super("prepare", steps, console);
    }

    @Override
    public Integer call() {
      JobConfig job = config.read(name, EnumSet.of(Need.INPUT, Need.LABEL, Need.PREPARED));
      return alone(steps::prepare, job, "The prepared table is in " + job.prepared() + ".");
    }
  }

  /** Writes the bounds artefact. */
  @Command(
      name = "precompute",
      description =
          "Find the posterior's mode and collapse the lower bounds, from a prepared table.")
  static final class Precompute extends JobCommand {
    Precompute(Steps steps, Console console) {
      super("precompute", steps, console);
    }

    @Override
    public Integer call() {
      JobConfig job = config.read(name, EnumSet.of(Need.PREPARED, Need.BOUNDS));
      return alone(steps::precompute, job, "The mode and the bounds are in " + job.bounds() + ".");
    }
  }
}
