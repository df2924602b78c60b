package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.predict.LooJob;
import org.lampyris.driver.predict.LooReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cross-validates runs that have ended. */
@Command(
    name = "loo",
    description =
        "Estimate from some rows how well runs predict a row that is left out (elpd_loo). Compare"
            + " several models of the same rows.",
    footer = {
      "",
      "Example. Compare how two models predict unseen rows:",
      "  lampyris loo runs/logistic runs/probit --rows 2000 --output runs/loo"
    })
final class LooCommand extends SparkCommand {
  static final int ROWS = 1_000;

  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Parameters(arity = "1..*", paramLabel = "<folder>", description = "Output folders of runs.")
  private List<String> folders = List.of();

  @Option(
      names = "--rows",
      paramLabel = "<count>",
      description = "How many rows to draw (default: 1000).")
  private int rows = ROWS;

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description =
          "Write loo.json (the estimates with their errors) and loo.csv (a line for each drawn row)"
              + " to this folder.")
  private @Nullable String output;

  LooCommand(Console console) {
    super("loo", console);
  }

  @Override
  public Integer call() throws IOException {
    if (rows < 2) {
      throw UserException.usage("--rows is " + rows + ". Set it to 2 or more.");
    }
    LooReport report;
    try (LazySession session = lazily();
        @Nullable OutputFolder target = session.reserve(output, overwrite, LooReport.ITEMS)) {
      report = LooJob.run(session.spark(), folders, rows);
      if (target != null) {
        report.write(target);
      }
      session.end();
    }
    return print(report.lines(), output, "loo.json and loo.csv", report.doubts());
  }
}
