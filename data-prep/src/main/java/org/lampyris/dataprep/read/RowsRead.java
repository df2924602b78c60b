package org.lampyris.dataprep.read;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.util.LongAccumulator;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.executors.jobs.ScalaCollections;
import scala.Tuple4;
import scala.collection.Seq;

/**
 * Listener that reports how many rows tasks have read during a pass, at executors' heartbeats:
 * every ten seconds, unless Spark is configured otherwise.
 */
public final class RowsRead extends SparkListener {
  private final SparkContext context;
  private final @Nullable Long rows;
  private final Consumer<String> progress;
  private final LongAccumulator counter = new LongAccumulator();

  /** Rows by task that runs. */
  private final Map<Object, Long> read = new HashMap<>();

  private long said;

  /**
   * Begins.
   *
   * @param rows how many rows there are to read; null if that is not known
   */
  public RowsRead(SparkContext context, @Nullable Long rows, Consumer<String> progress) {
    this.context = context;
    this.rows = rows;
    this.progress = progress;
    context.register(counter);
  }

  /** Returns the counter to which tasks add the rows that they have read. */
  public LongAccumulator counter() {
    return counter;
  }

  /** Runs a pass and reports its progress. */
  public <T> T during(Supplier<T> pass) {
    context.addSparkListener(this);
    try {
      return pass.get();
    } finally {
      context.removeSparkListener(this);
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    read.remove(end.taskInfo().taskId());
  }

  @Override
  public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
    for (Tuple4<Object, Object, Object, ? extends Seq<AccumulableInfo>> task :
        ScalaCollections.asJava(update.accumUpdates())) {
      for (AccumulableInfo metric : ScalaCollections.asJava(task._4())) {
        Object now = metric.update().isDefined() ? metric.update().get() : null;
        if (metric.id() == counter.id() && now instanceof Long count) {
          read.put(task._1(), count);
        }
      }
    }
    // Spark adds up the rows of tasks that have ended.
    long all = counter.value() + read.values().stream().mapToLong(Long::longValue).sum();
    if (all > said) {
      said = all;
      progress.accept(
          rows == null
              ? Text.of("%,d rows read", all)
              : Text.of("%,d of %,d rows read", Math.min(rows, all), rows));
    }
  }
}
