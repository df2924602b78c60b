package org.lampyris.samplers.shards;

import java.util.stream.IntStream;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.samplers.random.RowPermutation;
import org.lampyris.samplers.run.SamplingContext;
import org.lampyris.samplers.run.SamplingContext.ShardRule;

/**
 * Split of a table's rows over tasks, several of which have the same shard. A row's shard depends
 * on the seed and its place in the prepared table alone.
 *
 * @param shards S
 * @param tasks how many tasks each shard has, one after the other
 * @param table how large the table is
 */
record RowSplit(
    ShardsSettings.From from, int shards, int tasks, SamplingContext.TableSize table, long seed)
    implements ShardRule {
  @Override
  public int[] rows(DataBlock block, int task) {
    int shard = task / tasks;
    return switch (from) {
      case RANDOM -> random(block, shard);
      case INPUT -> asTheyLie(block, shard);
    };
  }

  /** The rows of a block in a random order are dealt out like cards, from a random shard on. */
  private int[] random(DataBlock block, int shard) {
    RowPermutation order = new RowPermutation(seed, 0, block.id() + 1, block.rows());
    RowPermutation first = new RowPermutation(seed, 0, block.id() + 1, shards);
    int begin = (int) first.position(shard);
    return IntStream.iterate(begin, position -> position < block.rows(), p -> p + shards)
        .map(position -> (int) order.numberAt(position))
        .sorted()
        .toArray();
  }

  /** Blocks of different sizes hold groups of rows, which stay together. */
  private int[] asTheyLie(DataBlock block, int shard) {
    int blockRows = table.blockRows();
    return IntStream.range(0, block.rows())
        .filter(
            row ->
                shard
                    == (blockRows == 0
                        ? block.id() * shards / table.blocks()
                        : (block.id() * blockRows + row) * shards / table.rows()))
        .toArray();
  }
}
