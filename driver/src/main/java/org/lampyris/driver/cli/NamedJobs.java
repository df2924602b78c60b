package org.lampyris.driver.cli;

import org.apache.spark.SparkContext;
import org.lampyris.driver.progress.Progress;
import org.lampyris.driver.progress.Reading;
import org.lampyris.executors.jobs.JobGroup;

/**
 * Shows progress, and names Spark's jobs by it: the group is the phase, the description its note.
 */
public record NamedJobs(SparkContext context, Progress shown) implements Progress {
  @Override
  public void start(String phase, long total) {
    JobGroup.enter(context, phase);
    shown.start(phase, total);
  }

  @Override
  public void step(long done, Reading reading) {
    shown.step(done, reading);
  }

  @Override
  public void note(String message) {
    JobGroup.describe(context, message);
    shown.note(message);
  }

  @Override
  public void warn(String message) {
    shown.warn(message);
  }

  @Override
  public void end() {
    JobGroup.leave(context);
    shown.end();
  }

  @Override
  public void close() {
    JobGroup.leave(context);
    shown.close();
  }
}
