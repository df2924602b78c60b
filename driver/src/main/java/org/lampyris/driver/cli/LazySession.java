package org.lampyris.driver.cli;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.OutputFolder;
import org.lampyris.driver.progress.Progress;
import org.lampyris.executors.table.LocalDisk;

/**
 * File systems, and a Spark session that starts when it is first asked for. The file systems'
 * configuration is the one that a session would have.
 */
final class LazySession implements AutoCloseable {
  /** Asks the launcher, which has started without Spark, to start the command again with it. */
  static final class WithoutSpark extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final String command;
  private final boolean verbose;
  private final Console console;
  private final Configuration hadoop;
  private @Nullable Session session;
  private @Nullable Progress progress;

  LazySession(String command, boolean verbose, Console console) {
    this.command = command;
    this.verbose = verbose;
    this.console = console;
    if (isWithoutSpark()) {
      hadoop = LocalDisk.configuration();
      return;
    }
    SparkConf conf = Session.configuration(command);
    if (conf.get("spark.master", "").equals("yarn")
        && conf.get("spark.submit.deployMode", "client").equals("cluster")) {
      session = Session.open(command, verbose); // a Yarn application fails without one
      hadoop = session.hadoop();
    } else {
      Session.setLevels(verbose);
      hadoop = SparkHadoopUtil.get().newConfiguration(conf);
    }
  }

  /** Returns whether the launcher has started this process without what Spark needs. */
  static boolean isWithoutSpark() {
    return "none".equals(System.getenv("LAMPYRIS_SPARK"));
  }

  /** Returns Hadoop's configuration. */
  Configuration hadoop() {
    return hadoop;
  }

  /**
   * Reserves what a command writes.
   *
   * @param output the folder; null for none
   * @param items the files and folders in it
   * @return null if no folder is named
   */
  @Nullable OutputFolder reserve(
      @Nullable String output, OverwriteOption overwrite, List<String> items) {
    return output == null
        ? null
        : OutputFolder.reserve(hadoop, output, items, overwrite.overwrite());
  }

  /**
   * Returns the session.
   *
   * @throws WithoutSpark if this process was started without what Spark needs
   */
  SparkSession spark() {
    Session open = session;
    if (open == null) {
      if (isWithoutSpark()) {
        throw new WithoutSpark();
      }
      open = Session.open(command, verbose);
      session = open;
    }
    if (progress == null) {
      Progress shown = console.progress(open);
      shown.start(command, 0);
      progress = shown;
    }
    return open.spark();
  }

  /** Shows a remark, if there is a session. */
  void note(String remark) {
    if (progress != null) {
      progress.note(remark);
    }
  }

  /** Shows that the command has succeeded, if it has shown anything. */
  void end() {
    if (progress != null) {
      progress.end();
    }
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.close();
    }
    if (session != null) {
      session.close();
    }
  }
}
