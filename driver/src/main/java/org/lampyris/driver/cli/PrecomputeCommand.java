package org.lampyris.driver.cli;

import java.util.EnumSet;
import java.util.concurrent.Callable;
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

/** Writes the bounds artefact. */
@Command(
    name = "precompute",
    description = "Find the posterior's mode and collapse the lower bounds, from a prepared table.")
final class PrecomputeCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();
  private final Steps steps;
  private final Console console;

  PrecomputeCommand(Steps steps, Console console) {
    this.steps = steps;
    this.console = console;
  }

  @Override
  public Integer call() {
    JobConfig job = config.read("precompute", EnumSet.of(Need.PREPARED, Need.BOUNDS));
    try (Session session = Session.open("precompute", run.verbose());
        Progress progress = console.progress().get()) {
      progress.start("precompute", 0);
      steps.precompute(session.spark(), job, overwrite.overwrite(), progress::note);
      progress.end();
    }
    console.out().println("The mode and the bounds are in " + job.bounds() + ".");
    return ExitCode.OK;
  }
}
