package org.lampyris.experiments.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.dataprep.precompute.BoundsArtefact;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Steps;
import org.lampyris.executors.rows.ResidentTable;
import org.lampyris.executors.rows.TableContext;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.experiments.study.Efficiency;
import org.lampyris.samplers.run.LikelihoodPass;
import org.lampyris.samplers.run.PlainBlock;

/**
 * Measures the limits of the machine and of a table.
 *
 * @param seconds how long each figure is measured, about
 */
record BaselineRun(SparkSession spark, Steps steps, double seconds) {
  /** 256 MiB: far more than caches hold. */
  private static final int STREAM_DOUBLES = 1 << 25;

  private static final int FEWEST_ROUNDS = 5;

  /** Length of warm-up passes relative to the measured ones, because Spark's own code is large. */
  private static final double WARM = 4;

  /**
   * Measures. Writes the bounds again, which is timed. Among the figures, {@code bytes} is the size
   * of the resident rows; {@code stream} a plain loop over doubles in memory, a thread for each
   * core; {@code pass} one value and gradient of the log-likelihood at one θ, as a Spark job;
   * {@code load} reading the prepared table into memory; {@code precompute} the whole step.
   *
   * @param job the configuration of any of the table's rows
   * @param progress receives every pass
   */
  Figures run(JobConfig job, Consumer<String> progress) {
    long begun = System.nanoTime();
    steps.precompute(spark, job, true, progress);
    double precompute = since(begun);
    BoundsArtefact artefact = BoundsArtefact.read(spark, job.boundsFolder());
    begun = System.nanoTime();
    try (BlockTable table = BlockTable.load(spark, job.preparedFolder(), job.data().partitions())) {
      long bytes = table.keep().map(DataBlock::packedBytes).reduce(Long::sum);
      double load = since(begun);
      progress.accept("reading from memory, with and without the likelihood");
      int threads =
          Math.min(
              Runtime.getRuntime().availableProcessors(),
              spark.sparkContext().defaultParallelism());
      double[] read = readings(job, table, artefact.theta(), threads);
      progress.accept("empty jobs");
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("rows", table.schema().rows());
      figures.put("coefficients", table.schema().columns().size());
      figures.put("bytes", bytes);
      figures.put("empty_jobs_per_second", emptyJobsPerSecond(table.ranges().numPartitions()));
      figures.put("threads", threads);
      figures.put("stream_bytes_per_second", read[0]);
      figures.put("pass_seconds", read[1]);
      figures.put("pass_bytes_per_second", bytes / read[1]);
      figures.put("load_seconds", load);
      figures.put("precompute_seconds", precompute);
      figures.put("precompute_passes", artefact.passes());
      return new Figures(figures);
    }
  }

  /**
   * Reads memory and makes passes in turn, so that both meet the same machine.
   *
   * @return bytes a second of the former and seconds of the latter, both medians
   */
  private double[] readings(JobConfig job, BlockTable table, double[] theta, int threads) {
    ResidentTable<PlainBlock> rows =
        new ResidentTable<>(table.blocks(), table.ranges(), PlainBlock::new, 1);
    Function<List<LikelihoodPass.Question>, List<double[]>> jobs =
        rows.questions(new LikelihoodPass<>(job.modelOf(table.schema()).model()));
    List<LikelihoodPass.Question> question =
        List.of(new LikelihoodPass.Question(new double[][] {theta}, true));
    List<Double> stream = new ArrayList<>();
    List<Double> pass = new ArrayList<>();
    try (StreamRead reader = new StreamRead(threads, STREAM_DOUBLES)) {
      long begun = System.nanoTime();
      double warm = WARM * seconds;
      while (since(begun) < warm + seconds || pass.size() < FEWEST_ROUNDS) {
        if (since(begun) < warm && pass.size() >= FEWEST_ROUNDS) {
          stream.clear();
          pass.clear();
        }
        stream.add(reader.seconds());
        long now = System.nanoTime();
        double[] answer = jobs.apply(question).get(0);
        pass.add(answer.length > 0 ? since(now) : Double.NaN);
      }
      return new double[] {reader.bytes() / median(stream), median(pass)};
    }
  }

  private double emptyJobsPerSecond(int partitions) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    double first = TableContext.emptyJobSeconds(context, partitions, 50);
    int jobs = (int) Math.max(50, seconds / first);
    TableContext.emptyJobSeconds(context, partitions, jobs);
    return 1 / TableContext.emptyJobSeconds(context, partitions, jobs);
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return Efficiency.median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double since(long nanoTime) {
    return 1e-9 * (System.nanoTime() - nanoTime);
  }
}
