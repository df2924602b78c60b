package org.lampyris.driver.cli;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.progress.Progress;

/** File systems, and a Spark session that starts when it is first asked for. */
final class LazySession implements AutoCloseable {
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

  /** Returns the session. */
  SparkSession spark() {
    Session open = session;
    if (open == null) {
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
