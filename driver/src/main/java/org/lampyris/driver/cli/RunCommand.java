package org.lampyris.driver.cli;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lampyris.bounds.config.UserException;
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

/** Prepares, precomputes and samples. */
@Command(name = "run", description = "Do it all: prepare, precompute and sample.")
final class RunCommand implements Callable<Integer> {
  @Mixin private final ConfigOptions config = new ConfigOptions();
  @Mixin private final RunOptions run = new RunOptions();
  @Mixin private final OverwriteOption overwrite = new OverwriteOption();
  @Mixin private final TruthOption truth = new TruthOption();

  private final Steps steps;
  private final Console console;

  RunCommand(Steps steps, Console console) {
    this.steps = steps;
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    JobConfig job =
        config.read(
            "run", EnumSet.of(Need.INPUT, Need.LABEL, Need.OUTPUT, Need.PREPARED, Need.BOUNDS));
    boolean replace = overwrite.overwrite();
    Sampling sampling = new Sampling(steps, "run");
    List<VariableSummary> summary;
    Map<String, Double> values;
    try (Session session = Session.open("run", run.verbose());
        Progress progress = console.progress().get();
        RunWriter writer = RunWriter.reserve(session.hadoop(), job.outputFolder(), replace)) {
      if (!replace) {
        requireAbsent(session.hadoop(), "prepared table", job.preparedFolder());
        requireAbsent(session.hadoop(), "bounds", job.boundsFolder());
      }
      values = truth.read(session.hadoop());
      job.sampler().warnings().forEach(progress::warn);
      sampling.phase(
          "prepare", progress, () -> steps.prepare(session.spark(), job, replace, progress::note));
      String prepared = "The prepared table in " + job.preparedFolder();
      console
          .interruption()
          .keeps(prepared + " is kept: \"precompute\", then \"sample\" go on from it.");
      sampling.phase(
          "precompute",
          progress,
          () -> steps.precompute(session.spark(), job, replace, progress::note));
      console
          .interruption()
          .keeps(
              prepared
                  + " and the bounds in "
                  + job.boundsFolder()
                  + " are kept: \"sample\" goes on from them.");
      summary = sampling.sample(session.spark(), job, writer, progress);
    }
    return sampling.show(console, job, summary, values);
  }

  /** Refuses before the first phase what a later one would refuse. */
  private static void requireAbsent(Configuration conf, String what, String folder)
      throws IOException {
    Path path = new Path(folder);
    if (path.getFileSystem(conf).exists(path)) {
      throw UserException.usage(
          "The "
              + what
              + " in "
              + folder
              + " exists; add --overwrite to make all anew, or use \"sample\" to draw from what is"
              + " there.");
    }
  }
}
