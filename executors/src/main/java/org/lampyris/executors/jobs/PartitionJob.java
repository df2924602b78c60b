package org.lampyris.executors.jobs;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import scala.Function2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Runs one job that takes a result from each partition, as cheaply as Spark can.
 *
 * <p>The task is a class and not a lambda: Spark searches a lambda's byte code for captured values
 * in every job, which took half of the driver's time in a job of a few milliseconds.
 */
public final class PartitionJob {
  /**
   * Work on a partition: a pure function, sent to the executors.
   *
   * @param <R> the kind of result, which Kryo must know
   */
  public interface Task<T, R> extends Function2<TaskContext, Object, R>, Serializable {
    /** Returns the result of a partition, by its number and its elements. */
    R run(int partition, Iterator<T> elements);

    @Override
    @SuppressWarnings("unchecked")
    default R apply(TaskContext context, Object elements) {
      return run(
          context.partitionId(), ScalaCollections.asJava((scala.collection.Iterator<T>) elements));
    }
  }

  private PartitionJob() {}

  /** Computes an RDD that is kept. */
  public static void make(JavaRDD<?> rdd) {
    run(rdd, new Make<>());
  }

  private record Make<T>() implements Task<T, Integer> {
    @Override
    public Integer run(int partition, Iterator<T> elements) {
      elements.forEachRemaining(element -> {});
      return partition;
    }
  }

  /** Returns the results of all partitions, in the order of the partitions. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public static <T, R> List<R> run(JavaRDD<T> rdd, Task<T, R> task) {
    ClassTag<Object> any = ClassTag$.MODULE$.AnyRef();
    Object results = rdd.context().runJob(rdd.rdd(), (Function2) task, (ClassTag) any);
    return (List<R>) Arrays.asList((Object[]) results);
  }
}
