package org.lampyris.dataprep.design;

import java.io.Serializable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.InputColumns;

/**
 * Spelling of an earlier table's levels. A cell of a new table is the level with the same text, or
 * otherwise the one level with the same {@link CellText#key}, so that 1.0 matches an earlier 1 in
 * every format. A cell that is no level is named by its key.
 *
 * <p>In most columns every level is its own key, and nothing needs to be kept.
 */
public final class KnownLevels implements Serializable {
  /** The levels that are not their own keys. */
  private final HashSet<String> spelled = new HashSet<>();

  /** Levels by keys that are not levels themselves. */
  private final HashMap<String, String> byKey = new HashMap<>();

  private KnownLevels(Collection<String> levels) {
    Set<String> all = new HashSet<>(levels);
    for (String level : all) {
      String key = CellText.key(level);
      if (!key.equals(level)) {
        spelled.add(level);
        if (!all.contains(key)) {
          // Of two levels with one key, such as 1.0 and 1.00, a third spelling is neither.
          byKey.merge(key, level, (a, b) -> key);
        }
      }
    }
  }

  /** Takes levels. */
  public static KnownLevels of(Collection<String> levels) {
    return new KnownLevels(levels);
  }

  /**
   * Collects the levels in a column of a table, in one job: the driver receives only those that are
   * not their own keys, or are the keys of such levels.
   */
  public static KnownLevels of(Dataset<Row> table, String column) {
    Dataset<Row> levels = table.select(functions.col(column).as("level")).distinct();
    Column key =
        functions
            .udf((UDF1<String, String>) CellText::key, DataTypes.StringType)
            .apply(levels.col("level"));
    List<Row> odd = levels.withColumn("key", key).where("level <> key").collectAsList();
    if (odd.isEmpty()) {
      return of(List.of());
    }
    List<String> keys = odd.stream().map(row -> row.getString(1)).distinct().toList();
    Set<String> all = new HashSet<>();
    odd.forEach(row -> all.add(row.getString(0)));
    levels
        .join(table.sparkSession().createDataset(keys, Encoders.STRING()).toDF("level"), "level")
        .collectAsList()
        .forEach(row -> all.add(row.getString(0)));
    return of(all);
  }

  /** Returns the level of a cell, or its key if it has none; null without a value. */
  public @Nullable String level(@Nullable Object cell) {
    if (cell == null || CellText.isMissing(cell)) {
      return null;
    }
    String text = CellText.level(cell);
    if (spelled.contains(text)) {
      return text;
    }
    String key = CellText.key(text);
    return Objects.requireNonNullElse(byKey.get(key), key);
  }

  /** Returns a column of cells as levels. */
  public Column of(Column cell) {
    return functions
        .udf((UDF1<@Nullable Object, @Nullable String>) this::level, DataTypes.StringType)
        .apply(cell);
  }

  /**
   * Returns a table in which some columns have levels in place of cells.
   *
   * @param groups whether the levels are groups', in which dates and times are spelled differently
   */
  public static Dataset<Row> respelled(
      Dataset<Row> table, Map<String, KnownLevels> known, boolean groups) {
    Set<String> there = Set.of(table.columns());
    Dataset<Row> respelled = table;
    for (Map.Entry<String, KnownLevels> of : known.entrySet()) {
      String name = of.getKey();
      if (there.contains(name)) {
        Column cell = groups ? InputColumns.keyed(table, name) : InputColumns.column(name);
        respelled = respelled.withColumn(name, of.getValue().of(cell));
      }
    }
    return respelled;
  }
}
