package org.lampyris.driver.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.sql.SparkSession;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.Convergence;
import org.lampyris.driver.output.Manifest;
import org.lampyris.driver.output.Movement;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.output.SummaryTable;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.StorageProblem;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.Bias;

/** Shared part of the sampling commands: run phases, write, show. */
public final class Sampling {
  private final Steps steps;
  private final String command;
  private final Instant started = Instant.now();
  private final Map<String, Double> seconds = new LinkedHashMap<>();

  /** Begins to count time. */
  public Sampling(Steps steps, String command) {
    this.steps = steps;
    this.command = command;
  }

  /** Runs one phase, shown and timed under a name. */
  public void phase(String name, Progress progress, Runnable work) {
    progress.start(name, 0);
    long begun = System.nanoTime();
    work.run();
    seconds.put(name, (System.nanoTime() - begun) / 1e9);
    progress.end();
  }

  /**
   * Writes the results of chains that have run.
   *
   * @param writer where to; not closed
   */
  public List<VariableSummary> write(
      SampledRun run, JobConfig job, RunWriter writer, Progress progress) {
    Manifest.Program program =
        new Manifest.Program(
            command,
            Version.lampyris(),
            Version.spark(),
            Version.java(),
            Boolean.parseBoolean(SparkSession.active().conf().get("spark.sql.ansi.enabled")),
            started);
    try {
      return writer.write(
          run.after(seconds),
          job,
          program,
          steps.summarizer(run.chains().size(), run.chains().get(0).size()),
          progress);
    } catch (IOException | FSError e) { // the latter of a local disk
      throw StorageProblem.writing(job.outputFolder(), e);
    }
  }

  /**
   * Prints the summary of the chains, and complaints.
   *
   * @param truth the true values by coefficient; empty for none
   * @return the exit code
   */
  static int show(
      Console console,
      String folder,
      SampledRun run,
      List<VariableSummary> summary,
      Map<String, Double> truth) {
    run.lines().forEach(console.out()::println);
    Movement movement = Movement.of(run.chains()).given(run.result().decisions());
    int code = show(console, folder, summary, run.chains().get(0).size(), movement, truth);
    Bias bias = run.result().bias();
    if (bias != null) {
      console.out().println("bias: " + bias.sentence());
    }
    return code;
  }

  /**
   * Prints the summary, and complaints about the draws.
   *
   * @param movement how the chains moved
   * @param truth the true values by coefficient; empty for none
   * @return the exit code
   */
  public static int show(
      Console console,
      String folder,
      List<VariableSummary> summary,
      int drawsPerChain,
      Movement movement,
      Map<String, Double> truth) {
    console
        .out()
        .print(
            SummaryTable.render(
                summary, truth, folder + "/summary.csv", Convergence.of(summary.size(), movement)));
    movement.divergences().ifPresent(console.out()::println);
    console.out().println("Draws, summary, manifest and report.html are in " + folder + ".");
    console.out().flush();
    List<String> complaints = Convergence.complaints(summary, drawsPerChain, movement);
    complaints.forEach(text -> console.err().println("lampyris: " + text));
    return complaints.isEmpty() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
  }
}
