package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.read.FewRows;
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.driver.output.EffectSpool;
import org.lampyris.driver.output.ParquetNumbers;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.jobs.ScalaCollections;
import org.lampyris.executors.table.ParquetFile;

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
  /** The largest size of a grouping's files that is read here, in bytes. */
  private static final long LARGEST = 64L << 20;

  private static final List<String> WITH_DRAWS =
      List.of(LevelDraws.LEVEL, LevelDraws.EFFECT, EffectSpool.DRAWS);

  /**
   * Reads them.
   *
   * @return null if Spark must read them, or complain: another file system, large files, no draws,
   *     or no column of a group
   */
  static @Nullable FewLevels read(RunOutput.Fitted fitted, FewRows rows) throws IOException {
    FewLevels all = new FewLevels(Integer.MAX_VALUE, new ArrayList<>(), new ArrayList<>());
    int kept = Integer.MAX_VALUE;
    for (TableEffects one : fitted.model().random()) {
      String group = one.effects().group();
      ParquetNumbers files = files(fitted.run(), group);
      if (files == null || !GroupKeys.isIn(group, rows.names())) {
        return null;
      }
      Set<String> levels = new HashSet<>();
      read(
          files,
          List.of(LevelDraws.LEVEL),
          FilterCompat.NOOP,
          row -> levels.add(row.getString(0, 0)));
      KnownLevels spelled = KnownLevels.of(levels);
      List<@Nullable String> ofRows = new ArrayList<>();
      for (Map<String, Object> cells : rows.cells()) {
        ofRows.add(spelled.level(GroupKeys.of(cells, rows.names(), group)));
      }
      // Any level says how many draws there are.
      Set<Binary> wanted =
          levels.stream()
              .filter(ofRows::contains)
              .map(Binary::fromString)
              .collect(Collectors.toSet());
      levels.stream().limit(1).map(Binary::fromString).forEach(wanted::add);
      Map<String, List<Row>> known = new HashMap<>();
      int[] draws = {0};
      read(
          files,
          WITH_DRAWS,
          FilterCompat.get(FilterApi.in(FilterApi.binaryColumn(LevelDraws.LEVEL), wanted)),
          row -> {
            List<Float> drawn = draws(row.getGroup(2, 0));
            draws[0] = drawn.size();
            known
                .computeIfAbsent(row.getString(0, 0), level -> new ArrayList<>())
                .add(RowFactory.create(row.getString(1, 0), ScalaCollections.asScala(drawn)));
          });
      kept = Math.min(kept, draws[0]);
      all.levels.add(ofRows);
      all.known.add(known);
    }
    return new FewLevels(kept, all.levels, all.known);
  }

  /** Returns the files with a group's effects; null if they are not to be read here. */
  private static @Nullable ParquetNumbers files(RunOutput run, String group) throws IOException {
    Path folder = run.effects(group).orElse(null);
    if (folder == null || !(folder.getFileSystem(run.conf()) instanceof LocalFileSystem)) {
      return null;
    }
    ParquetNumbers files = ParquetNumbers.open(run.conf(), folder);
    long size = 0;
    for (Path file : files.files()) {
      size += folder.getFileSystem(run.conf()).getFileStatus(file).getLen();
    }
    return size <= LARGEST && files.columns().contains(EffectSpool.DRAWS) ? files : null;
  }

  private static void read(
      ParquetNumbers files, List<String> columns, FilterCompat.Filter filter, Consumer<Group> each)
      throws IOException {
    Configuration only = new Configuration(files.conf());
    only.set(ReadSupport.PARQUET_READ_SCHEMA, files.types(columns).toString());
    for (Path file : files.files()) {
      try (ParquetReader<Group> reader =
          ParquetFile.reader(file, only, new GroupReadSupport()).withFilter(filter).build()) {
        for (Group row = reader.read(); row != null; row = reader.read()) {
          each.accept(row);
        }
      }
    }
  }

  private static List<Float> draws(Group list) {
    List<Float> draws = new ArrayList<>();
    for (int s = 0; s < list.getFieldRepetitionCount(0); s++) {
      draws.add(list.getGroup(0, s).getFloat(0, 0));
    }
    return draws;
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
