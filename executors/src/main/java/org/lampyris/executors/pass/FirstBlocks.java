package org.lampyris.executors.pass;

import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;

/**
 * The first blocks of a table, which are a random sample of its rows because rows are stored in
 * random order. Reads hardly more than those.
 */
public final class FirstBlocks {
  private FirstBlocks() {}

  /**
   * Returns the blocks whose ids are below a number, as an RDD that is spread like the whole.
   *
   * @param blocks the blocks, spread as {@code ranges} says, ascending within a partition
   * @param ranges how the blocks are spread
   * @param count the number
   */
  public static JavaRDD<DataBlock> of(JavaRDD<DataBlock> blocks, BlockRanges ranges, long count) {
    return blocks.mapPartitionsWithIndex(new Below(ranges, count), true);
  }

  /**
   * Returns how many blocks are enough for a mean over all rows.
   *
   * @param blocks how many there are
   */
  public static long sample(long blocks) {
    return Math.min(blocks, Math.max(64, blocks / 100));
  }

  private record Below(BlockRanges ranges, long count)
      implements Function2<Integer, Iterator<DataBlock>, Iterator<DataBlock>>, Serializable {
    @Override
    public Iterator<DataBlock> call(Integer partition, Iterator<DataBlock> blocks) {
      return ranges.from(partition) >= count
          ? Collections.emptyIterator()
          : new Iterator<>() {
            private @Nullable DataBlock next = advance();

            private @Nullable DataBlock advance() {
              DataBlock block = blocks.hasNext() ? blocks.next() : null;
              return block != null && block.id() < count ? block : null;
            }

            @Override
            public boolean hasNext() {
              return next != null;
            }

            @Override
            public DataBlock next() {
              DataBlock block = next;
              if (block == null) {
                throw new NoSuchElementException();
              }
              next = advance();
              return block;
            }
          };
    }
  }
}
