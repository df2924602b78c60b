package org.lampyris.driver.predictive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.samplers.random.Streams;

/**
 * Some rows of a prepared table, each there with the same probability whatever others are, by a
 * stream of its block: the same rows on any number of partitions.
 *
 * @param blocks the rows, as they are stored
 * @param of how many rows the table has
 */
public record RowSample(List<DataBlock> blocks, long of) {
  /** Copies the list. */
  public RowSample {
    blocks = List.copyOf(blocks);
  }

  /**
   * Draws rows, in one pass over the table.
   *
   * @param wanted about how many; all if there are not so many
   */
  public static RowSample draw(BlockTable table, long wanted, long seed) {
    long rows = table.schema().rows();
    double share = Math.min(1, (double) wanted / rows);
    Streams streams = new Streams(seed);
    List<DataBlock> drawn =
        new ArrayList<>(
            table
                .blocks()
                .map(block -> chosen(block, share, streams))
                .filter(block -> block.rows() > 0)
                .collect());
    return new RowSample(drawn, rows);
  }

  private static DataBlock chosen(DataBlock block, double share, Streams streams) {
    if (share == 1) {
      return block;
    }
    UniformRandomProvider rng = streams.stream(Streams.Purpose.PREDICTIVE_ROWS, 0, 0, block.id());
    int[] rows = new int[block.rows()];
    int count = 0;
    for (int row = 0; row < rows.length; row++) {
      if (rng.nextDouble() < share) {
        rows[count++] = row;
      }
    }
    return block.select(Arrays.copyOf(rows, count));
  }

  /** Returns how many rows there are. */
  public int rows() {
    return blocks.stream().mapToInt(DataBlock::rows).sum();
  }
}
