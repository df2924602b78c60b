package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.ConfigText;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.ComparedRun;
import org.lampyris.driver.output.Comparison;
import org.lampyris.driver.output.ComparisonFiles;
import org.lampyris.driver.output.ComparisonTable;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.predict.ModelAverage;
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
      "  lampyris compare runs/metropolis runs/firefly",
      "",
      "Example. Weights of two models, for an average of their predictions:",
      "  lampyris compare runs/small runs/large --average --output runs/weights"
    })
final class CompareCommand extends SparkCommand {
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();

  @Parameters(
      arity = "2..*",
      paramLabel = "<folder>",
      description = "Output folders of runs, the reference first.")
  private List<String> folders = List.of();

  @Option(
      names = "--output",
      paramLabel = "<folder>",
      description =
          "Write compare.csv and compare_runs.csv to this folder, and model_weights.json with"
              + " --average.")
  private @Nullable String output;

  @Option(
      names = "--average",
      description =
          "Weigh the models for an average of their predictions: by stacking, by pseudo-BMA+, and"
              + " by the evidence if all runs have one.")
  private boolean average;

  @Option(
      names = "--rows",
      paramLabel = "<count>",
      description = "With --average: how many rows to draw for elpd_loo (default: 1000).")
  private @Nullable Integer rows;

  CompareCommand(Console console) {
    super("compare", console);
  }

  @Override
  public Integer call() throws IOException {
    if (rows != null && (!average || rows < 2)) {
      throw UserException.usage(
          average
              ? "--rows is %d. Set it to 2 or more.".formatted(rows)
              : "--rows is for --average. Remove it, or add --average.");
    }
    Comparison comparison;
    ModelAverage weights = null;
    List<String> files = new ArrayList<>(ComparisonFiles.ITEMS);
    if (average) {
      files.add(ModelAverage.FILE);
    }
    try (LazySession session = lazily();
        Progress progress = console.progress().get();
        @Nullable OutputFolder target = session.reserve(output, overwrite, files)) {
      progress.start("compare", folders.size());
      List<ComparedRun> runs = new ArrayList<>();
      for (String folder : folders) {
        runs.add(ComparedRun.read(RunOutput.open(session.hadoop(), folder)));
        progress.step(runs.size(), Reading.NONE);
      }
      comparison = Comparison.of(runs);
      progress.end();
      if (average) {
        weights =
            ModelAverage.of(
                session.spark(), folders, Objects.requireNonNullElse(rows, LooCommand.ROWS));
      }
      if (target != null) {
        if (weights != null) {
          weights.write(target);
        }
        ComparisonFiles.write(target, comparison);
      }
      session.end();
    }
    console.out().print(ComparisonTable.render(comparison));
    List<String> doubts = new ArrayList<>(comparison.doubts());
    if (weights != null) {
      doubts.addAll(weights.doubts());
    }
    return print(
        weights == null ? List.of() : weights.lines(),
        output,
        ConfigText.listed(files, "and"),
        doubts);
  }
}
