package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.BlockTable;

/**
 * Reader of rows of a run's table, and of the effects of their groups: by Spark, or in this
 * process, with the same figures.
 *
 * @param spark gives a session, if one is needed
 * @param here whether rows are read in this process
 * @param checked {@link RowSample#CHECKED} rows that are known already; null if they are not
 */
public record RowReader(Supplier<SparkSession> spark, boolean here, @Nullable RowSample checked) {
  /** Creates a reader that knows no rows yet. */
  public RowReader(Supplier<SparkSession> spark, boolean here) {
    this(spark, here, null);
  }

  /** Returns a reader by Spark, for tables on many machines. */
  public static RowReader bySpark(Supplier<SparkSession> spark) {
    return new RowReader(spark, false);
  }

  /**
   * Returns the same reader with {@link RowSample#CHECKED} rows of the table, drawn as {@link
   * RowSample#drawSpread} does; null if they are not known.
   */
  public RowReader knowing(@Nullable RowSample rows) {
    return new RowReader(spark, here, rows);
  }

  /** Refuses a run that has not kept the draws of its effects, before its rows are read. */
  public void require(RunOutput.Fitted fitted) throws IOException {
    if (fitted.hasEffects()) {
      LevelDraws.require(fitted);
      if (here && GroupFiles.open(fitted) == null) {
        Objects.requireNonNull(spark.get()); // starts while nothing has been read
      }
    }
  }

  /** Draws rows of a run's table. */
  public RowSample draw(RunOutput.Fitted fitted, int wanted) {
    if (checked != null && wanted == RowSample.CHECKED) {
      return checked;
    }
    String folder = fitted.job().preparedFolder();
    if (here) {
      return RowSample.drawHere(fitted.run().conf(), folder, fitted.schema(), wanted);
    }
    try (BlockTable table =
        BlockTable.load(spark.get(), folder, fitted.job().data().partitions())) {
      return RowSample.drawSpread(table, wanted);
    }
  }

  /** Returns what effects of groups add to η of rows; null if the model has none. */
  public @Nullable KnownShifts shifts(RunOutput.Fitted fitted, int draws, List<DataBlock> rows)
      throws IOException {
    if (!fitted.hasEffects()) {
      return null;
    }
    KnownShifts known = here ? KnownShifts.here(fitted, draws, rows) : null;
    return known == null ? KnownShifts.of(spark.get(), fitted, draws, rows) : known;
  }
}
