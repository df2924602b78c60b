package org.lampyris.driver.predictive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.executors.pass.FirstBlocks;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/**
 * Some rows of a prepared table, drawn without replacement: the first ones, as rows are stored in
 * random order; of a table whose groups lie together each with the same probability, by a stream of
 * its block. The same rows on any number of partitions.
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
   * Draws rows; where groups lie together, in one pass over the table.
   *
   * @param wanted how many, or about how many; all if there are not so many
   */
  public static RowSample draw(BlockTable table, int wanted, long seed) {
    TableSchema schema = table.schema();
    return new RowSample(
        schema.grouping() == null ? first(table, wanted) : chosen(table, wanted, seed),
        schema.rows());
  }

  private static List<DataBlock> first(BlockTable table, int wanted) {
    long needed = (wanted + table.schema().blockRows() - 1L) / table.schema().blockRows();
    List<DataBlock> blocks = new ArrayList<>();
    int rows = 0;
    for (DataBlock block : FirstBlocks.of(table.blocks(), table.ranges(), needed).collect()) {
      int taken = Math.min(block.rows(), wanted - rows);
      if (taken > 0) {
        rows += taken;
        blocks.add(
            taken == block.rows() ? block : block.select(IntStream.range(0, taken).toArray()));
      }
    }
    return blocks;
  }

  private static List<DataBlock> chosen(BlockTable table, int wanted, long seed) {
    double share = Math.min(1, (double) wanted / table.schema().rows());
    Streams streams = new Streams(seed);
    return table
        .blocks()
        .map(block -> chosen(block, share, streams))
        .filter(block -> block.rows() > 0)
        .collect();
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
