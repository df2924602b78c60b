package org.lampyris.driver.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** Checkpoint folder for brightness on a cluster. In local mode nothing is written. */
final class LineageFolder implements AutoCloseable {
  private static final String SUFFIX = ".checkpoints";

  /** Names of the folders that Spark makes in a checkpoint directory. */
  private static final Pattern SPARKS =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

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

  /**
   * Deletes the folders that Spark has made in it, by this process or by one that was killed, and
   * itself if nothing else is in it.
   */
  @Override
  public void close() {
    if (own) {
      try {
        delete(folder.getFileSystem(context.hadoopConfiguration()), folder);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + folder, e);
      }
    }
  }

  static void delete(FileSystem fs, Path folder) throws IOException {
    if (!fs.exists(folder)) {
      return;
    }
    for (FileStatus status : fs.listStatus(folder)) {
      if (status.isDirectory() && SPARKS.matcher(status.getPath().getName()).matches()) {
        fs.delete(status.getPath(), true);
      }
    }
    if (fs.listStatus(folder).length == 0) {
      fs.delete(folder, true);
    }
  }
}
