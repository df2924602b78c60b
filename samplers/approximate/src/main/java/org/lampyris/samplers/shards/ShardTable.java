package org.lampyris.samplers.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;

/** Table of a shard's rows: blocks of equal size, numbered from 0. */
final class ShardTable {
  private static final int BLOCK_ROWS = 4096;

  private ShardTable() {}

  /**
   * Packs rows together.
   *
   * @param parts in ascending order of their blocks, each no longer than a block of its table
   * @param power what each likelihood is raised to
   */
  static List<DataBlock> of(List<DataBlock> parts, double power) {
    List<DataBlock> blocks = new ArrayList<>();
    @Nullable DataBlock open = null;
    for (DataBlock part : parts) {
      open = open == null ? part : open.append(part);
      while (open != null && open.rows() >= BLOCK_ROWS) {
        blocks.add(rows(open, 0, BLOCK_ROWS).with(blocks.size(), power));
        open = open.rows() == BLOCK_ROWS ? null : rows(open, BLOCK_ROWS, open.rows());
      }
    }
    if (open != null) {
      blocks.add(open.with(blocks.size(), power));
    }
    return blocks;
  }

  private static DataBlock rows(DataBlock block, int from, int to) {
    return block.select(IntStream.range(from, to).toArray());
  }
}
