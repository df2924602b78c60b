package org.lampyris.experiments.bench;

import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** Process in which Spark alone does to a table what every command must do. */
public final class SparkAlone {
  /** Opens a session and nothing else. */
  static final String SESSION = "session";

  /** Reads a table and sums each column: for bytes, their number. */
  static final String SUM = "sum";

  /** Reads a table and writes it again. */
  static final String COPY = "copy";

  private SparkAlone() {}

  /**
   * Runs one of these tasks.
   *
   * @param args what, then the table, then where it is written again
   */
  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().appName("Spark alone").getOrCreate();
    try {
      switch (args[0]) {
        case SUM -> sum(spark.read().parquet(args[1]));
        case COPY -> spark.read().parquet(args[1]).write().mode("overwrite").parquet(args[2]);
        default -> {}
      }
    } finally {
      spark.stop();
    }
  }

  private static void sum(Dataset<Row> table) {
    Column[] sums =
        Arrays.stream(table.schema().fields())
            .map(SparkAlone::summed)
            .map(functions::sum)
            .toArray(Column[]::new);
    table.agg(functions.lit(0).as("zero"), sums).collectAsList();
  }

  private static Column summed(StructField field) {
    Column column = functions.col("`" + field.name() + "`");
    // As doubles: a sum of hashes is beyond whole numbers.
    return (field.dataType().equals(DataTypes.BinaryType) ? functions.length(column) : column)
        .cast(DataTypes.DoubleType);
  }
}
