package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.read.FewRows;
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.jobs.ScalaCollections;

/**
 * Groups of a small table's rows, with the kept draws of their effects, read in this process: what
 * {@link LevelDraws#join} adds to rows by Spark.
 *
 * @param kept how many draws of an effect there are, of all chains
 * @param levels of each grouping the level of each row; null for none
 * @param known of each grouping the effects of the rows' levels that the run knows
 */
record FewLevels(
    int kept, List<List<@Nullable String>> levels, List<Map<String, List<Row>>> known) {
  /**
   * Reads them.
   *
   * @return null if Spark must read them, or complain: another file system, large files, or no
   *     column of a group
   * @throws org.lampyris.bounds.config.UserException (data) if the run has kept no draws
   */
  static @Nullable FewLevels read(RunOutput.Fitted fitted, FewRows rows) throws IOException {
    FewLevels all = new FewLevels(Integer.MAX_VALUE, new ArrayList<>(), new ArrayList<>());
    int kept = Integer.MAX_VALUE;
    List<GroupFiles> every = GroupFiles.open(fitted);
    if (every == null) {
      return null;
    }
    for (int k = 0; k < every.size(); k++) {
      String group = fitted.model().random().get(k).effects().group();
      GroupFiles files = every.get(k);
      if (!GroupKeys.isIn(group, rows.names())) {
        return null;
      }
      Set<String> levels = files.levels();
      KnownLevels spelled = KnownLevels.of(levels);
      List<@Nullable String> ofRows = new ArrayList<>();
      for (Map<String, Object> cells : rows.cells()) {
        ofRows.add(spelled.level(GroupKeys.of(cells, rows.names(), group)));
      }
      Map<String, List<Row>> known = new HashMap<>();
      levels.retainAll(ofRows);
      files.effects(
          levels,
          effect ->
              known
                  .computeIfAbsent(effect.level(), level -> new ArrayList<>())
                  .add(RowFactory.create(effect.name(), ScalaCollections.asScala(effect.draws()))));
      kept = Math.min(kept, files.kept());
      all.levels.add(ofRows);
      all.known.add(known);
    }
    return new FewLevels(kept, all.levels, all.known);
  }

  /** Adds two cells of each grouping to a row, as {@link LevelDraws#join} does. */
  void addTo(List<@Nullable Object> cells, int row) {
    for (int k = 0; k < known.size(); k++) {
      String level = levels.get(k).get(row);
      List<Row> effects = level == null ? null : known.get(k).get(level);
      cells.add(level);
      cells.add(effects == null ? null : ScalaCollections.asScala(effects));
    }
  }
}
