package org.lampyris.driver.report;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.predict.RowReader;
import org.lampyris.driver.progress.Progress;

/** Writes {@code report.html} into the output folder of a run, from the files there. */
public final class ReportJob {
  /** The file. */
  public static final String FILE = "report.html";

  private ReportJob() {}

  /**
   * Writes the report of a run that has just ended, as a phase. If it cannot be, a line says why:
   * the draws are there.
   *
   * @param rows reads rows of the run's table
   */
  public static void after(SparkSession spark, RowReader rows, String folder, Progress progress) {
    progress.start("report", 0);
    try {
      Configuration conf = spark.sparkContext().hadoopConfiguration();
      progress.note(write(conf, rows, folder));
    } catch (UserException | IOException e) {
      progress.warn("No report was written: " + e.getMessage());
    }
    progress.end();
  }

  /**
   * Writes the report; an earlier one is replaced.
   *
   * @param rows reads rows of the run's table
   * @param folder the output folder of a run that has ended
   * @return where it is
   * @throws UserException (data) if it is no such folder
   */
  public static String write(Configuration conf, RowReader rows, String folder) throws IOException {
    Executor meanwhile = rows.here() ? ForkJoinPool.commonPool() : Runnable::run;
    RunFolder run = RunFolder.read(conf, folder, meanwhile);
    Later<CheckSection> checking = Later.of(meanwhile, () -> CheckSection.of(rows, run));
    String effects =
        PriorSection.of(run)
            + MarginalSection.of(run)
            + SmoothSection.of(run)
            + EffectSection.of(conf, run);
    String page = ReportPage.of(run, checking.get(), effects);
    try (OutputFolder output = OutputFolder.reserve(conf, folder, List.of(FILE), true)) {
      output.text(FILE, page);
      output.publish();
    }
    return new Path(folder, FILE).toString();
  }
}
