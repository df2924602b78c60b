package org.lampyris.driver;

import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
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

/** Runs the steps of the command {@code run} in the caller's session. */
final class Fit {
  /** Stand-in for a file name in messages, if the input is a table of a program. */
  static final String TABLE = "the given table";

  /** The keys that a fit cannot do without. */
  static final Set<NeededKey> NEEDS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(NeededKey.GENERATE_OUTPUT)));

  private static final Logger LOG = LoggerFactory.getLogger(Fit.class);

  private Fit() {}

  /**
   * Returns a new posterior.
   *
   * @param rows the table; null where {@code data.input} says where it is
   */
  static Posterior of(
      SparkSession spark, @Nullable Dataset<Row> rows, JobConfig job, boolean overwrite)
      throws IOException {
    Steps steps = new Steps();
    Sampling sampling = new Sampling(steps, "fit");
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    try (Progress progress = Progress.lines(LOG::info)) {
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
      ReportJob.after(spark, job.outputFolder(), progress);
    }
    return Posterior.load(spark, job.outputFolder());
  }
}
