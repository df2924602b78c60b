package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.lampyris.driver.command.Console;
import org.lampyris.driver.command.OverwriteOption;
import org.lampyris.driver.command.RunOptions;
import org.lampyris.driver.command.Sampling;
import org.lampyris.driver.command.Session;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.Need;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.steps.Steps;
import org.lampyris.samplers.diagnostics.VariableSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Draws from the posterior. */
@Command(
    name = "sample",
    description = "Draw from the posterior, from a prepared table and its bounds.")
final class SampleCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();
  @Mixin private final TruthOption truth = new TruthOption();

  private final Steps steps;
  private final Console console;

  SampleCommand(Steps steps, Console console) {
    this.steps = steps;
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    JobConfig job = config.read("sample", EnumSet.of(Need.OUTPUT, Need.PREPARED, Need.BOUNDS));
    console
        .interruption()
        .keeps("The prepared table and the bounds are as they were; give the command again.");
    Sampling sampling = new Sampling(steps, "sample");
    List<VariableSummary> summary;
    Map<String, Double> values;
    try (Session session = Session.open("sample", run.verbose());
        Progress progress = console.progress().get();
        RunWriter writer =
            RunWriter.reserve(session.hadoop(), job.outputFolder(), overwrite.overwrite())) {
      values = truth.read(session.hadoop());
      job.sampler().warnings().forEach(progress::warn);
      summary = sampling.sample(session.spark(), job, writer, progress);
    }
    return sampling.show(console, job, summary, values);
  }
}
