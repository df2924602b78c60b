package org.lampyris.driver;

import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.cli.NamedJobs;
import org.lampyris.driver.cli.Sampling;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.config.NeededKey;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.output.RunWriter;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.report.ReportJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the steps of the command {@code run} in the caller's session, and leaves that as it was. */
public final class Fit {
  /** Stand-in for a file name in messages, if the input is a table of a program. */
  public static final String TABLE = "the given table";

  /** The keys that a fit cannot do without. */
  public static final Set<NeededKey> NEEDS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(NeededKey.GENERATE_OUTPUT)));

  /** Properties that name a thread's jobs, and by which a notebook cancels them. */
  private static final List<String> JOB_NAMES =
      List.of("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel");

  private static final Logger LOG = LoggerFactory.getLogger(Fit.class);

  private Fit() {}

  /**
   * Returns a new posterior.
   *
   * @param rows the table; null where {@code data.input} says where it is
   * @param overwrite whether results, a prepared table and bounds in the job's folders are replaced
   * @throws org.lampyris.bounds.config.UserException if the table, the configuration or a folder is
   *     at fault
   */
  public static Posterior of(
      SparkSession spark, @Nullable Dataset<Row> rows, JobConfig job, boolean overwrite)
      throws IOException {
    SparkContext context = spark.sparkContext();
    List<@Nullable String> names = JOB_NAMES.stream().map(context::getLocalProperty).toList();
    try {
      return fit(spark, rows, job, overwrite);
    } finally {
      for (int k = 0; k < names.size(); k++) {
        context.setLocalProperty(JOB_NAMES.get(k), names.get(k));
      }
    }
  }

  private static Posterior fit(
      SparkSession spark, @Nullable Dataset<Row> rows, JobConfig job, boolean overwrite)
      throws IOException {
    Steps steps = new Steps();
    Sampling sampling = new Sampling(steps, "fit");
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    try (Progress progress = new NamedJobs(spark.sparkContext(), Progress.lines(LOG::info))) {
      try (RunWriter writer = RunWriter.reserve(conf, job.outputFolder(), overwrite)) {
        job.sampler().warnings().forEach(progress::warn);
        sampling.phase(
            "prepare",
            progress,
            () -> steps.prepareToGoOn(spark, job, rows, overwrite, progress::note));
        sampling.phase(
            "precompute", progress, () -> steps.precompute(spark, job, overwrite, progress::note));
        SampledRun sampled = steps.sample(spark, job, progress);
        sampling.write(sampled, job, writer, progress);
      }
      ReportJob.after(spark, steps.rows(spark), job.outputFolder(), progress);
    }
    return Posterior.load(spark, job.outputFolder());
  }
}
