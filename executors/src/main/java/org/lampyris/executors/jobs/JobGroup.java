package org.lampyris.executors.jobs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Names of a thread's jobs in Spark's pages and events: the group is the phase of the run, and a
 * description names the current work. Threads that a thread begins have its group.
 */
public final class JobGroup {
  private static final String ID = "spark.jobGroup.id";

  private JobGroup() {}

  /** Assigns this thread's jobs to a phase. */
  public static void enter(SparkContext context, String phase) {
    if (!phase.equals(context.getLocalProperty(ID))) {
      context.setJobGroup(phase, phase, false);
    }
  }

  /** Describes the next jobs of this thread in its current phase. */
  public static void describe(SparkContext context, String what) {
    String phase = context.getLocalProperty(ID);
    context.setJobDescription(phase == null ? what : phase + ": " + what);
  }

  /** Removes this thread's jobs from their phase. */
  public static void leave(SparkContext context) {
    if (!context.isStopped()) {
      context.clearJobGroup();
    }
  }

  /** Runs jobs on another thread, in the phase that this one is in. */
  public static CompletableFuture<Void> async(
      SparkContext context, String what, Runnable jobs, Executor thread) {
    @Nullable String phase = context.getLocalProperty(ID);
    return CompletableFuture.runAsync(
        () -> {
          if (phase != null) {
            enter(context, phase);
          }
          describe(context, what);
          jobs.run();
        },
        thread);
  }
}
