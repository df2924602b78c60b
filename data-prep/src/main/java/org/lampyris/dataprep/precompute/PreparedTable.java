package org.lampyris.dataprep.precompute;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.executors.jobs.BlockRanges;
import org.lampyris.executors.table.BlockTable;
import org.lampyris.executors.table.TableSchema;

/**
 * A prepared table.
 *
 * @param blocks its blocks, spread as {@code ranges} says, ascending within a partition
 * @param later the rows that come after those of an earlier table; null if there is none
 */
public record PreparedTable(
    JavaRDD<DataBlock> blocks, BlockRanges ranges, TableFacts facts, @Nullable Later later) {
  /**
   * Rows that come after those of an earlier table.
   *
   * @param fingerprint the earlier table's
   */
  public record Later(BlockTable.LaterRows rows, String fingerprint) {}

  /** Makes a table without an earlier one. */
  public PreparedTable(JavaRDD<DataBlock> blocks, BlockRanges ranges, TableFacts facts) {
    this(blocks, ranges, facts, null);
  }

  /** Returns a table as it is stored. */
  public static PreparedTable of(BlockTable table) {
    TableSchema schema = table.schema();
    TableSchema.Earlier earlier = schema.source().earlier();
    return new PreparedTable(
        table.blocks(),
        table.ranges(),
        new TableFacts(schema.fingerprint(), schema.columnNames(), schema.rows()),
        earlier == null ? null : new Later(table.later(), earlier.fingerprint()));
  }

  /**
   * What the artefact keeps of the prepared table.
   *
   * @param fingerprint tells the table's content from that of any other
   * @param columns the names of the columns, in order
   * @param rows how many rows it has
   */
  public record TableFacts(String fingerprint, List<String> columns, long rows) {
    public TableFacts {
      columns = List.copyOf(columns);
    }
  }
}
