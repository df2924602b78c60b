package org.lampyris.dataprep.rows;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import scala.Tuple4;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Says how many rows tasks have read while a pass is under way, as often as executors tell it of
 * tasks that run: every ten seconds, unless Spark is configured otherwise.
 */
public final class RowsRead extends SparkListener {
  private static final String READ = "internal.metrics.input.recordsRead";

  private final @Nullable Long rows;
  private final Consumer<String> progress;

  /** By task; one that has ended has what it last told. */
  private final Map<Long, Long> read = new HashMap<>();

  private long said;

  RowsRead(@Nullable Long rows, Consumer<String> progress) {
    this.rows = rows;
    this.progress = progress;
  }

  /**
   * Makes a pass.
   *
   * @param rows how many rows there are to read; null if that is not known
   */
  public static <T> T during(
      SparkContext context, @Nullable Long rows, Consumer<String> progress, Supplier<T> pass) {
    RowsRead listener = new RowsRead(rows, progress);
    context.addSparkListener(listener);
    try {
      return pass.get();
    } finally {
      context.removeSparkListener(listener);
    }
  }

  @Override
  public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
    for (Tuple4<Object, Object, Object, Seq<AccumulableInfo>> task :
        CollectionConverters.asJava(update.accumUpdates())) {
      for (AccumulableInfo metric : CollectionConverters.asJava(task._4())) {
        Object now = metric.update().isDefined() ? metric.update().get() : null;
        if (metric.name().contains(READ) && now instanceof Long count) {
          read.put((Long) task._1(), count);
        }
      }
    }
    long all = read.values().stream().mapToLong(Long::longValue).sum();
    if (all > said) {
      said = all;
      progress.accept(
          rows == null
              ? Text.of("%,d rows read", all)
              : Text.of("%,d of %,d rows read", Math.min(rows, all), rows));
    }
  }
}
