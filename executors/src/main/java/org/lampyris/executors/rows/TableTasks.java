package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.Packed;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.samplers.run.SamplingContext.ShardRule;
import org.lampyris.samplers.run.SamplingContext.TableWork;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Brings rows together by task: the whole table to each of several tasks, or a shard of it to each.
 * One shuffle, of the rows themselves.
 */
record TableTasks(JavaRDD<DataBlock> blocks) {
  /** See {@link org.lampyris.samplers.run.SamplingContext#carried}. */
  <R extends Serializable> List<R> carried(int tasks, TableWork<R> work) {
    return run(
        tasks,
        work,
        block -> IntStream.range(0, tasks).mapToObj(task -> new Tuple2<>(task, block)).iterator());
  }

  /** See {@link org.lampyris.samplers.run.SamplingContext#shards}. */
  <R extends Serializable> List<R> shards(int shards, ShardRule rule, TableWork<R> work) {
    return run(
        shards,
        work,
        block ->
            IntStream.range(0, shards)
                .boxed()
                .flatMap(shard -> rule.part(block, shard).map(rows -> new Tuple2<>(shard, rows)))
                .iterator());
  }

  /** Sends a block to the tasks that need it, or parts of it. */
  private interface Send extends Serializable {
    Iterator<Tuple2<Integer, DataBlock>> of(DataBlock block);
  }

  /** Runs the tasks, whose numbers hash to themselves: a partition each. */
  private <R extends Serializable> List<R> run(int tasks, TableWork<R> work, Send send) {
    JavaRDD<Tuple2<Integer, DataBlock>> byTask =
        JavaRDD.fromRDD(
            blocks.flatMapToPair(send::of).partitionBy(new HashPartitioner(tasks)).rdd(),
            ClassTag$.MODULE$.apply(Tuple2.class));
    try {
      return PartitionJob.run(byTask, new Work<>(work)).stream().<R>map(Packed::unpack).toList();
    } finally {
      byTask.rdd().cleanShuffleDependencies(false);
    }
  }

  /** Does the work of one task. */
  private record Work<R extends Serializable>(TableWork<R> work)
      implements PartitionJob.Task<Tuple2<Integer, DataBlock>, byte[]> {
    @Override
    public byte[] run(int task, Iterator<Tuple2<Integer, DataBlock>> elements) {
      List<DataBlock> rows = new ArrayList<>();
      elements.forEachRemaining(element -> rows.add(element._2()));
      rows.sort(Comparator.comparingLong(DataBlock::id));
      return Packed.pack(work.of(task, rows));
    }
  }
}
