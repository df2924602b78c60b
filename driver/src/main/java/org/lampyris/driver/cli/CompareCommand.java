package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.ComparedRun;
import org.lampyris.driver.output.Comparison;
import org.lampyris.driver.output.ComparisonFiles;
import org.lampyris.driver.output.ComparisonTable;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares the draws of completed runs with the first run's. */
@Command(
    name = "compare",
    description =
        "Show the draws and the cost of output folders side by side. Report which differences from"
            + " the first folder exceed their Monte-Carlo errors.",
    footer = {
      "",
      "Example. Whether two runs of one model differ beyond their Monte-Carlo errors:",
      "  lampyris compare runs/metropolis runs/firefly"
    })
final class CompareCommand implements Callable<Integer> {
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Parameters(
      arity = "2..*",
      paramLabel = "<folder>",
      description = "Output folders of runs, the reference first.")
  private List<String> folders = List.of();

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description = "Write compare.csv and compare_runs.csv to this folder.")
  private @Nullable String output;

  private final Console console;

  CompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Comparison comparison;
    try (Storage storage = Storage.open("compare", run.verbose());
        Progress progress = console.progress().get();
        @Nullable OutputFolder target =
            output == null
                ? null
                : ComparisonFiles.reserve(storage.hadoop(), output, overwrite.overwrite())) {
      progress.start("compare", folders.size());
      List<ComparedRun> runs = new ArrayList<>();
      for (String folder : folders) {
        runs.add(ComparedRun.read(RunOutput.open(storage.hadoop(), folder)));
        progress.step(runs.size(), Reading.NONE);
      }
      comparison = Comparison.of(runs);
      if (target != null) {
        ComparisonFiles.write(storage.hadoop(), target, comparison);
      }
      progress.end();
    }
    console.out().print(ComparisonTable.render(comparison));
    if (output != null) {
      console.out().println("All figures are in " + output + "/compare.csv and compare_runs.csv.");
    }
    console.out().flush();
    comparison.doubts().forEach(text -> console.err().println("lampyris: " + text));
    return ExitCode.OK;
  }
}
