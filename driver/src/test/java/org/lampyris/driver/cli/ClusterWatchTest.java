package org.lampyris.driver.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.apache.spark.scheduler.cluster.ExecutorInfo;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** What is told and done at the events of a cluster. */
class ClusterWatchTest {
  private static final long SECONDS = 600;

  private final List<String> lines = new ArrayList<>();
  private final List<String> cancelled = new ArrayList<>();
  private long now = 5;
  private final ClusterWatch watch =
      new ClusterWatch(
          SECONDS, 4, () -> now, (job, reason) -> cancelled.add(job + ": " + reason), lines::add);

  private void after(long seconds) {
    now += seconds * 1_000_000_000L;
    watch.look();
  }

  private void comes(String executor) {
    ExecutorInfo info =
        new ExecutorInfo(
            "host",
            1,
            CollectionConverters.asScala(Map.<String, String>of())
                .toMap(scala.$less$colon$less$.MODULE$.refl()));
    watch.onExecutorAdded(new SparkListenerExecutorAdded(0, executor, info));
  }

  private void goes(String executor, String reason) {
    watch.onExecutorRemoved(new SparkListenerExecutorRemoved(0, executor, reason));
  }

  private void begins(int job) {
    Seq<StageInfo> none = CollectionConverters.asScala(List.<StageInfo>of()).toSeq();
    watch.onJobStart(new SparkListenerJobStart(job, 0, none, new Properties()));
  }

  private void ends(int job) {
    watch.onJobEnd(new SparkListenerJobEnd(job, 0, JobSucceeded$.MODULE$));
  }

  private void attempt(int attempt, boolean fails) {
    TaskInfo task = new TaskInfo(17, 3, attempt, 3, 0, "2", "host", TaskLocality.ANY(), false);
    task.markFinished(
        fails ? org.apache.spark.TaskState.FAILED() : org.apache.spark.TaskState.FINISHED(), 1);
    watch.onTaskEnd(new SparkListenerTaskEnd(9, 0, "ResultTask", null, task, null, null));
  }

  @Test
  void aLostExecutorIsALine() {
    comes("0");
    comes("1");
    goes("0", "Command exited with code 137\nand more");
    assertEquals(1, lines.size());
    assertTrue(
        lines.get(0).startsWith("executor 0 is lost (Command exited with code 137); 1 left."),
        lines.toString());
  }

  @Test
  void anIdleExecutorThatIsGivenBackIsNone() {
    comes("0");
    goes("0", "Executor killed by driver.");
    assertEquals(List.of(), lines);
  }

  @Test
  void aFailedTaskIsALine() {
    attempt(0, false);
    attempt(0, true);
    attempt(3, true);
    assertEquals(
        List.of(
            "task 3 of stage 9 failed on executor 2 (attempt 1); it will be retried",
            "task 3 of stage 9 failed on executor 2 (attempt 4); spark.task.maxFailures is"
                + " reached"),
        lines);
  }

  @Test
  void jobsThatWaitForExecutorsAreEnded() {
    begins(7);
    after(SECONDS);
    assertEquals(List.of(), cancelled);
    after(1);
    assertEquals(
        List.of("7: no executor has come for 601 s (spark.lampyris.executorTimeout)"), cancelled);
  }

  @Test
  void jobsThatHaveExecutorsAreNot() {
    comes("0");
    begins(7);
    after(10 * SECONDS);
    ends(7);
    goes("0", "lost");
    after(10 * SECONDS); // nobody waits
    begins(8);
    after(1);
    assertEquals(List.of(), cancelled);
    after(SECONDS);
    assertEquals(
        List.of("8: no executor has come for 601 s (spark.lampyris.executorTimeout)"), cancelled);
  }

  @Test
  void theTimeBeginsAnewWhenTheLastExecutorIsLost() {
    comes("0");
    begins(7);
    after(10 * SECONDS);
    goes("0", "lost");
    after(SECONDS);
    assertEquals(List.of(), cancelled);
    comes("1");
    after(SECONDS);
    assertEquals(List.of(), cancelled);
  }
}
