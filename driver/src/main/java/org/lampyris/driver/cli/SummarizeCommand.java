package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.Movement;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.driver.output.SummaryFile;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.samplers.diagnostics.VariableSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Summarises the draws of a run that has ended. */
@Command(
    name = "summarize",
    description = "Compute and show the summary of an output folder's draws again.",
    footer = {
      "",
      "Example. Compare the summary with the coefficients of a generated table:",
      "  lampyris summarize runs/first --truth tables/first/true_coefficients.csv"
    })
final class SummarizeCommand implements Callable<Integer> {
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final TruthOption truth = new TruthOption();

  @Parameters(index = "0", paramLabel = "<folder>", description = "The output folder of a run.")
  private String folder = "";

  private final Steps steps;
  private final Console console;

  SummarizeCommand(Steps steps, Console console) {
    this.steps = steps;
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Draws draws;
    List<VariableSummary> summary;
    List<String> modelled;
    Movement movement;
    Map<String, Double> values;
    try (Session session = Session.open("summarize", run.verbose());
        Progress progress = console.progress(session)) {
      values = truth.read(session.hadoop());
      progress.start("read", 0);
      RunOutput output = RunOutput.open(session.hadoop(), folder);
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
      SummaryFile.replace(session.hadoop(), folder, summary);
    }
    modelled.forEach(console.out()::println);
    return Sampling.show(console, folder, summary, draws.perChain(), movement, values);
  }
}
