package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.LevelTable;

/**
 * Contributions of group effects to η for some rows of the prepared table, from a run's kept draws
 * of effects. The driver holds the draws for the rows' groups.
 *
 * @param thetas the draws of θ that belong to the draws of effects, on the reported scale
 * @param known for each grouping, by the key of a level: its effects, each by draws
 * @param levels for each grouping, the levels by their keys
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KnownShifts(
    List<TableEffects> effects,
    double[][] thetas,
    int chains,
    List<Map<Long, float[][]>> known,
    List<Map<Long, String>> levels) {
  /**
   * Reads them by Spark.
   *
   * @param wanted how many draws at most, evenly thinned: as many of each chain, one chain after
   *     the other
   * @param rows the rows that are asked for
   * @throws UserException (data) if the run has not kept any draws of effects
   */
  public static KnownShifts of(
      SparkSession spark, RunOutput.Fitted run, int wanted, List<DataBlock> rows)
      throws IOException {
    List<TableEffects> effects = run.model().random();
    Draws draws = run.run().draws();
    LevelDraws groups = LevelDraws.of(spark, run.run(), effects, draws, even(wanted, draws));
    KnownShifts all = empty(run, draws, groups);
    for (int k = 0; k < effects.size(); k++) {
      Dataset<Row> levels =
          spark
              .createDataset(List.copyOf(keys(effects.get(k), rows)), Encoders.LONG())
              .toDF(LevelTable.KEY)
              .join(
                  LevelTable.read(spark, run.job().preparedFolder(), effects.get(k).grouping()),
                  LevelTable.KEY)
              .select(LevelTable.KEY, LevelTable.LEVEL);
      for (Row row : levels.join(groups.tables().get(k), LevelTable.LEVEL).collectAsList()) {
        Long key = row.getAs(LevelTable.KEY);
        all.levels.get(k).put(key, row.getAs(LevelTable.LEVEL));
        List<Row> known = row.getList(row.fieldIndex(LevelDraws.EFFECTS));
        for (Row effect : known) {
          all.add(k, key, effect.getString(0), effect.getList(1), groups.picked());
        }
      }
    }
    return all;
  }

  /**
   * Reads the same in this process.
   *
   * @return null if Spark must read them
   * @throws UserException (data) if the run has not kept any draws of effects
   */
  static @Nullable KnownShifts here(RunOutput.Fitted run, int wanted, List<DataBlock> rows)
      throws IOException {
    List<GroupFiles> files = GroupFiles.open(run);
    if (files == null) {
      return null;
    }
    int kept = Integer.MAX_VALUE;
    for (GroupFiles of : files) {
      kept = Math.min(kept, of.kept());
    }
    List<TableEffects> effects = run.model().random();
    Draws draws = run.run().draws();
    LevelDraws groups = LevelDraws.of(effects, List.of(), kept, draws, even(wanted, draws));
    KnownShifts all = empty(run, draws, groups);
    for (int k = 0; k < effects.size(); k++) {
      int grouping = k;
      Map<Long, String> levels = files.get(k).levels(keys(effects.get(k), rows));
      all.levels.get(k).putAll(levels);
      Map<String, Long> keys = new HashMap<>();
      levels.forEach((key, level) -> keys.put(level, key));
      files
          .get(k)
          .effects(
              keys.keySet(),
              one -> {
                long key = Objects.requireNonNull(keys.get(one.level()));
                all.add(grouping, key, one.name(), one.draws(), groups.picked());
              });
    }
    return all;
  }

  private static KnownShifts empty(RunOutput.Fitted run, Draws draws, LevelDraws groups) {
    List<Map<Long, float[][]>> known = new ArrayList<>();
    List<Map<Long, String>> levels = new ArrayList<>();
    for (int k = 0; k < groups.effects().size(); k++) {
      known.add(new HashMap<>());
      levels.add(new HashMap<>());
    }
    double[][] thetas = groups.thinned(draws, run.model().coefficients());
    return new KnownShifts(groups.effects(), thetas, draws.chains(), known, levels);
  }

  /**
   * Returns as many draws of each chain.
   *
   * @param draws all of them: those of effects belong to some iterations, which a thinned run would
   *     not have
   */
  private static int even(int wanted, Draws draws) {
    return Math.max(1, wanted / draws.chains()) * draws.chains();
  }

  private static Set<Long> keys(TableEffects of, List<DataBlock> rows) {
    Set<Long> keys = new HashSet<>(); // not sorted: Parquet asks it for null
    for (DataBlock block : rows) {
      for (int row = 0; row < block.rows(); row++) {
        keys.add(block.group(of.grouping(), row));
      }
    }
    return keys;
  }

  private void add(int grouping, long key, String effect, List<Float> draws, int[] places) {
    TableEffects of = effects.get(grouping);
    float[] to =
        known.get(grouping)
            .computeIfAbsent(key, level -> new float[of.size()][places.length])[
            RowEffects.effect(of, effect)];
    for (int s = 0; s < places.length; s++) {
      to[s] = draws.get(places[s]);
    }
  }

  /** Returns the grouping factors. */
  public List<PredictiveCheck.Factor> factors() {
    return IntStream.range(0, effects.size()).mapToObj(this::factor).toList();
  }

  private PredictiveCheck.Factor factor(int k) {
    TableEffects of = effects.get(k);
    return new PredictiveCheck.Factor() {
      @Override
      public String name() {
        return of.effects().group();
      }

      @Override
      public String level(DataBlock block, int row) {
        return levels.get(k).getOrDefault(block.group(of.grouping(), row), "?");
      }
    };
  }

  /** Returns the contribution to η of one row, by draws. */
  public double[] of(DataBlock block, int row) {
    double[] shift = new double[thetas.length];
    for (int k = 0; k < known.size(); k++) {
      TableEffects of = effects.get(k);
      long key = block.group(of.grouping(), row);
      float[][] draws = known.get(k).get(key);
      if (draws == null) {
        throw new IllegalStateException("no effects by " + of.effects().group() + " " + key);
      }
      for (int e = 0; e < draws.length; e++) {
        double z = of.z(block, row, e);
        for (int s = 0; s < shift.length; s++) {
          shift[s] += z * draws[e][s];
        }
      }
    }
    return shift;
  }
}
