package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.report.ReportJob;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes the report of a run that has ended. */
@Command(
    name = "report",
    description =
        "Write report.html into a run's output folder: a page on whether to believe the run, and on"
            + " its results. sample and run write it themselves.",
    footer = {"", "Example. Write runs/clicks/report.html again:", "  lampyris report runs/clicks"})
final class ReportCommand implements Callable<Integer> {
  @Mixin private final RunOptions run = new RunOptions();

  @Parameters(index = "0", paramLabel = "<folder>", description = "The output folder of a run.")
  private String folder = "";

  private final Console console;

  ReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    String written;
    try (Session session = Session.open("report", run.verbose());
        Progress progress = console.progress(session)) {
      progress.start("report", 0);
      written = ReportJob.write(session.spark(), folder);
      progress.end();
    }
    console.out().println("The report is in " + written + ".");
    return ExitCode.OK;
  }
}
