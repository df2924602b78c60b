package org.lampyris.driver.command;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.util.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what becomes of the executors of a cluster, a line each, and ends jobs that wait for
 * executors that do not come, after {@value #TIMEOUT} seconds.
 */
final class ClusterWatch extends SparkListener {
  /** How many seconds a job may wait while there is no executor. */
  static final String TIMEOUT = "spark.lampyris.executorTimeout";

  /** How jobs are ended that have waited too long: begins the reason. */
  static final String NONE_CAME = "no executor has come";

  private static final long SECONDS = 600;
  private static final long POLL_SECONDS = 5;
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

  private final SparkContext context;
  private final long seconds;
  private final Set<String> executors = ConcurrentHashMap.newKeySet();
  private final Set<Integer> jobs = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer =
      ThreadUtils.newDaemonSingleThreadScheduledExecutor("executors");
  private volatile long aloneSince = System.nanoTime();

  private ClusterWatch(SparkContext context) {
    this.context = context;
    this.seconds = context.getConf().getLong(TIMEOUT, SECONDS);
  }

  /** Begins to watch, unless all is in this process. */
  static void over(SparkContext context) {
    if (!context.isLocal()) {
      ClusterWatch watch = new ClusterWatch(context);
      context.addSparkListener(watch);
      Future<?> unused =
          watch.timer.scheduleWithFixedDelay(
              watch::look, POLL_SECONDS, POLL_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void look() {
    long waited = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - aloneSince);
    if (context.isStopped()) {
      timer.shutdown();
    } else if (executors.isEmpty() && !jobs.isEmpty() && waited > seconds) {
      String reason = "%s for %d s (%s)".formatted(NONE_CAME, waited, TIMEOUT);
      jobs.forEach(job -> context.cancelJob(job, reason));
    }
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded added) {
    executors.add(added.executorId());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    executors.remove(removed.executorId());
    aloneSince = System.nanoTime();
    LOG.warn(
        "executor {} is gone ({}); {} left. What it held is computed again, to the same bits.",
        removed.executorId(),
        removed.reason().lines().findFirst().orElse(""),
        executors.size());
  }

  @Override
  public void onJobStart(SparkListenerJobStart started) {
    jobs.add(started.jobId());
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd ended) {
    jobs.remove(ended.jobId());
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd ended) {
    if (ended.taskInfo() != null && ended.taskInfo().failed()) {
      LOG.warn(
          "task {} of stage {} has failed on executor {} (attempt {}); it is tried again",
          ended.taskInfo().index(),
          ended.stageId(),
          ended.taskInfo().executorId(),
          ended.taskInfo().attemptNumber() + 1);
    }
  }
}
