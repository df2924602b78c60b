package org.lampyris.driver.cli;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.lampyris.executors.table.LocalDisk;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Spark session for one command. The master, memory and everything else come from spark-submit;
 * what Lampyris prefers is only set where the user has not.
 */
public record Session(SparkSession spark, boolean own) implements AutoCloseable {
  /**
   * Loggers to silence. They warn of intended things (a lineage cut at every iteration), of
   * failures that arrive as exceptions anyway (a failed task, with its stack trace, several times),
   * or of lines that {@link ClusterWatch} reports (messages to a lost executor).
   */
  private static final List<String> TALKATIVE =
      List.of(
          "org.apache.hadoop.hdfs",
          "org.apache.spark.rdd",
          "org.apache.spark.executor.Executor",
          "org.apache.spark.scheduler.DAGScheduler",
          "org.apache.spark.scheduler.TaskSetManager",
          "org.apache.spark.network",
          "org.apache.spark.storage",
          "org.apache.spark.sql.catalyst.csv.CSVHeaderChecker",
          "org.apache.spark.sql.execution.datasources.FileFormatWriter",
          "org.apache.spark.util.SparkStringUtils");

  /**
   * Opens a session; an existing one is used, and left open for its owner.
   *
   * @param command what the application is called after "lampyris", where the user names none
   */
  public static Session open(String command, boolean verbose) {
    boolean there = SparkSession.getDefaultSession().exists(one -> !one.sparkContext().isStopped());
    SparkSession spark = SparkSession.builder().config(configuration(command)).getOrCreate();
    if (verbose) {
      spark.sparkContext().setLogLevel("INFO");
    } else if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME).isInfoEnabled()) {
      // Spark's own default, under a spark-submit without the launcher, buries what we say.
      spark.sparkContext().setLogLevel("WARN");
    }
    setLevels(verbose);
    if (!there) {
      ClusterWatch.over(spark.sparkContext());
    }
    return new Session(spark, !there);
  }

  /** Silences the talkative loggers, unless their messages are wanted. */
  static void setLevels(boolean verbose) {
    if (!verbose) {
      TALKATIVE.forEach(name -> Configurator.setLevel(name, Level.OFF));
    }
  }

  /** Returns the configuration of a new session. */
  public static SparkConf configuration(String command) {
    SparkConf conf = new SparkConf();
    String name = conf.get("spark.app.name", "");
    // What spark-submit falls back on without --name: the main class, or the jar.
    if (name.isEmpty() || name.startsWith("org.lampyris.") || name.endsWith(".jar")) {
      conf.setAppName("lampyris " + command);
    }
    conf.setIfMissing("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    // What a task sends of effects with many levels may be hundreds of megabytes; whether the
    // driver has room for them is asked before.
    conf.setIfMissing("spark.kryoserializer.buffer.max", "2047m");
    conf.setIfMissing("spark.driver.maxResultSize", "0");
    // A page of a Parquet file that is not what was written is an error.
    conf.setIfMissing("spark.hadoop.parquet.page.verify-checksum.enabled", "true");
    // A number that overflows in data.query is an error, not another number.
    conf.setIfMissing("spark.sql.ansi.enabled", "true");
    // Lineage that was cut long ago need not stay on disk until the end.
    conf.setIfMissing("spark.cleaner.referenceTracking.cleanCheckpoints", "true");
    // Thousands of small jobs: the driver need not remember all of them.
    conf.setIfMissing("spark.ui.retainedJobs", "100");
    conf.setIfMissing("spark.ui.retainedStages", "200");
    conf.setIfMissing("spark.ui.retainedTasks", "2000");
    conf.setIfMissing("spark.sql.ui.retainedExecutions", "100");
    conf.setIfMissing("spark.kryo.registrator", "org.lampyris.executors.rows.LampyrisRegistrator");
    LocalDisk.use(conf);
    return conf;
  }

  /** Returns Hadoop's configuration. */
  public Configuration hadoop() {
    return spark.sparkContext().hadoopConfiguration();
  }

  @Override
  public void close() {
    if (own && !Interruption.isUnderWay()) { // Spark sees to it itself then, and takes its time
      spark.stop();
    }
  }
}
