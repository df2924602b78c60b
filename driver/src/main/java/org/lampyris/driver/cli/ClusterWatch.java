package org.lampyris.driver.cli;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.util.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listener that reports lost executors and failed tasks of a cluster, a line each. It cancels jobs
 * that wait longer than {@value #TIMEOUT} seconds for executors.
 */
final class ClusterWatch extends SparkListener {
  /** Spark property with the seconds that a job may wait without an executor. */
  static final String TIMEOUT = "spark.lampyris.executorTimeout";

  /** Start of the reason given to cancelled jobs. */
  static final String NONE_CAME = "no executor has come";

  private static final long SECONDS = 600;
  private static final long POLL_SECONDS = 5;

  /** Words in Spark's reason for an executor that was idle and given back. */
  private static final String GIVEN_BACK = "killed by driver";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

  private final long seconds;
  private final int attempts;
  private final LongSupplier nanoTime;
  private final BiConsumer<Integer, String> cancel;
  private final Consumer<String> lines;
  private final Set<String> executors = ConcurrentHashMap.newKeySet();
  private final Set<Integer> jobs = ConcurrentHashMap.newKeySet();
  private volatile long aloneSince;

  /**
   * Takes its settings and its outputs.
   *
   * @param seconds how long jobs may wait while there is no executor
   * @param attempts how often a task is tried
   * @param cancel ends a job, for a reason
   * @param lines receives the lines to report
   */
  ClusterWatch(
      long seconds,
      int attempts,
      LongSupplier nanoTime,
      BiConsumer<Integer, String> cancel,
      Consumer<String> lines) {
    this.seconds = seconds;
    this.attempts = attempts;
    this.nanoTime = nanoTime;
    this.cancel = cancel;
    this.lines = lines;
    this.aloneSince = nanoTime.getAsLong();
  }

  /** Begins to watch, unless all is in this process. */
  static void over(SparkContext context) {
    if (context.isLocal()) {
      return;
    }
    ClusterWatch watch =
        new ClusterWatch(
            context.getConf().getLong(TIMEOUT, SECONDS),
            context.getConf().getInt("spark.task.maxFailures", 4),
            System::nanoTime,
            (job, reason) -> context.cancelJob(job, reason),
            LOG::warn);
    context.addSparkListener(watch);
    ScheduledExecutorService timer =
        ThreadUtils.newDaemonSingleThreadScheduledExecutor("executors");
    Future<?> unused =
        timer.scheduleWithFixedDelay(
            () -> {
              if (context.isStopped()) {
                timer.shutdown();
              } else {
                watch.look();
              }
            },
            POLL_SECONDS,
            POLL_SECONDS,
            TimeUnit.SECONDS);
  }

  /** Ends jobs that have waited too long. */
  void look() {
    long waited = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - aloneSince);
    if (executors.isEmpty() && !jobs.isEmpty() && waited > seconds) {
      String reason = "%s for %d s (%s)".formatted(NONE_CAME, waited, TIMEOUT);
      jobs.forEach(job -> cancel.accept(job, reason));
    }
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded added) {
    executors.add(added.executorId());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    executors.remove(removed.executorId());
    aloneSince = nanoTime.getAsLong();
    String reason = removed.reason().lines().findFirst().orElse("");
    if (!reason.contains(GIVEN_BACK)) {
      lines.accept(
          "executor %s is lost (%s); %d left. Its rows and results are recomputed, to the same bits."
              .formatted(removed.executorId(), reason, executors.size()));
    }
  }

  @Override
  public void onJobStart(SparkListenerJobStart started) {
    if (jobs.isEmpty() && executors.isEmpty()) {
      aloneSince = nanoTime.getAsLong(); // nobody has waited till now
    }
    jobs.add(started.jobId());
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd ended) {
    jobs.remove(ended.jobId());
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd ended) {
    TaskInfo task = ended.taskInfo();
    if (task != null && task.failed()) {
      int attempt = task.attemptNumber() + 1;
      lines.accept(
          "task %d of stage %d failed on executor %s (attempt %d); %s"
              .formatted(
                  task.index(),
                  ended.stageId(),
                  task.executorId(),
                  attempt,
                  attempt < attempts ? "it will be retried" : "spark.task.maxFailures is reached"));
    }
  }
}
