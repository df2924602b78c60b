package org.lampyris.experiments.bench;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.job.Steps;
import org.lampyris.driver.progress.Progress;

/**
 * The prepared tables of the work folder. A generated table is prepared once and reused; the
 * settings in a file next to it must be the same.
 */
record Tables(SparkSession spark, Steps steps, Progress progress) {
  private static final String STAMP = "table.txt";

  /**
   * Sees to it that a table is prepared.
   *
   * @param source where it comes from
   * @param job its configuration
   * @throws UserException if it cannot be made
   */
  void make(Subject.Source source, JobConfig job) {
    if (source instanceof Subject.Source.Generated) {
      generated(job);
    } else if (source instanceof Subject.Source.Input) {
      prepare(job);
    }
  }

  private void generated(JobConfig job) {
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Path generated = new Path(String.valueOf(job.generate().output()));
    Path stamp = new Path(generated.getParent(), STAMP);
    String made =
        job.generate()
            + "\n"
            + job.data()
            + job.sampler().run().seed()
            + job.model().labelNeeded()
            + "\n";
    try {
      FileSystem fs = generated.getFileSystem(conf);
      if (made.equals(text(fs, stamp))) {
        return;
      }
      fs.delete(stamp, false);
      phase("generate", () -> steps.generate(spark, job, true, progress::note));
      prepare(job);
      // It can be made again, and takes as much room as the prepared one.
      fs.delete(generated, true);
      try (OutputStream out = fs.create(stamp, true)) {
        out.write(made.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw UserException.usage(
          ("The work folder of the benchmark, %s, cannot be written or read: %s. Choose another"
                  + " with --work.")
              .formatted(generated.getParent(), e.getMessage()),
          e);
    }
  }

  private static String text(FileSystem fs, Path file) throws IOException {
    try (InputStream in = fs.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      return "";
    }
  }

  private void prepare(JobConfig job) {
    phase("prepare", () -> steps.prepare(spark, job, true, progress::note));
  }

  private void phase(String name, Runnable work) {
    progress.start(name, 0);
    work.run();
    progress.end();
  }
}
