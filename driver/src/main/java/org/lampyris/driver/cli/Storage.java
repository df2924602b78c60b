package org.lampyris.driver.cli;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;

/**
 * File systems for a command that only reads and writes files, and so starts no Spark. Their
 * configuration is the one that a session would have.
 *
 * @param hadoop Hadoop's configuration
 * @param session null unless the command runs as a Yarn application, which fails without a session
 */
record Storage(Configuration hadoop, @Nullable Session session) implements AutoCloseable {
  /**
   * Opens the file systems.
   *
   * @param command what a Yarn application is called after "lampyris"
   */
  static Storage open(String command, boolean verbose) {
    SparkConf conf = Session.configuration(command);
    if (conf.get("spark.master", "").equals("yarn")
        && conf.get("spark.submit.deployMode", "client").equals("cluster")) {
      return withSpark(command, verbose);
    }
    Session.setLevels(verbose);
    return new Storage(SparkHadoopUtil.get().newConfiguration(conf), null);
  }

  /** Opens the file systems, and a session that is closed with them. */
  static Storage withSpark(String command, boolean verbose) {
    Session session = Session.open(command, verbose);
    return new Storage(session.hadoop(), session);
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }
}
