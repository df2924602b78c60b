package org.lampyris.dataprep.precompute;

import java.util.ArrayList;
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
 * @param later the rows after those of an earlier table; null if there are none
 */
public record PreparedTable(
    JavaRDD<DataBlock> blocks, BlockRanges ranges, TableFacts facts, @Nullable Later later) {
  /**
   * Rows after those of an earlier table.
   *
   * @param fingerprint the earlier table's
   */
  public record Later(BlockTable.LaterRows rows, String fingerprint) {}

  /** Creates a table without an earlier one. */
  public PreparedTable(JavaRDD<DataBlock> blocks, BlockRanges ranges, TableFacts facts) {
    this(blocks, ranges, facts, null);
  }

  /** Returns a stored table. */
  public static PreparedTable of(BlockTable table) {
    TableSchema schema = table.schema();
    TableSchema.Earlier earlier = schema.source().earlier();
    return new PreparedTable(
        table.blocks(),
        table.ranges(),
        new TableFacts(schema.fingerprint(), columns(table), schema.rows()),
        earlier == null ? null : new Later(table.later(), earlier.fingerprint()));
  }

  private static List<String> columns(BlockTable table) {
    List<String> all = new ArrayList<>(table.schema().columnNames());
    if (table.added() != null) {
      all.addAll(table.added().names());
    }
    return all;
  }

  /**
   * Facts about the prepared table.
   *
   * @param fingerprint identifies the table's content
   * @param columns the names of the columns, in order
   * @param rows how many rows it has
   */
  public record TableFacts(String fingerprint, List<String> columns, long rows) {
    public TableFacts {
      columns = List.copyOf(columns);
    }
  }
}
