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

/** Writes the prepared table. */
@Command(
    name = "prepare",
    description = "Check and encode the table, and store its rows in blocks, in random order.")
final class PrepareCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();
  private final Steps steps;
  private final Console console;

  PrepareCommand(Steps steps, Console console) {
    this.steps = steps;
    this.console = console;
  }

  @Override
  public Integer call() {
    JobConfig job = config.read("prepare", EnumSet.of(Need.INPUT, Need.LABEL, Need.PREPARED));
    try (Session session = Session.open("prepare", run.verbose());
        Progress progress = console.progress().get()) {
      progress.start("prepare", 0);
      steps.prepare(session.spark(), job, overwrite.overwrite(), progress::note);
      progress.end();
    }
    console.out().println("The prepared table is in " + job.prepared() + ".");
    return ExitCode.OK;
  }
}
