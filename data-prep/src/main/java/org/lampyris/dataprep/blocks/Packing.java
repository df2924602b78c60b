package org.lampyris.dataprep.blocks;

import org.lampyris.bounds.config.Section;
import org.lampyris.dataprep.design.Design;
import org.lampyris.dataprep.read.TableScan;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.Storage;

/**
 * Packing of rows in blocks.
 *
 * @param blockRows rows per block; 0 to choose by the number of columns
 * @param order in which order rows are stored
 * @param aggregate whether equal rows become one with a weight
 */
public record Packing(
    Layout layout, Storage storage, int blockRows, Order order, Aggregate aggregate) {
  private static final int MOST_BLOCK_ROWS = 1 << 20;
  private static final long CHOSEN_BYTES = 4L << 20;
  private static final int MOST_CHOSEN_ROWS = 4096;
  private static final int LEAST_CHOSEN_ROWS = 64;

  /** Stored elements of a row. */
  public enum Layout {
    /** The smaller of the two. */
    AUTO,
    /** Every element. */
    DENSE,
    /** The elements that are not zero (CSR). */
    SPARSE
  }

  /** In which order rows are stored. */
  public enum Order {
    /** The order of the input, if it has one. */
    AUTO,
    /** By files in the order of their names, as rows come in each. */
    INPUT,
    /** By a hash of their content, which is the same however files are named and cut: a shuffle. */
    CONTENT
  }

  /** Whether equal rows are merged into one with a weight. */
  public enum Aggregate {
    /** If that at least halves the table. */
    AUTO,
    /** For any saving. */
    ALWAYS,
    /** Never. */
    NEVER
  }

  /** Reads the keys of the section {@code data}. */
  public static Packing read(Section data) {
    return new Packing(
        data.choice("layout", Layout.AUTO),
        data.choice("storage", Storage.DOUBLE),
        data.whole("block_rows", 0, 0, MOST_BLOCK_ROWS),
        data.choice("order", Order.AUTO),
        data.choice("aggregate", Aggregate.AUTO));
  }

  /**
   * Returns the given rows per block, or a power of two, 64 to 4,096, of at most 4 MiB.
   *
   * @param numbers the numbers that a row takes. Sparse rows count their non-zero elements, because
   *     smaller blocks would cost less than the sums over their columns in every pass
   */
  public int blockRows(long numbers) {
    if (blockRows > 0) {
      return blockRows;
    }
    int rows = MOST_CHOSEN_ROWS;
    while (rows > LEAST_CHOSEN_ROWS && 8L * numbers * rows > CHOSEN_BYTES) {
      rows /= 2;
    }
    return rows;
  }

  /** Returns the layout: the configured one, or otherwise the smaller one. */
  public TableSchema.Layout layout(Design design, TableScan scan) {
    if (layout != Layout.AUTO) {
      return TableSchema.Layout.valueOf(layout.name());
    }
    int bytes = storage.bytes();
    long dense = (long) bytes * design.columns().size() * scan.rows();
    long sparse = (bytes + 4) * design.nonzero(scan) + 4 * scan.rows();
    return sparse < dense ? TableSchema.Layout.SPARSE : TableSchema.Layout.DENSE;
  }
}
