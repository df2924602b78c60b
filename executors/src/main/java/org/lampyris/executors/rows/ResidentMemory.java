package org.lampyris.executors.rows;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.RDDInfo;
import org.lampyris.bounds.config.Text;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Tuple2;

/** Checks that cached rows fit in memory; estimates how much is needed. */
public final class ResidentMemory {
  private static final double GIBIBYTE = 1 << 30;
  private static final double MEBIBYTE = 1 << 20;

  /** Size of an algorithm's row states relative to the rows, as Spark counts it. */
  private static final double MADE = 2;

  /** Heap that Spark reserves for itself: {@code UnifiedMemoryManager}. */
  private static final double RESERVED = 300 << 20;

  private ResidentMemory() {}

  private static String size(double bytes) {
    return bytes < GIBIBYTE
        ? Text.of("%.1f MiB", bytes / MEBIBYTE)
        : Text.of("%.2f GiB", bytes / GIBIBYTE);
  }

  /** Returns whether all cached data is in memory, with room for an algorithm's row states. */
  public static boolean hasRoomForMore(SparkContext context) {
    RDDInfo[] kept = context.getRDDStorageInfo();
    String driver = SparkEnv.get().blockManager().blockManagerId().hostPort();
    long room = 0;
    for (Map.Entry<String, Tuple2<Object, Object>> of :
        ScalaCollections.asJava(context.getExecutorMemoryStatus()).entrySet()) {
      room += context.isLocal() || !of.getKey().equals(driver) ? (Long) of.getValue()._2() : 0;
    }
    return Arrays.stream(kept).mapToLong(RDDInfo::diskSize).sum() == 0
        && MADE * Arrays.stream(kept).mapToLong(RDDInfo::memSize).sum() <= room;
  }

  /** Returns the warning about rows on disk; empty if all are in memory. */
  public static Optional<String> line(SparkContext context) {
    RDDInfo[] kept = context.getRDDStorageInfo();
    int executors =
        context.isLocal() ? 0 : Math.max(1, context.getExecutorMemoryStatus().size() - 1);
    return line(
        Arrays.stream(kept).mapToLong(RDDInfo::memSize).sum(),
        Arrays.stream(kept).mapToLong(RDDInfo::diskSize).sum(),
        executors,
        context.getConf().getDouble("spark.memory.fraction", 0.6));
  }

  /**
   * Returns the warning for given sizes.
   *
   * @param executors how many there are; 0 if the driver is all there is
   * @param fraction of a heap, as {@code spark.memory.fraction} has it
   */
  static Optional<String> line(long inMemory, long onDisk, int executors, double fraction) {
    if (onDisk == 0) {
      return Optional.empty();
    }
    double all = (double) inMemory + onDisk;
    // Tasks need some of it: half is what Spark never takes from what is kept.
    double heap = RESERVED + 2 * all / Math.max(1, executors) / fraction;
    return Optional.of(
        Text.of(
            "%s of the %s of rows do not fit in memory, so each pass reads them from disk. To keep"
                + " all in memory, set %s to %.1f GiB.",
            size((double) onDisk),
            size(all),
            executors == 0
                ? "--driver-memory"
                : "spark.executor.memory (for %d executor%s)"
                    .formatted(executors, executors == 1 ? "" : "s"),
            heap / GIBIBYTE));
  }
}
