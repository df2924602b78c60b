package org.lampyris.executors.table;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * Room of the tasks that read a table's partitions.
 *
 * @param tasks how many run at once: Spark's default parallelism
 * @param bytes how many bytes of rows one may hold
 */
public record TaskRoom(int tasks, long bytes) {
  /** Most bytes of a partition, whatever the heap: a task takes a second or two to read them. */
  public static final long MOST_BYTES = 1L << 30;

  /**
   * Share of a heap divided by its tasks. Spark keeps rows in six tenths of it, and a task that
   * reads its rows back from disk holds them once more, with what an algorithm adds to each.
   */
  private static final int SHARE = 8;

  /** Heap of this process as it began: the parallel collector resizes what a heap may hold. */
  private static final long HEAP = Runtime.getRuntime().maxMemory();

  /** Returns the room in an application, the same in each of its jobs. */
  public static TaskRoom of(SparkContext context) {
    long heap = context.isLocal() ? HEAP : 0;
    return of(context.getConf(), context.defaultParallelism(), heap);
  }

  /**
   * Returns the room.
   *
   * @param local the heap in which all tasks run; 0 if executors run them
   */
  static TaskRoom of(SparkConf conf, int parallelism, long local) {
    long heap = local > 0 ? local : conf.getSizeAsBytes("spark.executor.memory", "1g");
    int tasks = local > 0 ? parallelism : conf.getInt("spark.executor.cores", 1);
    return new TaskRoom(parallelism, Math.min(MOST_BYTES, heap / Math.max(1, tasks) / SHARE));
  }
}
