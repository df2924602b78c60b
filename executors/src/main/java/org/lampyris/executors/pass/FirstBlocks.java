package org.lampyris.executors.pass;

import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.lampyris.bounds.block.DataBlock;

/**
 * The first blocks of a table, which are a random sample of its rows because rows are stored in
 * random order. Reads hardly more than those.
 */
public final class FirstBlocks {
  private FirstBlocks() {}

  /** Returns the blocks with ids below {@code count}, as an RDD that is spread like the whole. */
  public static JavaRDD<DataBlock> of(JavaRDD<DataBlock> blocks, BlockRanges ranges, long count) {
    return blocks.mapPartitionsWithIndex(new Below(ranges, count), true);
  }

  private record Below(BlockRanges ranges, long count)
      implements Function2<Integer, Iterator<DataBlock>, Iterator<DataBlock>>, Serializable {
    @Override
    public Iterator<DataBlock> call(Integer partition, Iterator<DataBlock> blocks) {
      if (ranges.from(partition) >= count) {
        return Collections.emptyIterator();
      }
      Spliterator<DataBlock> all = Spliterators.spliteratorUnknownSize(blocks, Spliterator.ORDERED);
      return StreamSupport.stream(all, false).takeWhile(block -> block.id() < count).iterator();
    }
  }
}
