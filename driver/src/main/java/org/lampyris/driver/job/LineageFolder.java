package org.lampyris.driver.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** Checkpoint folder for brightness on a cluster. In local mode nothing is written. */
final class LineageFolder implements AutoCloseable {
  private static final String SUFFIX = ".checkpoints";

  private final SparkContext context;
  private final Path folder;
  private final boolean own;

  /**
   * Sets Spark's checkpoint directory, if one is needed and the user has set none ({@code
   * spark.checkpoint.dir}): a folder next to the output, on the same file system, which every
   * executor can reach.
   */
  LineageFolder(SparkSession spark, String output) {
    this.context = spark.sparkContext();
    this.folder = new Path(output + SUFFIX);
    this.own = !context.isLocal() && context.getCheckpointDir().isEmpty();
    if (own) {
      context.setCheckpointDir(folder.toString());
    }
  }

  /** Deletes the folder that was made. */
  @Override
  public void close() {
    if (own) {
      try {
        folder.getFileSystem(context.hadoopConfiguration()).delete(folder, true);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + folder, e);
      }
    }
  }
}
