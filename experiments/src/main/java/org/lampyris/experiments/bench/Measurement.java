package org.lampyris.experiments.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.experiments.study.Efficiency;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.run.RunResult;

/**
 * Result of a row, from the run that met its goal.
 *
 * @param figures the figures of its sampling phase, {@link #COLUMNS} and some more
 * @param notes the sampler's notes, such as its plan
 */
public record Measurement(Figures figures, List<String> notes) {
  /**
   * The figures that are written. Iterations and seconds of the sampling phase are for all chains
   * together. Effective draws are given for the worst coefficient and the median one. {@code
   * resident_bytes} is the size of the executors' rows at the end, as Spark estimates it.
   */
  static final List<String> COLUMNS =
      List.of(
          "chains",
          "warmup",
          "draws",
          "iterations",
          "evaluations_per_iteration",
          "iterations_per_second",
          "iterations_per_second_with_warmup",
          "ess_min",
          "ess_median",
          "ess_per_second_min",
          "ess_per_second_median",
          "ess_per_evaluation_min",
          "ess_per_evaluation_median",
          "rhat_max",
          "jobs",
          "resident_bytes",
          "load_seconds",
          "warmup_seconds",
          "sample_seconds");

  /** Copies the list. */
  public Measurement {
    notes = List.copyOf(notes);
  }

  static Measurement of(JobConfig job, SampledRun run, List<String> notes) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("chains", job.sampler().run().chains());
    figures.put("warmup", job.sampler().run().warmup());
    figures.put("draws", job.sampler().run().draws());
    figures.put(
        "rhat_max",
        Arrays.stream(run.draws()).mapToDouble(Diagnostics::rhat).max().orElse(Double.NaN));
    figures.put("jobs", run.result().cost().jobs());
    figures.put("resident_bytes", run.result().cost().residentBytes());
    figures.put("load_seconds", run.result().seconds().getOrDefault(RunResult.LOAD, Double.NaN));
    figures.put(
        "warmup_seconds", run.result().seconds().getOrDefault(RunResult.WARMUP, Double.NaN));
    figures.put(
        "sample_seconds", run.result().seconds().getOrDefault(RunResult.SAMPLE, Double.NaN));
    return of(new Figures(figures), Efficiency.of(run), notes);
  }

  /**
   * Returns a measurement with the figures that follow from others.
   *
   * @param counted chains, iterations of a chain, jobs, and the seconds of every phase
   */
  static Measurement of(Figures counted, Efficiency efficiency, List<String> notes) {
    double seconds = counted.get("sample_seconds");
    double secondsInAll = counted.get("warmup_seconds") + seconds;
    double iterationsInAll =
        efficiency.iterations() + counted.get("chains") * counted.get("warmup");
    double evaluations = efficiency.evaluations() * efficiency.iterations();
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("iterations", efficiency.iterations());
    figures.put("evaluations_per_iteration", efficiency.evaluations());
    figures.put("iterations_per_second", efficiency.iterations() / seconds);
    figures.put("iterations_per_second_with_warmup", iterationsInAll / secondsInAll);
    figures.put("ess_min", efficiency.least());
    figures.put("ess_median", efficiency.median());
    figures.put("ess_per_second_min", efficiency.least() / seconds);
    figures.put("ess_per_second_median", efficiency.median() / seconds);
    figures.put("ess_per_evaluation_min", efficiency.least() / evaluations);
    figures.put("ess_per_evaluation_median", efficiency.median() / evaluations);
    figures.put("iterations_per_job", iterationsInAll / counted.get("jobs"));
    figures.put("seconds_with_warmup", secondsInAll);
    return new Measurement(counted.with(figures), notes);
  }

  /** Returns one of the figures. */
  double get(String figure) {
    return figures.get(figure);
  }
}
