package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.jobs.Packed;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.BlockTerm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.run.SamplingContext.ShardRule;
import org.lampyris.samplers.run.SamplingContext.TableWork;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * A prepared table on the executors, on which any algorithm runs.
 *
 * @param rows the table; where its blocks are kept, they are until rows of them are resident,
 *     unless they are nowhere else
 */
public record TableContext(RunInputs inputs, BlockTable rows) implements SamplingContext {
  private static final int EMPTY_JOBS = 7;

  @Override
  public TableContext with(RunInputs others) {
    return new TableContext(others, rows);
  }

  @Override
  public TableSize table() {
    TableSchema schema = rows.schema();
    return new TableSize(
        schema.rows(), schema.blocks(), schema.grouping() == null ? schema.blockRows() : 0);
  }

  @Override
  public double jobLatency() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(rows.blocks().context());
    return emptyJobSeconds(context, rows.ranges().numPartitions(), EMPTY_JOBS);
  }

  /**
   * Returns the median time of jobs that do nothing, in seconds.
   *
   * @param jobs how many jobs, at least 1
   */
  public static double emptyJobSeconds(JavaSparkContext context, int partitions, int jobs) {
    JavaRDD<Integer> rdd = context.parallelize(Collections.nCopies(partitions, 0), partitions);
    double[] seconds = new double[jobs];
    for (int i = 0; i < jobs; i++) {
      long begun = System.nanoTime();
      List<Integer> answers = PartitionJob.run(rdd, new Nothing());
      seconds[i] = 1e-9 * (System.nanoTime() - begun) * partitions / answers.size();
    }
    Arrays.sort(seconds);
    return seconds[jobs / 2];
  }

  private record Nothing() implements PartitionJob.Task<Integer, Integer> {
    @Override
    public Integer run(int partition, Iterator<Integer> elements) {
      return partition;
    }
  }

  @Override
  public long residentBytes() {
    return Arrays.stream(rows.blocks().context().getRDDStorageInfo())
        .mapToLong(info -> info.memSize() + info.diskSize())
        .sum();
  }

  @Override
  public <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule) {
    int interval = inputs.plan().checkpointInterval();
    ResidentTable<B> resident = new ResidentTable<>(rows.blocks(), rows.ranges(), rule, interval);
    if (rows.isKept() && rows.isStored()) {
      // Spark counts arrays twice that both hold.
      resident.make();
      rows.close();
    }
    return resident;
  }

  @Override
  public double[] sampledSum(long blocks, int length, BlockTerm<DataBlock> term) {
    return BlockSum.over(rows.sample(blocks), rows.ranges(), length, term);
  }

  @Override
  public <R extends Serializable> List<R> carried(int tasks, TableWork<R> work) {
    return new Tasks(rows.blocks()).carried(tasks, work);
  }

  @Override
  public <R extends Serializable> List<R> shards(int shards, ShardRule rule, TableWork<R> work) {
    return new Tasks(rows.blocks()).shards(shards, rule, work);
  }

  /**
   * Sends rows to tasks: the whole table, or a shard of it, to each of several tasks. One shuffle,
   * of the rows themselves.
   */
  record Tasks(JavaRDD<DataBlock> blocks) {
    /** See {@link org.lampyris.samplers.run.SamplingContext#carried}. */
    <R extends Serializable> List<R> carried(int tasks, TableWork<R> work) {
      return run(
          tasks,
          work,
          block ->
              IntStream.range(0, tasks).mapToObj(task -> new Tuple2<>(task, block)).iterator());
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

    /** Sends a block, or parts of it, to the tasks that need it. */
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

    /** Runs the work of one task. */
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
}
