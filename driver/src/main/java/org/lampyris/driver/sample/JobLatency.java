package org.lampyris.driver.sample;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.lampyris.executors.pass.PartitionJob;

/** How long Spark takes for a job that does nothing. */
public final class JobLatency {
  private static final int JOBS = 7;

  private JobLatency() {}

  /** Returns the median time of a few empty jobs, in seconds. */
  static double seconds(JavaSparkContext context, int partitions) {
    return seconds(context, partitions, JOBS);
  }

  /**
   * Returns the median time of empty jobs, in seconds.
   *
   * @param context the session's
   * @param partitions how many tasks a job has
   * @param jobs how many jobs, at least 1
   */
  public static double seconds(JavaSparkContext context, int partitions, int jobs) {
    JavaRDD<Integer> rdd = context.parallelize(Collections.nCopies(partitions, 0), partitions);
    double[] seconds = new double[jobs];
    for (int i = 0; i < jobs; i++) {
      long begun = System.nanoTime();
      List<Integer> answers = PartitionJob.run(rdd, new Nothing());
      seconds[i] = 1e-9 * (System.nanoTime() - begun) * partitions / answers.size();
    }
    Arrays.sort(seconds);
    return seconds[jobs / 2];
  }

  private static final class Nothing extends PartitionJob.Task<Integer, Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    protected Integer run(int partition, Iterator<Integer> elements) {
      return partition;
    }
  }
}
