package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;

/** Runs the rows of tables and measures them. */
record Bench(SparkSession spark, Steps steps, BenchJobs jobs, Limits limits, Progress progress) {
  /** A run this many times longer than warm-up needs no repetition. */
  private static final double LONG = 3;

  /** Copies of the draws: two, and one more in the order of their coefficients. */
  private static final int COPIES = 4;

  /**
   * Time limits.
   *
   * @param baselineSeconds how long each baseline is measured, about
   * @param warmSeconds how long a row is run, at least, before the run that counts
   * @param rowSeconds how long the sampling phase of a run may take, about
   */
  record Limits(double baselineSeconds, double warmSeconds, double rowSeconds) {}

  /**
   * Prepares the table, measures its baselines, and runs its rows. A row that cannot be run is left
   * without figures.
   *
   * @throws UserException if the table cannot be made
   */
  SubjectResult run(Subject subject) {
    JobConfig job = jobs.of(subject);
    new Tables(spark, steps, progress).make(subject.source(), job);
    progress.start("baselines of " + subject.name(), 0);
    Figures baselines =
        new BaselineRun(spark, steps, limits.baselineSeconds()).run(job, progress::note);
    progress.end();
    List<Row> rows = new ArrayList<>();
    for (BenchEntry entry : subject.entries()) {
      rows.add(row(subject, entry, baselines.get("coefficients")));
    }
    return new SubjectResult(subject, baselines, rows);
  }

  private Row row(Subject subject, BenchEntry entry, double coefficients) {
    try {
      double spent = 0;
      int draws = entry.pilot();
      while (true) {
        Measurement run = once(jobs.of(subject, entry, draws), entry.name());
        int next = entry.goal().next(run, limits.rowSeconds(), mostDraws(run, coefficients));
        if (next <= draws && isWarm(spent, run)) {
          return new Row(entry, Optional.of(run), remark(entry.goal(), run));
        }
        spent += run.get("seconds_with_warmup");
        draws = Math.max(draws, next);
      }
    } catch (UserException e) {
      return new Row(entry, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Returns whether a run was made by compiled code, for the most part at least. */
  private boolean isWarm(double spentBefore, Measurement run) {
    return spentBefore >= limits.warmSeconds()
        || run.get("sample_seconds") >= LONG * limits.warmSeconds();
  }

  private Measurement once(JobConfig job, String name) {
    NotedProgress noted = new NotedProgress(progress, name);
    SampledRun run = steps.sample(spark, job, noted);
    return Measurement.of(job, run, noted.notes());
  }

  /** Returns how many draws per chain fit into a quarter of the memory. */
  private static double mostDraws(Measurement run, double coefficients) {
    double bytes = 1.0 * COPIES * Double.BYTES * coefficients * run.get("chains");
    return Math.min(Integer.MAX_VALUE, 0.25 * Runtime.getRuntime().maxMemory() / bytes);
  }

  private static String remark(Goal goal, Measurement run) {
    return goal.reached(run) >= 1
        ? ""
        : Text.of(
            "The goal, %s, was not met within %.0f s and a quarter of the memory.",
            goal, run.get("sample_seconds"));
  }
}
