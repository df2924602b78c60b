package org.lampyris.driver.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** What Spark's pages call the jobs of a run, and what its metrics say of the chains. */
class JobNamesIT {
  /** The descriptions of jobs by their groups. */
  private static final ConcurrentMap<String, Set<String>> JOBS = new ConcurrentHashMap<>();

  private static final SortedMap<String, Object> METRICS = new TreeMap<>();

  @TempDir Path folder;

  /** Notes what jobs are called, and what the metrics of the chains are while they run. */
  public static final class Listener extends SparkListener {
    @Override
    public void onJobStart(SparkListenerJobStart started) {
      String group = String.valueOf(started.properties().getProperty("spark.jobGroup.id"));
      JOBS.computeIfAbsent(group, name -> ConcurrentHashMap.newKeySet())
          .add(String.valueOf(started.properties().getProperty("spark.job.description")));
      if (group.equals("sample")) {
        for (Source source :
            CollectionConverters.asJava(
                SparkEnv.get().metricsSystem().getSourcesByName("lampyris"))) {
          MetricRegistry registry = source.metricRegistry();
          synchronized (METRICS) {
            registry.getGauges().forEach((name, gauge) -> METRICS.put(name, gauge.getValue()));
            registry.getCounters().forEach((name, one) -> METRICS.put(name, one.getCount()));
            registry.getMeters().forEach((name, one) -> METRICS.put(name, one.getCount()));
          }
        }
      }
    }
  }

  private void runs(String plan) throws IOException {
    JOBS.clear();
    METRICS.clear();
    Path table = folder.resolve("table.csv");
    List<String> rows = new ArrayList<>(List.of("y,a"));
    for (int i = 0; i < 2000; i++) {
      rows.add((i % 3 == 0 ? 1 : 0) + "," + Math.sin(i));
    }
    Files.write(table, rows);
    Path job =
        Files.writeString(
            folder.resolve(plan + ".yaml"),
            """
            data: {input: "%1$s/table.csv", label: y}
            sampler: {algorithm: firefly, kernel: mala, plan: %2$s, warmup: 40, draws: 60, chains: 2}
            output: "%1$s/%2$s"
            """
                .formatted(folder, plan));
    new Shell("local[2]")
        .set("spark.extraListeners", Listener.class.getName())
        .samples("run", "--config", job.toString());
  }

  @Test
  void jobsAreNamedByPhases() throws IOException {
    runs("stepwise");
    SortedSet<String> groups = new TreeSet<>(JOBS.keySet());
    Set<String> expected =
        new LinkedHashSet<>(List.of("load", "lp__", "precompute", "prepare", "sample", "warm-up"));
    expected.removeAll(groups);
    assertEquals(Set.of(), expected, groups.toString());
    assertTrue(
        Objects.requireNonNull(JOBS.get("prepare")).stream()
            .anyMatch(name -> name.startsWith("prepare: block pass 1")),
        JOBS.toString());
    synchronized (METRICS) {
      assertEquals(
          List.of(
              "acceptance",
              "bright",
              "chainIterations",
              "chains",
              "evaluations",
              "evaluationsPerIteration",
              "iteration",
              "iterations"),
          List.copyOf(METRICS.keySet()));
      assertEquals(2, METRICS.get("chains"));
      assertEquals(100L, METRICS.get("iterations"));
      long iteration = (long) Objects.requireNonNull(METRICS.get("iteration"));
      long all = (long) Objects.requireNonNull(METRICS.get("chainIterations"));
      assertTrue(iteration > 40 && iteration <= 100, METRICS.toString());
      // Each chain is at most one iteration ahead of the other.
      assertTrue(Math.abs(all - 2 * iteration) <= 2 + 2, METRICS.toString());
      double acceptance = (double) Objects.requireNonNull(METRICS.get("acceptance"));
      assertTrue(acceptance > 0.05 && acceptance <= 1, METRICS.toString());
    }
  }

  @Test
  void jobsOfASegmentNameItsChains() throws IOException {
    runs("segment");
    String last = String.valueOf(JOBS.get("sample"));
    assertTrue(last.contains("of chains 1, 2, a task each"), JOBS.toString());
    assertTrue(JOBS.values().toString().contains("candidates of iterations "), JOBS.toString());
  }
}
