package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.Movement;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryFile;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.diagnostics.VariableSummary;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Summarises the draws of a run that has ended. */
@Command(
    name = "summarize",
    description = "Compute and show the summary of an output folder's draws again.",
    footer = {
      "",
      "Example. Compare the summary with the coefficients of a generated table:",
      "  lampyris summarize runs/first --truth tables/first/true_coefficients.csv"
    })
final class SummarizeCommand extends SparkCommand {
  @Mixin private final TruthOption truth = new TruthOption();

  @ArgGroup(multiplicity = "1")
  private RunFolder folder = new RunFolder();

  @Option(
      names = "--exp",
      description =
          "Show e to the power of each coefficient as well: odds ratios of a logistic regression,"
              + " ratios of means under a log link.")
  private boolean exponentials;

  @Option(
      names = "--standardized",
      description =
          "Show each coefficient times the standard deviation of its column as well: the change of"
              + " the linear predictor by one standard deviation.")
  private boolean standardized;

  private final Steps steps;

  SummarizeCommand(Steps steps, Console console) {
    super("summarize", console);
    this.steps = steps;
  }

  @Override
  public Integer call() throws IOException {
    Draws draws;
    List<VariableSummary> summary;
    List<String> modelled;
    List<VariableSummary> coefficients;
    Movement movement;
    Map<String, Double> values;
    Map<String, Double> sds = new HashMap<>();
    try (LazySession storage = lazily();
        Progress progress = console.progress().get()) {
      values = truth.read(storage.hadoop());
      progress.start("read", 0);
      RunOutput output = RunOutput.open(storage.hadoop(), folder.path());
      draws = output.draws();
      progress.end();
      progress.start("summarize", draws.variables().size());
      summary =
          draws.summary(
              steps.summarizer(draws.chains(), draws.perChain()),
              done -> progress.step(done, Reading.NONE));
      progress.end();
      modelled = output.lines();
      movement = Movement.of(draws).given(output.decisions());
      coefficients = summary.stream().filter(row -> output.isCoefficient(row.variable())).toList();
      if (standardized) {
        output.model().schema().columns().stream()
            .filter(column -> column.kind() != TableSchema.ColumnKind.INTERCEPT)
            .forEach(column -> sds.put(column.name(), column.moments().sd()));
      }
      SummaryFile.replace(storage.hadoop(), folder.path(), summary);
    }
    modelled.forEach(console.out()::println);
    if (exponentials) {
      console.out().print(SummaryTable.exponentials(coefficients));
    }
    if (standardized) {
      console.out().print(SummaryTable.standardized(coefficients, sds));
    }
    return Sampling.show(console, folder.path(), summary, draws.perChain(), movement, values);
  }
}
