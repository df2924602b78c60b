package org.lampyris.executors.table;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.lampyris.bounds.config.UserException;
import scala.math.BigInt;

/**
 * Levels of the grouping factors: {@code levels/<k>/} in the folder of a prepared table, k from 0
 * in the order of {@link TableSchema#levels}.
 */
public final class LevelTable {
  /** The column with the number that stands for the level in {@code DataBlock.group}. */
  public static final String KEY = "key";

  /** The column with the level, as text. */
  public static final String LEVEL = "level";

  /** The column with how many rows have the level. */
  public static final String ROWS = "rows";

  /** Types of the columns. */
  public static final StructType TYPE =
      new StructType()
          .add(KEY, DataTypes.LongType)
          .add(LEVEL, DataTypes.StringType)
          .add(ROWS, DataTypes.LongType);

  private static final int SMALL = 4 << 20;

  private LevelTable() {}

  /** Returns the folder with the levels of a column. */
  public static String path(String table, int grouping) {
    return table + "/levels/" + grouping;
  }

  /**
   * Returns a hash of levels, an aggregate of the columns {@link #KEY}, {@link #LEVEL} and {@link
   * #ROWS}: xor of the rows' XXH64, in any order.
   */
  public static Column hash() {
    return functions.bit_xor(
        functions.xxhash64(functions.col(KEY), functions.col(LEVEL), functions.col(ROWS)));
  }

  /**
   * Refuses a prepared table whose levels have changed: one job that reads them.
   *
   * @throws UserException (data) if they are others
   */
  public static void require(SparkSession spark, String table, TableSchema schema) {
    for (int k = 0; k < schema.levels().size(); k++) {
      TableSchema.Levels written = schema.levels().get(k);
      Row read = read(spark, table, k).agg(functions.count(functions.lit(1)), hash()).first();
      boolean same =
          read.getLong(0) == written.levels()
              && (written.hash() == null || written.hash().equals(read.get(1)));
      if (!same) {
        throw UserException.data(
            "the levels of '%s' in %s have changed since they were written. Write the table again with the prepare command."
                .formatted(written.column(), path(table, k)));
      }
    }
  }

  /** Returns the levels of a column of a prepared table, {@link #together}. */
  public static Dataset<Row> read(SparkSession spark, String table, int grouping) {
    return together(spark.read().schema(TYPE).parquet(path(table, grouping)));
  }

  /**
   * Returns a table in one partition if its files have at most {@value #SMALL} bytes. It is then
   * sorted, joined with another such table, and summed up, in one task: a shuffle takes Spark
   * several jobs.
   */
  public static Dataset<Row> together(Dataset<Row> table) {
    boolean small =
        !table.queryExecution().optimizedPlan().stats().sizeInBytes().$greater(BigInt.apply(SMALL));
    return small ? table.coalesce(1) : table;
  }
}
