package org.lampyris.driver.predict;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.ChosenRows;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/**
 * Some rows of a prepared table, drawn without replacement, each with the same probability. The
 * same rows on any number of partitions.
 *
 * @param blocks the rows, as they are stored
 * @param of how many rows the table has
 */
public record RowSample(List<DataBlock> blocks, long of) {
  /** Out of how many blocks rows are drawn at least, and out of how many times as many rows. */
  private static final long LEAST_BLOCKS = 64;

  private static final double SHARE = 4;

  /** Copies the list. */
  public RowSample {
    blocks = List.copyOf(blocks);
  }

  /**
   * Draws rows one by one, in a pass over the table.
   *
   * @param wanted about how many; all if there are not so many
   */
  public static RowSample draw(BlockTable table, int wanted, long seed) {
    return draw(table, table.blocks(), (double) table.schema().rows(), wanted, seed);
  }

  /**
   * Draws rows from some blocks spread over the table, without reading all of it: neighbouring rows
   * are more often drawn together.
   *
   * @param wanted about how many; all if there are not so many
   */
  public static RowSample drawSpread(BlockTable table, int wanted, long seed) {
    TableSchema schema = table.schema();
    double perBlock = (double) schema.rows() / schema.blocks();
    long blocks = Math.max(LEAST_BLOCKS, (long) Math.ceil(SHARE * wanted / perBlock));
    double among = perBlock * Math.min(blocks, schema.blocks());
    return draw(table, table.sample(blocks), among, wanted, seed);
  }

  private static RowSample draw(
      BlockTable table, JavaRDD<DataBlock> blocks, double among, int wanted, long seed) {
    ChosenRows chosen =
        new ChosenRows(wanted / among, new Streams(seed), Streams.Purpose.PREDICTIVE_ROWS);
    return new RowSample(chosen.of(blocks).collect(), table.schema().rows());
  }

  /** Returns the number of rows. */
  public int rows() {
    return blocks.stream().mapToInt(DataBlock::rows).sum();
  }
}
