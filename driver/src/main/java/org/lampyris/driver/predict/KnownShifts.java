package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.block.DataBlock;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.driver.config.JobConfig;
import org.lampyris.driver.output.Draws;
import org.lampyris.executors.table.LevelTable;

/**
 * What the effects of their groups add to η of some rows of the prepared table, by the draws of
 * effects that a run has kept. The driver holds those of the rows' groups.
 */
public final class KnownShifts {
  private final GroupDraws groups;
  private final double[][] thetas;

  /** Of each grouping, by the key of a level: what is known of its effects. */
  private final List<Map<Long, List<Row>>> known;

  private KnownShifts(GroupDraws groups, double[][] thetas, List<Map<Long, List<Row>>> known) {
    this.groups = groups;
    this.thetas = thetas;
    this.known = known;
  }

  /**
   * Refuses a run that has not kept any draws of effects, before its rows are read.
   *
   * @throws org.lampyris.bounds.config.UserException (data) if it has not
   */
  public static void require(SparkSession spark, JobConfig job, ModelOfTable model)
      throws IOException {
    GroupDraws.require(spark, job.outputFolder(), model.random());
  }

  /**
   * Reads them.
   *
   * @param draws those of the run
   * @param wanted how many draws at most, evenly thinned
   * @param rows the rows that are asked for
   * @throws org.lampyris.bounds.config.UserException (data) if the run has not kept any
   */
  public static KnownShifts of(
      SparkSession spark,
      JobConfig job,
      ModelOfTable model,
      Draws draws,
      int wanted,
      List<DataBlock> rows)
      throws IOException {
    GroupDraws groups = GroupDraws.of(spark, job.outputFolder(), model.random(), draws, wanted);
    List<Map<Long, List<Row>>> known = new ArrayList<>();
    for (int k = 0; k < model.random().size(); k++) {
      int grouping = model.random().get(k).grouping();
      TreeSet<Long> keys = new TreeSet<>();
      for (DataBlock block : rows) {
        for (int row = 0; row < block.rows(); row++) {
          keys.add(block.group(grouping, row));
        }
      }
      Dataset<Row> levels =
          spark
              .createDataset(List.copyOf(keys), Encoders.LONG())
              .toDF(LevelTable.KEY)
              .join(LevelTable.read(spark, job.preparedFolder(), grouping), LevelTable.KEY)
              .select(LevelTable.KEY, LevelTable.LEVEL);
      Dataset<Row> table = groups.tables().get(k).toDF(LevelTable.LEVEL, "effects");
      Map<Long, List<Row>> of = new HashMap<>();
      for (Row row : levels.join(table, LevelTable.LEVEL).collectAsList()) {
        of.put(row.getAs(LevelTable.KEY), row.getList(row.fieldIndex("effects")));
      }
      known.add(of);
    }
    return new KnownShifts(groups, groups.thinned(draws, model.coefficients()), known);
  }

  /** Returns the draws of θ that belong to those of effects. */
  public double[][] thetas() {
    return thetas;
  }

  /**
   * Returns what is added to η of a row, by draws; null where a group's effects are not known.
   *
   * @param x the row's columns on the input's scale. Not modified.
   */
  public double @Nullable [] of(DataBlock block, int row, double[] x) {
    double[] shift = new double[thetas.length];
    for (int k = 0; k < known.size(); k++) {
      TableEffects of = groups.effects().get(k);
      List<Row> effects = known.get(k).get(block.group(of.grouping(), row));
      if (effects == null) {
        return null;
      }
      for (Row effect : effects) {
        RowEffects.add(of, effect, x, groups.picked(), shift);
      }
    }
    return shift;
  }
}
