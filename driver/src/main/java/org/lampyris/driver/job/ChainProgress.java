package org.lampyris.driver.job;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.StepInfo;
import org.lampyris.samplers.run.RunProgress;
import org.lampyris.samplers.run.RunResult;

/** Shows how far the chains are, from the iterations that they report on their own threads. */
final class ChainProgress implements RunProgress.Chains {
  /** The readings are means that forget at this rate an iteration. */
  private static final double FORGET = 0.02;

  private final Progress progress;
  private final RunMetrics metrics;
  private final int chains;
  private final ChainRunner.Length length;
  private final long[] done;
  private double acceptance = Double.NaN;
  private final List<Column> columns;
  private final Map<String, Double> means = new LinkedHashMap<>();
  private double evaluations = Double.NaN;
  private boolean warm;
  private final long begun = System.nanoTime();
  private long warmAt = begun;
  private long endedAt = begun;

  ChainProgress(
      Progress progress,
      int chains,
      ChainRunner.Length length,
      List<Column> columns,
      RunMetrics metrics) {
    this.metrics = metrics;
    this.progress = progress;
    this.columns = columns;
    this.chains = chains;
    this.length = length;
    this.done = new long[chains];
    this.warm = length.warmup() == 0;
    progress.start(
        warm ? RunResult.SAMPLE : RunResult.WARMUP, warm ? length.iterations() : length.warmup());
  }

  @Override
  public synchronized void iteration(int chain, long iteration, StepInfo info) {
    done[chain - 1] = iteration;
    // The thread is the chain's, and asks what it needs next.
    metrics.iteration(warm ? RunResult.SAMPLE : RunResult.WARMUP, iteration, info);
    acceptance = mean(acceptance, info.acceptanceProbability());
    evaluations = mean(evaluations, (double) info.likelihoodEvaluations());
    for (int k = 0; k < info.columns().size(); k++) {
      double value = info.columns().get(k);
      means.merge(columns.get(k).label(), value, (before, now) -> mean(before, now));
    }
    // One report for all chains, by the slowest of them.
    if (iteration > 0 && iteration == slowest()) {
      report(iteration);
    }
  }

  private long slowest() {
    return Arrays.stream(done).min().orElseThrow();
  }

  @Override
  public void note(String line) {
    progress.note(line);
  }

  @Override
  public void segment(List<ChainTrace> traces) {
    long before = done[0];
    for (int i = 0; i < iterations(traces.get(0)); i++) {
      for (int c = 0; c < chains; c++) {
        iteration(c + 1, before + i + 1, info(traces.get(c), i));
      }
    }
  }

  private static int iterations(ChainTrace trace) {
    return trace.warmup().size() + trace.sampling().size();
  }

  private static StepInfo info(ChainTrace trace, int i) {
    int warmup = trace.warmup().size();
    return (i < warmup ? trace.warmup().get(i) : trace.sampling().get(i - warmup)).info();
  }

  private void report(long iteration) {
    Reading reading = new Reading(acceptance, new LinkedHashMap<>(means), evaluations);
    if (!warm) {
      progress.step(iteration, reading);
      if (iteration == length.warmup()) {
        progress.end();
        warm = true;
        warmAt = System.nanoTime();
        progress.start(RunResult.SAMPLE, length.iterations() - length.warmup());
      }
    } else {
      progress.step(iteration - length.warmup(), reading);
    }
  }

  @Override
  public synchronized double warmupSeconds() {
    return 1e-9 * (warmAt - begun);
  }

  @Override
  public synchronized double samplingSeconds() {
    return 1e-9 * (endedAt - warmAt);
  }

  private double mean(double before, double value) {
    double forget = FORGET / chains;
    return Double.isNaN(before) ? value : before + forget * (value - before);
  }

  @Override
  public synchronized void close() {
    endedAt = System.nanoTime();
    metrics.close();
    if (slowest() == length.iterations()) {
      progress.end();
    } else {
      progress.close();
    }
  }
}
