package org.lampyris.executors.jobs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * What Spark's pages and events call the jobs of a thread: their group is the phase of the run, and
 * a description says what they are at. Threads that a thread begins have its group.
 */
public final class JobGroup {
  private static final String ID = "spark.jobGroup.id";

  private JobGroup() {}

  /** Says that the jobs of this thread belong to a phase. */
  public static void enter(SparkContext context, String phase) {
    if (!phase.equals(context.getLocalProperty(ID))) {
      context.setJobGroup(phase, phase, false);
    }
  }

  /** Says what the next jobs of this thread are at, in the phase that it is in. */
  public static void describe(SparkContext context, String what) {
    String phase = context.getLocalProperty(ID);
    context.setJobDescription(phase == null ? what : phase + ": " + what);
  }

  /** Says that the jobs of this thread belong to no phase. */
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
