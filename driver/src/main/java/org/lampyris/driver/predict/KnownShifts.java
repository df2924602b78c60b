package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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
   * Reads them.
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
    // All of them: those of effects belong to some iterations, which a thinned run would not have.
    Draws draws = run.run().draws();
    int even = Math.max(1, wanted / draws.chains()) * draws.chains();
    LevelDraws groups = LevelDraws.of(spark, run.run(), effects, draws, even);
    List<Map<Long, float[][]>> known = new ArrayList<>();
    List<Map<Long, String>> named = new ArrayList<>();
    for (int k = 0; k < effects.size(); k++) {
      TableEffects effect = effects.get(k);
      TreeSet<Long> keys = new TreeSet<>();
      for (DataBlock block : rows) {
        for (int row = 0; row < block.rows(); row++) {
          keys.add(block.group(effect.grouping(), row));
        }
      }
      Dataset<Row> levels =
          spark
              .createDataset(List.copyOf(keys), Encoders.LONG())
              .toDF(LevelTable.KEY)
              .join(
                  LevelTable.read(spark, run.job().preparedFolder(), effect.grouping()),
                  LevelTable.KEY)
              .select(LevelTable.KEY, LevelTable.LEVEL);
      Map<Long, float[][]> of = new HashMap<>();
      Map<Long, String> names = new HashMap<>();
      for (Row row : levels.join(groups.tables().get(k), LevelTable.LEVEL).collectAsList()) {
        names.put(row.getAs(LevelTable.KEY), row.getAs(LevelTable.LEVEL));
        of.put(
            row.getAs(LevelTable.KEY),
            picked(effect, row.getList(row.fieldIndex(LevelDraws.EFFECTS)), groups.picked()));
      }
      known.add(of);
      named.add(names);
    }
    double[][] thetas = groups.thinned(draws, run.model().coefficients());
    return new KnownShifts(effects, thetas, draws.chains(), known, named);
  }

  private static float[][] picked(TableEffects of, List<Row> effects, int[] places) {
    float[][] picked = new float[of.size()][places.length];
    for (Row effect : effects) {
      List<Float> draws = effect.getList(1);
      float[] to = picked[RowEffects.effect(of, effect.getString(0))];
      for (int s = 0; s < places.length; s++) {
        to[s] = draws.get(places[s]);
      }
    }
    return picked;
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
