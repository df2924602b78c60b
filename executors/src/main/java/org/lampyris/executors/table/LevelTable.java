package org.lampyris.executors.table;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The levels of the columns that groups of rows have effects by: {@code levels/<k>/} in the folder
 * of a prepared table, k from 0 in the order of {@link TableSchema#levels}.
 */
public final class LevelTable {
  /** The column with the number that stands for the level in {@code DataBlock.group}. */
  public static final String KEY = "key";

  /** The column with the level, as text. */
  public static final String LEVEL = "level";

  /** The column with how many rows have the level. */
  public static final String ROWS = "rows";

  /** What the columns hold. */
  public static final StructType TYPE =
      new StructType()
          .add(KEY, DataTypes.LongType)
          .add(LEVEL, DataTypes.StringType)
          .add(ROWS, DataTypes.LongType);

  private LevelTable() {}

  /** Returns the folder with the levels of a column. */
  public static String path(String table, int grouping) {
    return table + "/levels/" + grouping;
  }

  /** Returns the levels of a column of a prepared table. */
  public static Dataset<Row> read(SparkSession spark, String table, int grouping) {
    return spark.read().schema(TYPE).parquet(path(table, grouping));
  }
}
