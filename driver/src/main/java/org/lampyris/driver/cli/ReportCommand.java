package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.lampyris.driver.predict.RowReader;
import org.lampyris.driver.report.ReportJob;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** Writes the report of a run that has ended. */
@Command(
    name = "report",
    description =
        "Write report.html into a run's output folder: a page on whether to believe the run, and on"
            + " its results. sample and run write it themselves.",
    footer = {"", "Example. Write runs/clicks/report.html again:", "  lampyris report runs/clicks"})
final class ReportCommand extends SparkCommand {

  @ArgGroup(multiplicity = "1")
  private RunFolder folder = new RunFolder();

  ReportCommand(Console console) {
    super("report", console);
  }

  @Override
  public Integer call() throws IOException {
    String written;
    try (LazySession session = lazily()) {
      boolean here =
          new Path(folder.path()).getFileSystem(session.hadoop()) instanceof LocalFileSystem;
      written =
          ReportJob.write(session.hadoop(), new RowReader(session::spark, here), folder.path());
      session.end();
    }
    return print(List.of("The report is in " + written + "."));
  }
}
