package org.lampyris.driver.bench;

import java.util.Arrays;
import java.util.List;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Efficiency;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.run.RunResult;

/**
 * What a row came to, in the run that met its goal.
 *
 * @param chains how many chains
 * @param warmup iterations per chain before the draws
 * @param draws draws per chain
 * @param efficiency iterations, evaluations and effective draws of the sampling phase
 * @param loadSeconds to read the table and make the bounds of its rows
 * @param warmupSeconds from the chains' beginning to the end of their warm-up
 * @param samplingSeconds of the sampling phase, all chains side by side
 * @param jobs Spark jobs from the chains' beginning to their end
 * @param residentBytes what the executors keep of the rows at the end, Spark's estimate
 * @param rHat the largest R̂ of a coefficient
 * @param notes what the sampler told, such as its plan
 */
public record Measurement(
    int chains,
    int warmup,
    int draws,
    Efficiency efficiency,
    double loadSeconds,
    double warmupSeconds,
    double samplingSeconds,
    long jobs,
    long residentBytes,
    double rHat,
    List<String> notes) {

  /** Copies the list. */
  public Measurement {
    notes = List.copyOf(notes);
  }

  static Measurement of(JobConfig job, SampledRun run, List<String> notes) {
    return new Measurement(
        job.sampler().run().chains(),
        job.sampler().run().warmup(),
        job.sampler().run().draws(),
        Efficiency.of(run),
        run.seconds().getOrDefault(RunResult.LOAD, Double.NaN),
        run.seconds().getOrDefault(RunResult.WARMUP, Double.NaN),
        run.seconds().getOrDefault(RunResult.SAMPLE, Double.NaN),
        run.result().jobs(),
        run.result().residentBytes(),
        Arrays.stream(run.draws()).mapToDouble(Diagnostics::rhat).max().orElse(Double.NaN),
        notes);
  }

  /** Returns iterations of the sampling phase a second, summed over the chains. */
  public double iterationsPerSecond() {
    return efficiency.iterations() / samplingSeconds;
  }

  /** Returns iterations a second, summed over the chains, warm-up included. */
  public double iterationsPerSecondInAll() {
    return (efficiency.iterations() + (double) chains * warmup) / (warmupSeconds + samplingSeconds);
  }

  /** Returns iterations of all chains for each Spark job, warm-up included. */
  public double iterationsPerJob() {
    return (efficiency.iterations() + (double) chains * warmup) / jobs;
  }

  /** Returns effective draws a second of the worst coefficient. */
  public double leastEssPerSecond() {
    return efficiency.least() / samplingSeconds;
  }

  /** Returns effective draws a second, the median over coefficients. */
  public double medianEssPerSecond() {
    return efficiency.median() / samplingSeconds;
  }

  /** Returns effective draws of the worst coefficient for each likelihood evaluation. */
  public double leastEssPerEvaluation() {
    return efficiency.least() / allEvaluations();
  }

  /** Returns effective draws for each likelihood evaluation, the median over coefficients. */
  public double medianEssPerEvaluation() {
    return efficiency.median() / allEvaluations();
  }

  private double allEvaluations() {
    return efficiency.evaluations() * efficiency.iterations();
  }
}
