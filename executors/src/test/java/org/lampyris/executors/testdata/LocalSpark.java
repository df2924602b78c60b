package org.lampyris.executors.testdata;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.rows.LampyrisRegistrator;
import org.lampyris.executors.table.LocalDisk;
import scala.jdk.javaapi.CollectionConverters;

/** Spark in this process, which refuses to send what Kryo has not been told of. */
public final class LocalSpark {
  private LocalSpark() {}

  /** Returns the configuration. */
  public static SparkConf conf(String master) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("Lampyris tests")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.kryo.registrator", LampyrisRegistrator.class.getName())
            .set("spark.kryo.registrationRequired", "true");
    LocalDisk.use(conf);
    return conf;
  }

  /** Begins a context. */
  public static JavaSparkContext begin(String master) {
    JavaSparkContext context = new JavaSparkContext(conf(master));
    context.setLogLevel("ERROR");
    return context;
  }

  /** Spreads blocks over partitions, by a shuffle. */
  public static JavaRDD<DataBlock> spread(
      JavaSparkContext context, List<DataBlock> blocks, BlockRanges ranges) {
    return context
        .parallelize(blocks, 4)
        .keyBy(DataBlock::id)
        .repartitionAndSortWithinPartitions(ranges)
        .values();
  }

  /** Returns the numbers of the shuffles whose results somebody may read. */
  public static Set<Integer> shuffles() {
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    Set<Integer> numbers = new TreeSet<>();
    for (Object number : CollectionConverters.asJava(tracker.shuffleStatuses()).keySet()) {
      numbers.add((Integer) number);
    }
    return numbers;
  }

  /** Returns the numbers of the shuffles that have files on disk. */
  public static Set<Integer> shufflesOnDisk() {
    Set<Integer> numbers = new TreeSet<>();
    for (File file : files()) {
      String[] words = file.getName().split("_", -1);
      if (words[0].equals("shuffle")) {
        numbers.add(Integer.valueOf(words[1]));
      }
    }
    return numbers;
  }

  private static List<File> files() {
    return new ArrayList<>(
        CollectionConverters.asJava(
            SparkEnv.get().blockManager().diskBlockManager().getAllFiles()));
  }
}
