package org.lampyris.driver.predict;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.ChosenRows;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/**
 * Some rows of a prepared table, drawn without replacement, each with the same probability. Which
 * rows depends on the table alone, not on a run's seed: figures of several runs of one table are of
 * the same rows, on any number of partitions.
 *
 * @param blocks the rows, as they are stored
 * @param of how many rows the table has
 */
public record RowSample(List<DataBlock> blocks, long of) {
  /** How many rows a report checks the model by, at most about. */
  public static final int CHECKED = 10_000;

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
  public static RowSample draw(BlockTable table, int wanted) {
    return draw(table, table.blocks(), (double) table.schema().rows(), wanted);
  }

  /**
   * Draws rows by their numbers in the table, which are the same in another table with the same
   * rows in the same order, however long its blocks are.
   *
   * @param table all of whose blocks but the last have equally many rows
   * @param wanted how many; all if there are not so many
   */
  static RowSample drawByNumber(BlockTable table, int wanted) {
    TableSchema schema = table.schema();
    if (wanted >= schema.rows()) {
      return new RowSample(table.blocks().collect(), schema.rows());
    }
    UniformRandomProvider rng = streams(schema).stream(Streams.Purpose.PREDICTIVE_ROWS, 0, 0, 0);
    TreeSet<Long> chosen = new TreeSet<>();
    while (chosen.size() < wanted) {
      chosen.add(rng.nextLong(schema.rows()));
    }
    Numbered numbered =
        new Numbered(chosen.stream().mapToLong(n -> n).toArray(), schema.blockRows());
    return new RowSample(
        table.blocks().map(numbered::of).filter(block -> block.rows() > 0).collect(),
        schema.rows());
  }

  /**
   * Rows by their numbers.
   *
   * @param numbers ascending
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Numbered(long[] numbers, int blockRows) implements Serializable {
    DataBlock of(DataBlock block) {
      long first = block.id() * blockRows;
      return block.select(
          Arrays.stream(numbers)
              .filter(number -> number >= first && number < first + block.rows())
              .mapToInt(number -> (int) (number - first))
              .toArray());
    }
  }

  /**
   * Draws rows from some blocks spread over the table, without reading all of it: neighbouring rows
   * are more often drawn together.
   *
   * @param wanted about how many; all if there are not so many
   */
  public static RowSample drawSpread(BlockTable table, int wanted) {
    TableSchema schema = table.schema();
    long blocks = blocks(schema, wanted);
    return draw(table, table.sample(blocks), among(schema, blocks), wanted);
  }

  /** Draws the same rows as {@link #drawSpread} in this process, without Spark. */
  public static RowSample drawHere(
      Configuration conf, String folder, TableSchema schema, int wanted) {
    long blocks = blocks(schema, wanted);
    ChosenRows chosen = chosen(schema, wanted / among(schema, blocks));
    return new RowSample(
        BlockTable.sampleHere(conf, folder, schema, blocks).stream()
            .map(chosen::of)
            .filter(block -> block.rows() > 0)
            .toList(),
        schema.rows());
  }

  private static long blocks(TableSchema schema, int wanted) {
    double perBlock = (double) schema.rows() / schema.blocks();
    return Math.max(LEAST_BLOCKS, (long) Math.ceil(SHARE * wanted / perBlock));
  }

  /** Returns about how many rows so many blocks have. */
  private static double among(TableSchema schema, long blocks) {
    return (double) schema.rows() / schema.blocks() * Math.min(blocks, schema.blocks());
  }

  private static ChosenRows chosen(TableSchema schema, double share) {
    return new ChosenRows(share, streams(schema), Streams.Purpose.PREDICTIVE_ROWS);
  }

  private static Streams streams(TableSchema schema) {
    return new Streams(schema.rows());
  }

  private static RowSample draw(
      BlockTable table, JavaRDD<DataBlock> blocks, double among, int wanted) {
    TableSchema schema = table.schema();
    return new RowSample(chosen(schema, wanted / among).of(blocks).collect(), schema.rows());
  }

  /** A row of a block. */
  record Place(DataBlock block, int row) {}

  /** Returns the rows one by one, in order. */
  List<Place> places() {
    return blocks.stream()
        .flatMap(block -> IntStream.range(0, block.rows()).mapToObj(row -> new Place(block, row)))
        .toList();
  }

  /** Returns the number of rows. */
  public int rows() {
    return blocks.stream().mapToInt(DataBlock::rows).sum();
  }
}
