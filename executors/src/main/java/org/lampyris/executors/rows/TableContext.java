package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.executors.pass.BlockSum;
import org.lampyris.executors.pass.FirstBlocks;
import org.lampyris.executors.pass.PartitionJob;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.pool.RowBlock;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.BlockTerm;
import org.lampyris.samplers.run.ResidentRows;
import org.lampyris.samplers.run.RunInputs;
import org.lampyris.samplers.run.SamplingContext;

/** A prepared table on the executors, on which any algorithm runs. */
public final class TableContext implements SamplingContext {
  private static final int EMPTY_JOBS = 7;

  private final RunInputs inputs;
  private final BlockTable table;

  /**
   * Takes the table.
   *
   * @param inputs what is given besides the rows
   * @param table the rows
   */
  public TableContext(RunInputs inputs, BlockTable table) {
    this.inputs = inputs;
    this.table = table;
  }

  @Override
  public RunInputs inputs() {
    return inputs;
  }

  @Override
  public TableSize table() {
    TableSchema schema = table.schema();
    return new TableSize(
        schema.rows(), schema.blocks(), schema.grouping() == null ? schema.blockRows() : 0);
  }

  @Override
  public double jobLatency() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(table.blocks().context());
    return emptyJobSeconds(context, table.ranges().numPartitions(), EMPTY_JOBS);
  }

  /**
   * Returns the median time of jobs that do nothing, in seconds.
   *
   * @param context the session's
   * @param partitions how many tasks a job has
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

  private static final class Nothing extends PartitionJob.Task<Integer, Integer> {
    @Override
    protected Integer run(int partition, Iterator<Integer> elements) {
      return partition;
    }
  }

  @Override
  public long residentBytes() {
    return Arrays.stream(table.blocks().context().getRDDStorageInfo())
        .mapToLong(info -> info.memSize() + info.diskSize())
        .sum();
  }

  @Override
  public <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule) {
    int interval = inputs.plan().checkpointInterval();
    return new ResidentTable<>(table.blocks(), table.ranges(), rule, interval);
  }

  @Override
  public double[] sampledSum(long blocks, int length, BlockTerm<DataBlock> term) {
    JavaRDD<DataBlock> first = FirstBlocks.of(table.blocks(), table.ranges(), blocks);
    return BlockSum.over(first, table.ranges(), length, term);
  }

  @Override
  public <R extends Serializable> List<R> carried(int tasks, TableWork<R> work) {
    return new TableTasks(table.blocks()).carried(tasks, work);
  }

  @Override
  public <R extends Serializable> List<R> shards(int shards, ShardRule rule, TableWork<R> work) {
    return new TableTasks(table.blocks()).shards(shards, rule, work);
  }
}
