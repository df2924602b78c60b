package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.rows.DataBlock;

/**
 * The effects of groups that a run has written.
 *
 * @param output the run's folder
 * @param prepared that of its table, which has the levels
 */
public record KeptEffects(String output, String prepared, ModelOfTable model) {
  /** Returns whether the model has any. */
  public boolean any() {
    return !model.random().isEmpty();
  }

  /**
   * Refuses a run that has not kept any draws of its effects, if it has any, before its rows are
   * read.
   *
   * @throws UserException (data) if it has not
   */
  public void require(SparkSession spark) throws IOException {
    LevelDraws.require(spark, output, model.random());
  }

  /**
   * Returns what effects add to η of some rows, by draws.
   *
   * @param wanted how many draws at most, evenly thinned: as many of each chain, one chain after
   *     the other
   * @param rows the rows that are asked for
   * @throws UserException (data) if the run has not kept any draws of effects
   */
  public KnownShifts shifts(SparkSession spark, int wanted, List<DataBlock> rows)
      throws IOException {
    return KnownShifts.of(spark, this, wanted, rows);
  }

  /**
   * Returns what the means of effects add to η of any row.
   *
   * @throws UserException (data) if the run has not kept any draws of effects
   */
  public MeanShifts means(SparkSession spark) throws IOException {
    return MeanShifts.of(spark, this);
  }
}
