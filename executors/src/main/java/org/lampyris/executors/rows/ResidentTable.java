package org.lampyris.executors.rows;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.jobs.BlockSum;
import org.lampyris.executors.jobs.PartitionJob;
import org.lampyris.samplers.chain.ChainRunner;
import org.lampyris.samplers.chain.SegmentWork;
import org.lampyris.samplers.chain.Segments;
import org.lampyris.samplers.kernel.SamplerState;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;
import org.lampyris.samplers.rows.RowEvolution;
import org.lampyris.samplers.rows.RowQuestions;
import org.lampyris.samplers.rows.RowStates;
import org.lampyris.samplers.run.BlockRule;
import org.lampyris.samplers.run.BlockTerm;
import org.lampyris.samplers.run.ResidentRows;

/** Resident rows as an RDD of blocks. */
public final class ResidentTable<B extends RowBlock<B>> implements ResidentRows<B> {
  private final JavaRDD<B> blocks;
  private final BlockRanges ranges;
  private final int checkpointInterval;

  /**
   * Creates the resident blocks on first read, and keeps them.
   *
   * @param data the blocks, spread as {@code ranges} says, ascending within a partition
   * @param checkpointInterval after how many jobs the lineage of row states is cut on a cluster
   */
  public ResidentTable(
      JavaRDD<DataBlock> data, BlockRanges ranges, BlockRule<B> rule, int checkpointInterval) {
    this.blocks = data.map(rule::resident).persist(StorageLevel.MEMORY_AND_DISK());
    this.ranges = ranges;
    this.checkpointInterval = checkpointInterval;
  }

  /** Creates the blocks now. They hold the arrays of those that they are made from. */
  void make() {
    PartitionJob.make(blocks);
  }

  @Override
  public double[] sum(int length, BlockTerm<B> term) {
    return BlockSum.over(blocks, RowBlock::id, ranges, length, term);
  }

  @Override
  public <Q extends Serializable, H extends Serializable, A> Function<List<Q>, List<A>> questions(
      RowQuestions<B, Q, H, A> how) {
    return new Questions<>(blocks, ranges, how);
  }

  @Override
  public <S extends Serializable, Q extends RowEvolution.ChainQuestion, H extends Serializable, A>
      RowStates<B, S, Q, A> states(RowEvolution<B, S, Q, H, A> how, int chains) {
    return new RowStateJobs<>(
        blocks, ranges, how, chains, checkpointInterval, !blocks.context().isLocal());
  }

  @Override
  public <S extends SamplerState> Segments<S> segments(
      SegmentWork<B, S> work, ChainRunner runner, int chains) {
    return new SegmentJobs<>(blocks, work, runner, chains);
  }

  @Override
  public void close() {
    blocks.unpersist(false);
  }

  /** Answers questions without state, for all chains in one job. */
  record Questions<B, Q extends Serializable, H extends Serializable, A>(
      JavaRDD<B> blocks, BlockRanges ranges, RowQuestions<B, Q, H, A> how)
      implements Function<List<Q>, List<A>> {
    @Override
    @SuppressWarnings("unchecked") // as the questions have made it
    public List<A> apply(List<Q> questions) {
      List<Object[]> shares =
          PartitionJob.run(blocks, new Share<>(how, ranges, List.copyOf(questions)));
      return IntStream.range(0, questions.size())
          .mapToObj(
              q -> how.merge(questions.get(q), shares.stream().map(share -> (H) share[q]).toList()))
          .toList();
    }

    /** Answers for one partition. */
    private record Share<B, Q extends Serializable, H extends Serializable>(
        RowQuestions<B, Q, H, ?> how, BlockRanges ranges, List<Q> questions)
        implements PartitionJob.Task<B, Object[]> {
      @Override
      public Object[] run(int partition, Iterator<B> elements) {
        List<B> all = new ArrayList<>();
        elements.forEachRemaining(all::add);
        Place<B> place = new Place<>(ranges.from(partition), ranges.to(partition), all);
        return how.add(place, questions).toArray();
      }
    }
  }
}
