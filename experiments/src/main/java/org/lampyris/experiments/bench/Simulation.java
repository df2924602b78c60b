package org.lampyris.experiments.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.Text;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.rows.TableContext;

/**
 * Expected run times on a cluster, from the costs of the phases here. Tables of three sizes are
 * generated and run: the two smaller ones give the {@link PhaseCosts}, and the largest is compared
 * with their prediction.
 */
public record Simulation(SparkSession spark, Steps steps, Progress progress) {
  /** File name of the page. */
  public static final String MARKDOWN = "simulation.md";

  private static final String CSV = "simulation.csv";
  private static final double LEAST_ROWS = 1e6;
  private static final double MOST_ROWS = 1e11;
  private static final int EMPTY_JOBS = 20;

  /** Number of additional tasks that show the cost of a task, without the cost of a job. */
  private static final int MORE_TASKS = 200;

  /**
   * A table to generate and run.
   *
   * @param columns how many coefficients there are
   * @param job says so, and where
   */
  public record Table(long rows, int columns, JobConfig job) {}

  /**
   * Measures, and writes the expected times.
   *
   * @param tables of three sizes, the smallest first
   * @param clusters the clusters; if their cost of a task is 0, the measured one is used
   */
  public void write(
      List<Table> tables, List<PhaseCosts.Cluster> clusters, String machine, Path output)
      throws IOException {
    int cores = spark.sparkContext().defaultParallelism();
    measure(tables.get(1)); // by code that is not compiled yet
    List<Map<String, PhaseCosts.Point>> sizes = new ArrayList<>();
    for (Table table : tables) {
      sizes.add(measure(table));
    }
    List<PhaseCosts> costs = new ArrayList<>();
    sizes
        .get(0)
        .forEach(
            (phase, small) ->
                costs.add(
                    PhaseCosts.of(
                        phase, small, Objects.requireNonNull(sizes.get(1).get(phase)), cores)));
    int d = tables.get(2).columns;
    PhaseCosts.Size size =
        new PhaseCosts.Size((d + 2.0) * Double.BYTES, d * (d + 1) / 2.0 * Double.BYTES);
    StringBuilder page = new StringBuilder("# Expected run times\n\n" + machine + "\n");
    StringBuilder csv = new StringBuilder("workers,cores,rows,phase,seconds\n");
    held(
        costs,
        sizes.get(2),
        new PhaseCosts.Cluster(1, cores, 0, Double.POSITIVE_INFINITY),
        size,
        page);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    double few = TableContext.emptyJobSeconds(context, cores, EMPTY_JOBS);
    double many = TableContext.emptyJobSeconds(context, cores + MORE_TASKS, EMPTY_JOBS);
    double here = Math.max(0, many - few) / MORE_TASKS;
    for (PhaseCosts.Cluster asked : clusters) {
      expected(costs, asked.taskSeconds() > 0 ? asked : asked.withTasks(here), size, page, csv);
    }
    Files.createDirectories(output);
    Files.writeString(output.resolve(MARKDOWN), page.toString());
    Files.writeString(output.resolve(CSV), csv.toString());
  }

  /** Compares the prediction for the largest table with the measurement. */
  private static void held(
      List<PhaseCosts> costs,
      Map<String, PhaseCosts.Point> largest,
      PhaseCosts.Cluster here,
      PhaseCosts.Size size,
      StringBuilder page) {
    long rows = largest.values().iterator().next().rows();
    page.append(
        Text.of(
            """

            ## Compared with %,d rows

            | | fixed, s | core-µs a row | jobs | expected, s | measured, s |
            |---|--:|--:|--:|--:|--:|
            """,
            rows));
    double expected = 0;
    double measured = 0;
    for (PhaseCosts cost : costs) {
      double one = cost.seconds((double) rows, here, size);
      double other = Objects.requireNonNull(largest.get(cost.phase())).seconds();
      expected += one;
      measured += other;
      page.append(
          Text.of(
              "| %s | %.2f | %.2f | %d | %.1f | %.1f |\n",
              cost.phase(), cost.fixed(), 1e6 * cost.perRow(), cost.jobs(), one, other));
    }
    page.append(Text.of("| all | | | | %.1f | %.1f |\n", expected, measured));
  }

  private static void expected(
      List<PhaseCosts> costs,
      PhaseCosts.Cluster cluster,
      PhaseCosts.Size size,
      StringBuilder page,
      StringBuilder csv) {
    page.append(
        Text.of(
            """

            ## %,d × %,d cores

            %.2f ms a task, %.2f GiB/s to the driver. Seconds:

            | rows |\
            """,
            cluster.workers(),
            cluster.cores(),
            1e3 * cluster.taskSeconds(),
            cluster.bytesPerSecond() / (1 << 30)));
    costs.forEach(cost -> page.append(' ').append(cost.phase()).append(" |"));
    page.append(" all |\n|--:|").append("--:|".repeat(costs.size() + 1)).append('\n');
    for (double rows = LEAST_ROWS; rows <= MOST_ROWS; rows *= 10) {
      page.append(Text.of("| %,.0f |", rows));
      double all = 0;
      for (PhaseCosts cost : costs) {
        double seconds = cost.seconds(rows, cluster, size);
        all += seconds;
        page.append(Text.of(" %.1f |", seconds));
        csv.append(
            Text.of(
                "%d,%d,%.0f,%s,%s\n",
                cluster.workers(), cluster.cores(), rows, cost.phase(), seconds));
      }
      page.append(Text.of(" %.1f |\n", all));
    }
  }

  /** Runs a table, and returns its phases in their order. */
  private Map<String, PhaseCosts.Point> measure(Table table) {
    JobConfig job = table.job;
    progress.start("generate", 0);
    steps.generate(spark, job, true, progress::note);
    progress.end();
    Map<String, PhaseCosts.Point> phases = new LinkedHashMap<>();
    JobCounter counter = new JobCounter();
    spark.sparkContext().addSparkListener(counter);
    try {
      long rows = table.rows;
      progress.start("prepare", 0);
      phases.put(
          "prepare", counter.point(rows, () -> steps.prepare(spark, job, true, progress::note)));
      progress.end();
      progress.start("precompute", 0);
      phases.put(
          "precompute",
          counter.point(rows, () -> steps.precompute(spark, job, true, progress::note)));
      progress.end();
      phases.put("sample", counter.point(rows, () -> steps.sample(spark, job, progress)));
      return phases;
    } finally {
      spark.sparkContext().removeSparkListener(counter);
    }
  }

  /** Counts the jobs of a phase. */
  private static final class JobCounter extends SparkListener {
    private final AtomicInteger started = new AtomicInteger();

    @Override
    public void onJobStart(SparkListenerJobStart start) {
      started.incrementAndGet();
    }

    PhaseCosts.Point point(long rows, Runnable phase) {
      started.set(0);
      long begun = System.nanoTime();
      phase.run();
      return new PhaseCosts.Point(rows, 1e-9 * (System.nanoTime() - begun), started.get());
    }
  }
}
