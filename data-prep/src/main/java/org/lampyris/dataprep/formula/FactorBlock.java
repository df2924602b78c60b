package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.executors.table.TableSchema.Feature;

/**
 * A variable with levels, as columns of ones and zeros: one for each level, or, by treatment
 * contrasts, for each but the reference.
 */
final class FactorBlock implements Block {
  private final String name;
  private final int column;
  private final boolean levelForMissing;
  private final boolean strict;
  private final @Nullable String other;
  private final List<String> names = new ArrayList<>();

  /** The column of ones of each level; −1 for the reference. */
  private final HashMap<String, Integer> places = new HashMap<>();

  /**
   * Makes columns of a factor.
   *
   * @param column where it is in a row
   * @param contrasts whether the reference has no column
   * @param strict whether a level that is not known is an error; else there is no value for it
   */
  FactorBlock(Feature levels, int column, boolean contrasts, Missing rule, boolean strict) {
    this.name = levels.name();
    this.column = column;
    this.levelForMissing = rule == Missing.LEVEL;
    this.strict = strict;
    this.other = levels.other();
    for (String level : levels.levels()) {
      boolean dropped = contrasts && level.equals(levels.reference());
      places.put(level, dropped ? -1 : names.size());
      if (!dropped) {
        names.add(name + "[" + level + "]");
      }
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public int width() {
    return names.size();
  }

  /** Returns the level of a cell; null if it has none. */
  static @Nullable String level(@Nullable Object cell, boolean levelForMissing) {
    if (cell == null || CellText.isMissing(cell)) {
      return levelForMissing ? CellText.MISSING : null;
    }
    return CellText.level(cell);
  }

  @Override
  public int write(Row row, double[] cells, int[] index, double[] value) {
    String level = level(row.get(column), levelForMissing);
    if (level == null) {
      return NONE;
    }
    Integer place = places.get(level);
    if (place == null && other != null) {
      place = places.get(other);
    }
    if (place == null) {
      if (strict) {
        throw UserException.data(
            "column '%s' has the level '%s', which the earlier table did not have; prepare without data.like, or name a level for others (data.categorical.%s.other) when the earlier table is prepared"
                .formatted(name, level, name));
      }
      return NONE;
    }
    index[0] = place;
    value[0] = 1;
    return place < 0 ? 0 : 1;
  }
}
