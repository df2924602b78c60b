package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.driver.output.EffectSpool;
import org.lampyris.driver.output.ParquetNumbers;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.LevelTable;
import org.lampyris.executors.table.ParquetFile;

/**
 * Files of a grouping factor, small enough to be read in this process.
 *
 * @param keys the folder with the levels of the prepared table, which has fewer bytes than effects
 * @param effects the kept draws of the levels' effects
 */
record GroupFiles(Path keys, ParquetNumbers effects) {
  /** The largest size of the effects' files that are read here, in bytes. */
  private static final long LARGEST = 64L << 20;

  private static final List<String> WITH_DRAWS =
      List.of(LevelDraws.LEVEL, LevelDraws.EFFECT, EffectSpool.DRAWS);

  /**
   * Opens the files of a run's grouping factors.
   *
   * @return null if Spark must read them: on another file system, or too large
   * @throws org.lampyris.bounds.config.UserException (data) if the run has kept no draws
   */
  static @Nullable List<GroupFiles> open(RunOutput.Fitted fitted) throws IOException {
    Configuration conf = fitted.run().conf();
    List<GroupFiles> all = new ArrayList<>();
    for (TableEffects of : fitted.model().random()) {
      Path effects = LevelDraws.folder(fitted.run(), of.effects());
      if (!(effects.getFileSystem(conf) instanceof LocalFileSystem local)
          || local.getContentSummary(effects).getLength() > LARGEST) {
        return null;
      }
      all.add(
          new GroupFiles(
              new Path(LevelTable.path(fitted.job().preparedFolder(), of.grouping())),
              ParquetNumbers.open(conf, effects)));
    }
    return all;
  }

  /** Returns the levels that have effects. */
  Set<String> levels() throws IOException {
    Set<String> levels = new HashSet<>();
    read(
        effects,
        List.of(LevelDraws.LEVEL),
        FilterCompat.NOOP,
        row -> {
          levels.add(row.getString(0, 0));
          return true;
        });
    return levels;
  }

  /** Returns the levels of the prepared table that have some keys. */
  Map<Long, String> levels(Set<Long> wanted) throws IOException {
    Map<Long, String> levels = new TreeMap<>();
    read(
        ParquetNumbers.open(effects.conf(), keys),
        List.of(LevelTable.KEY, LevelTable.LEVEL),
        FilterCompat.get(FilterApi.in(FilterApi.longColumn(LevelTable.KEY), wanted)),
        row -> {
          levels.put(row.getLong(0, 0), row.getString(1, 0));
          return true;
        });
    return levels;
  }

  /** Returns how many draws of an effect there are, of all chains. */
  int kept() throws IOException {
    int[] kept = {0};
    read(
        effects,
        List.of(EffectSpool.DRAWS),
        FilterCompat.NOOP,
        row -> {
          kept[0] = row.getGroup(0, 0).getFieldRepetitionCount(0);
          return false;
        });
    return kept[0];
  }

  /** Effect of a level, by its spelled name, with its kept draws. */
  record Effect(String level, String name, List<Float> draws) {}

  /** Reads the effects of some levels. */
  void effects(Set<String> wanted, Consumer<Effect> each) throws IOException {
    if (wanted.isEmpty()) {
      return;
    }
    Set<Binary> binary = wanted.stream().map(Binary::fromString).collect(Collectors.toSet());
    read(
        effects,
        WITH_DRAWS,
        FilterCompat.get(FilterApi.in(FilterApi.binaryColumn(LevelDraws.LEVEL), binary)),
        row -> {
          Group list = row.getGroup(2, 0);
          List<Float> draws = new ArrayList<>();
          for (int s = 0; s < list.getFieldRepetitionCount(0); s++) {
            draws.add(list.getGroup(0, s).getFloat(0, 0));
          }
          each.accept(new Effect(row.getString(0, 0), row.getString(1, 0), draws));
          return true;
        });
  }

  /**
   * Reads rows.
   *
   * @param more is given a row, and returns whether it wants another
   */
  private static void read(
      ParquetNumbers files, List<String> columns, FilterCompat.Filter filter, Predicate<Group> more)
      throws IOException {
    Configuration only = new Configuration(files.conf());
    only.set(ReadSupport.PARQUET_READ_SCHEMA, files.types(columns).toString());
    for (Path file : files.files()) {
      try (ParquetReader<Group> reader =
          ParquetFile.reader(file, only, new GroupReadSupport()).withFilter(filter).build()) {
        for (Group row = reader.read(); row != null; row = reader.read()) {
          if (!more.test(row)) {
            return;
          }
        }
      }
    }
  }
}
