package org.lampyris.dataprep.blocks;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.Text;
import org.lampyris.dataprep.design.LevelCounts;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.TableSchema;

/**
 * Which rows lie together: those of a value of {@code data.group_by}, else those of a level of the
 * column of {@code model.random} with the most levels, if these are many.
 *
 * @param by the column; null if no rows lie together
 * @param known what is known of the levels, as the schema has it; null for none
 */
record Together(
    InputColumns columns,
    LevelCounts levels,
    @Nullable String by,
    @Nullable List<TableSchema.Levels> known) {
  static Together of(InputColumns columns, LevelCounts levels, Consumer<String> progress) {
    String given = columns.groupBy();
    String by = given == null ? levels.together() : given;
    List<TableSchema.Levels> known = levels.levels(by);
    if (given == null && known != null) {
      known.stream()
          .filter(TableSchema.Levels::together)
          .forEach(
              of ->
                  progress.accept(
                      Text.of(
                          "rows are put together by '%s', which has %,d levels, as data.group_by"
                              + " would have it",
                          of.column(), of.levels())));
    }
    return new Together(columns, levels, by, known);
  }

  /** Returns what rows are sorted by first. */
  LevelHashes keys(long seed) {
    int at =
        columns.groupBy() == null
            ? columns.groupsAt() + columns.groups().indexOf(by)
            : columns.groupAt();
    return new LevelHashes(seed, at, columns.orderBy() != null);
  }

  /**
   * Returns which of the columns of {@code model.random} says what rows are sorted by first; −1 if
   * none does, or not alone.
   */
  int kept() {
    return by == null || columns.orderBy() != null ? -1 : columns.groups().indexOf(by);
  }

  TableSchema.@Nullable Grouping grouping(long groups) {
    return by == null ? null : new TableSchema.Grouping(by, columns.orderBy(), groups);
  }
}
