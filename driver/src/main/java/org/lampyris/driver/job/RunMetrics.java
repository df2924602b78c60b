package org.lampyris.driver.job;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.lampyris.executors.jobs.JobGroup;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.Column;
import org.lampyris.samplers.chain.StepInfo;

/**
 * Spark metrics source {@code lampyris}, with the state of the chains: {@code iteration} of {@code
 * iterations}, {@code chains}, {@code acceptance} and {@code evaluationsPerIteration} (means over a
 * thousand iterations), {@code evaluations} (the sum), the rate of {@code chainIterations}, and the
 * algorithm's own figures, such as {@code bright}. Any sink of Spark's takes it.
 */
final class RunMetrics implements Source, AutoCloseable {
  private static final int RECENT = 1000;

  private final SparkContext context;
  private final MetricRegistry registry = new MetricRegistry();
  private final Meter iterations = registry.meter("chainIterations");
  private final Counter evaluations = registry.counter("evaluations");
  private final AtomicReferenceArray<Double> means;
  private volatile long iteration;

  /** Registers the source. */
  RunMetrics(SparkContext context, int chains, ChainRunner.Length length, List<Column> columns) {
    this.context = context;
    this.means =
        new AtomicReferenceArray<>(
            IntStream.range(0, 2 + columns.size()).mapToObj(k -> 0.0).toArray(Double[]::new));
    registry.registerGauge("iteration", () -> iteration);
    registry.registerGauge("iterations", length::iterations);
    registry.registerGauge("chains", () -> chains);
    registry.registerGauge("acceptance", mean(0));
    registry.registerGauge("evaluationsPerIteration", mean(1));
    for (int k = 0; k < columns.size(); k++) {
      registry.registerGauge(name(columns.get(k).label()), mean(2 + k));
    }
    SparkEnv.get().metricsSystem().registerSource(this);
  }

  private Gauge<Double> mean(int k) {
    return () -> means.get(k);
  }

  /** Returns a label as one word: "first stage" becomes "first_stage". */
  private static String name(String label) {
    return label.strip().replaceAll("[^A-Za-z0-9]+", "_");
  }

  /** Notes an iteration of a chain, on whose thread this is. */
  void iteration(String phase, long number, StepInfo info) {
    JobGroup.enter(context, phase);
    long before = iterations.getCount();
    iterations.mark();
    evaluations.inc(info.likelihoodEvaluations());
    iteration = number;
    double weight = 1.0 / Math.min(RECENT, before + 1);
    add(0, info.acceptanceProbability(), weight);
    add(1, (double) info.likelihoodEvaluations(), weight);
    for (int k = 0; k < info.columns().size(); k++) {
      add(2 + k, info.columns().get(k), weight);
    }
  }

  private void add(int k, double value, double weight) {
    if (!Double.isNaN(value)) {
      means.set(k, means.get(k) + weight * (value - means.get(k)));
    }
  }

  @Override
  public String sourceName() {
    return "lampyris";
  }

  @Override
  public MetricRegistry metricRegistry() {
    return registry;
  }

  @Override
  public void close() {
    if (!context.isStopped()) {
      SparkEnv.get().metricsSystem().removeSource(this);
    }
  }
}
