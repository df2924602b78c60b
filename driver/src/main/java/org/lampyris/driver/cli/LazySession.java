package org.lampyris.driver.cli;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.progress.Progress;

/** File systems, and a Spark session that starts when it is first asked for. */
final class LazySession implements AutoCloseable {
  /** Asks the launcher, which has started without Spark, to start the command again with it. */
  static final class WithoutSpark extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final String command;
  private final boolean verbose;
  private final Console console;
  private final Storage storage;
  private @Nullable Session session;
  private @Nullable Progress progress;

  LazySession(String command, boolean verbose, Console console) {
    this.command = command;
    this.verbose = verbose;
    this.console = console;
    storage = Storage.open(command, verbose);
  }

  /** Returns Hadoop's configuration. */
  Configuration hadoop() {
    return storage.hadoop();
  }

  /**
   * Returns the session.
   *
   * @throws WithoutSpark if this process was started without what Spark needs
   */
  SparkSession spark() {
    Session open = session;
    if (open == null) {
      if ("none".equals(System.getenv("LAMPYRIS_SPARK"))) {
        throw new WithoutSpark();
      }
      open = Session.open(command, verbose);
      session = open;
      Progress shown = console.progress(open);
      shown.start(command, 0);
      progress = shown;
    }
    return open.spark();
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.end();
      progress.close();
    }
    if (session != null) {
      session.close();
    }
    storage.close();
  }
}
