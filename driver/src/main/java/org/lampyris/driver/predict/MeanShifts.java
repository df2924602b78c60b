package org.lampyris.driver.predict;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.LevelTable;

/**
 * Contributions of the posterior mean effects of groups to η, for any row of the prepared table.
 * Groupings of more than {@value #MOST_LEVELS} groups, whose means no machine should have all of,
 * add nothing.
 *
 * @param keys for each grouping, the keys of its groups, ascending
 * @param means for each grouping, the means by groups and effects
 */
public record MeanShifts(
    List<TableEffects> effects, Broadcast<long[][]> keys, Broadcast<double[][]> means)
    implements Serializable, AutoCloseable {
  private static final long MOST_LEVELS = 1_000_000;

  /**
   * Reads the means.
   *
   * @throws UserException (data) if the run has not kept any draws of effects
   */
  static MeanShifts of(SparkSession spark, RunOutput.Fitted run) throws IOException {
    List<TableEffects> effects = run.model().random();
    long[][] keys = new long[effects.size()][0];
    double[][] means = new double[effects.size()][0];
    for (int k = 0; k < keys.length; k++) {
      TableEffects of = effects.get(k);
      if (of.levels() <= MOST_LEVELS) {
        keys[k] = new long[(int) of.levels()];
        means[k] = new double[keys[k].length * of.size()];
        Dataset<Row> levels = LevelTable.read(spark, run.job().preparedFolder(), of.grouping());
        Iterator<Row> rows =
            LevelDraws.means(spark, run.run(), of.effects())
                .join(levels, LevelTable.LEVEL)
                .select(LevelTable.KEY, LevelDraws.EFFECTS)
                .orderBy(LevelTable.KEY)
                .toLocalIterator();
        for (int level = 0; rows.hasNext(); level++) {
          Row row = rows.next();
          keys[k][level] = row.getLong(0);
          for (Row effect : row.<Row>getList(1)) {
            int e = RowEffects.effect(of, effect.getString(0));
            means[k][level * of.size() + e] = effect.getDouble(1);
          }
        }
      }
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    return new MeanShifts(effects, context.broadcast(keys), context.broadcast(means));
  }

  /** Returns the contribution to η of a row. */
  public double of(DataBlock block, int row) {
    double shift = 0;
    for (int k = 0; k < effects.size(); k++) {
      TableEffects of = effects.get(k);
      int level = Arrays.binarySearch(keys.value()[k], block.group(of.grouping(), row));
      for (int e = 0; level >= 0 && e < of.size(); e++) {
        shift += of.z(block, row, e) * means.value()[k][level * of.size() + e];
      }
    }
    return shift;
  }

  /** Frees the means on executors. */
  @Override
  public void close() {
    keys.destroy();
    means.destroy();
  }
}
