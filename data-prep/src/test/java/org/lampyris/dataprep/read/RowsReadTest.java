package org.lampyris.dataprep.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.Success$;
import org.apache.spark.executor.ExecutorMetrics;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.scheduler.TaskLocality;
import org.junit.jupiter.api.Test;
import org.lampyris.dataprep.SparkForTests;
import scala.Option;
import scala.Tuple4;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

class RowsReadTest {
  private static SparkListenerExecutorMetricsUpdate update(long task, long counter, long value) {
    AccumulableInfo info =
        new AccumulableInfo(
            counter,
            Option.empty(),
            Option.apply(value),
            Option.empty(),
            true,
            true,
            Option.empty());
    Seq<AccumulableInfo> infos = seq(List.of(info));
    Tuple4<Object, Object, Object, Seq<AccumulableInfo>> of = new Tuple4<>(task, 0, 0, infos);
    return new SparkListenerExecutorMetricsUpdate("1", seq(List.of(of)), Map$.MODULE$.empty());
  }

  private static SparkListenerTaskEnd end(long task) {
    TaskInfo info =
        new TaskInfo(task, 0, 0, 0, 0, "1", "here", TaskLocality.PROCESS_LOCAL(), false);
    return new SparkListenerTaskEnd(
        0, 0, "ResultTask", Success$.MODULE$, info, new ExecutorMetrics(), new TaskMetrics());
  }

  private static <T> Seq<T> seq(List<T> of) {
    return CollectionConverters.asScala(of).toSeq();
  }

  @Test
  void whatTasksHaveReadIsSaidOnceMoreWhereItIsMore() {
    List<String> lines = new ArrayList<>();
    SparkContext context = SparkForTests.session().sparkContext();
    RowsRead listener = new RowsRead(context, 1_000L, lines::add);
    long rows = listener.counter().id();
    listener.onExecutorMetricsUpdate(update(7, rows, 300));
    listener.onExecutorMetricsUpdate(update(7, rows + 1, 900));
    listener.onExecutorMetricsUpdate(update(8, rows, 200));
    listener.onExecutorMetricsUpdate(update(7, rows, 300));
    listener.onExecutorMetricsUpdate(update(8, rows, 900));
    assertEquals(
        List.of("300 of 1,000 rows read", "500 of 1,000 rows read", "1,000 of 1,000 rows read"),
        lines);
    // Task 7 has read more since its last heartbeat, which the driver counts when it ends.
    RowsRead ended = new RowsRead(context, null, lines::add);
    ended.onExecutorMetricsUpdate(update(7, ended.counter().id(), 300));
    ended.counter().add(450);
    ended.onTaskEnd(end(7));
    ended.onExecutorMetricsUpdate(update(8, ended.counter().id(), 200));
    assertEquals(List.of("300 rows read", "650 rows read"), lines.subList(3, 5));
    RowsRead unknown = new RowsRead(context, null, lines::add);
    unknown.onExecutorMetricsUpdate(update(1, unknown.counter().id(), 2_000));
    assertEquals("2,000 rows read", lines.get(5));
  }
}
