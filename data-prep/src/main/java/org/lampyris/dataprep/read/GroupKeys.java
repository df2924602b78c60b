package org.lampyris.dataprep.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Grouping factors of several columns, such as {@code a:b}. The level of a row is the levels of its
 * columns, joined by colons; a colon within one of them has a backslash before it, so that no two
 * combinations are one level. A column that is named so itself is that column.
 */
public final class GroupKeys {
  private static final String BETWEEN = ":";

  private GroupKeys() {}

  /** Returns the columns that a group's name may stand for; its own name if it has no colon. */
  public static List<String> parts(String group) {
    return List.of(group.split(BETWEEN, -1));
  }

  /** Returns the columns of a group in a table. */
  static List<String> parts(String group, Collection<String> columns) {
    return columns.contains(group) ? List.of(group) : parts(group);
  }

  /** Returns whether a table has the columns of a group. */
  public static boolean isIn(String group, Dataset<Row> table) {
    return isIn(group, List.of(table.columns()));
  }

  /** Returns whether a group's columns are among these. */
  public static boolean isIn(String group, List<String> columns) {
    return columns.containsAll(parts(group, columns));
  }

  /** Returns a table with a column for each group of several columns that it has. */
  public static Dataset<Row> with(Dataset<Row> table, Collection<String> groups) {
    Dataset<Row> all = table;
    for (String group : groups) {
      if (!List.of(table.columns()).contains(group) && isIn(group, table)) {
        all = all.withColumn(group, of(table, group));
      }
    }
    return all;
  }

  /** Returns the levels of a group in a table that has its columns. */
  public static Column of(Dataset<Row> table, String group) {
    List<String> parts = parts(group, List.of(table.columns()));
    if (parts.size() == 1) {
      return InputColumns.keyed(table, group);
    }
    Column[] cells = new Column[parts.size()];
    for (int k = 0; k < cells.length; k++) {
      cells[k] = InputColumns.keyed(table, parts.get(k));
    }
    return functions
        .udf(
            (UDF1<Row, @Nullable String>) row -> joined(row.size(), row::get), DataTypes.StringType)
        .apply(functions.struct(cells));
  }

  /**
   * Returns the cell of a group in a row that has its columns.
   *
   * @param cells of the row, by column, without missing ones
   * @param columns of the table
   */
  public static @Nullable Object of(Map<String, Object> cells, List<String> columns, String group) {
    List<String> parts = parts(group, columns);
    return parts.size() == 1
        ? cells.get(group)
        : joined(parts.size(), k -> cells.get(parts.get(k)));
  }

  private static @Nullable String joined(int parts, IntFunction<@Nullable Object> cells) {
    List<String> levels = new ArrayList<>();
    for (int k = 0; k < parts; k++) {
      Object cell = cells.apply(k);
      if (cell == null || CellText.isMissing(cell)) {
        return null;
      }
      levels.add(CellText.level(cell).replace("\\", "\\\\").replace(BETWEEN, "\\:"));
    }
    return levels.stream().collect(Collectors.joining(BETWEEN));
  }
}
