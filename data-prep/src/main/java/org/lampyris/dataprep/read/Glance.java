package org.lampyris.dataprep.read;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;

/**
 * Look at a table without Spark and without reading all of its rows.
 *
 * @param said its format and size, for people
 * @param input what messages call it
 */
public record Glance(String said, String input, Types columns) {
  /**
   * Columns of a table.
   *
   * @param names all; empty if they are not known
   * @param known columns with types, as they will be read
   * @param odd cells of columns that have no whole numbers, as far as the first rows show
   */
  public record Types(List<String> names, StructType known, Map<String, String> odd) {
    /** Returns columns that are not known, as behind a query. */
    static Types unknown() {
      return new Types(List.of(), new StructType(), Map.of());
    }
  }
}
