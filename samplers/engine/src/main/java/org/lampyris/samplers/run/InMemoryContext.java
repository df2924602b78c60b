package org.lampyris.samplers.run;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.SpreadBlocks;
import org.lampyris.samplers.rows.Place;
import org.lampyris.samplers.rows.RowBlock;

/**
 * A table in memory, on which any algorithm runs without Spark: same draws as on executors. For
 * tests, and for tables that are carried whole.
 *
 * @param blocks the blocks, in ascending order of their ids; all but the last equally long
 */
public record InMemoryContext(RunInputs inputs, List<DataBlock> blocks) implements SamplingContext {
  @Override
  public InMemoryContext with(RunInputs others) {
    return new InMemoryContext(others, blocks);
  }

  @Override
  public TableSize table() {
    long rows = blocks.stream().mapToLong(DataBlock::rows).sum();
    return new TableSize(rows, blocks.size(), blocks.get(0).rows());
  }

  @Override
  public double jobLatency() {
    return 0;
  }

  @Override
  public long residentBytes() {
    return 0;
  }

  @Override
  public <B extends RowBlock<B>> ResidentRows<B> resident(BlockRule<B> rule) {
    return rows(blocks, rule);
  }

  /** Derives the data of blocks in memory. */
  public static <B extends RowBlock<B>> ResidentRows<B> rows(
      List<DataBlock> blocks, BlockRule<B> rule) {
    return new InMemoryRows<>(Place.whole(blocks.stream().map(rule::resident).toList()));
  }

  @Override
  public double[] sampledSum(long wanted, int length, BlockTerm<DataBlock> term) {
    SpreadBlocks spread = new SpreadBlocks(blocks.size(), wanted);
    List<PlainBlock> sample =
        blocks.stream().filter(block -> spread.has(block.id())).map(PlainBlock::new).toList();
    return new InMemoryRows<>(Place.whole(sample))
        .sum(length, (block, out) -> term.addTo(block.data(), out));
  }

  @Override
  public <R extends Serializable> List<R> carried(int tasks, TableWork<R> work) {
    return IntStream.range(0, tasks).mapToObj(task -> work.of(task, blocks)).toList();
  }

  @Override
  public <R extends Serializable> List<R> shards(int shards, ShardRule rule, TableWork<R> work) {
    return IntStream.range(0, shards)
        .mapToObj(
            shard ->
                work.of(shard, blocks.stream().flatMap(block -> rule.part(block, shard)).toList()))
        .toList();
  }
}
