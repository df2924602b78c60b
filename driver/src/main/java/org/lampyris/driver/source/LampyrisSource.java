package org.lampyris.driver.source;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.RelationProvider;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Map;

/**
 * Spark's data source {@code lampyris}. Writing a table fits a regression to it; reading shows the
 * posterior:
 *
 * <pre>{@code
 * clicks.write().format("lampyris").option("formula", "clicked ~ age + (1 | user)").save(folder);
 * spark.read().format("lampyris").option("table", "draws").load(folder);
 * }</pre>
 *
 * <p>The options are those of {@link SourceOptions}. Spark creates an instance for each use. What
 * the caller can mend is thrown as a {@link SourceException}.
 */
public final class LampyrisSource
    implements DataSourceRegister, RelationProvider, CreatableRelationProvider {
  /** Name in {@code format(…)} and {@code USING}. */
  static final String NAME = "lampyris";

  @Override
  public String shortName() {
    return NAME;
  }

  /** Opens the posterior in a folder, as one of its tables. */
  @Override
  public BaseRelation createRelation(SQLContext context, Map<String, String> parameters) {
    return SourceException.translating(
        () -> {
          SparkSession spark = supported(context);
          return PosteriorTable.of(spark, SourceOptions.of(parameters));
        });
  }

  /** Fits a regression to a table, as the mode has it, and opens the posterior. */
  @Override
  public BaseRelation createRelation(
      SQLContext context, SaveMode mode, Map<String, String> parameters, Dataset<Row> rows) {
    return SourceException.translating(
        () -> {
          SparkSession spark = supported(context);
          SourceOptions options = SourceOptions.of(parameters);
          new SavedRun(spark, options).save(rows, mode);
          return PosteriorTable.of(spark, options);
        });
  }

  /**
   * Accepts every type, so that our own refusal, which says what would help, reaches the caller.
   */
  @SuppressWarnings("MissingOverride") // Spark 3.5 does not ask
  public boolean supportsDataType(DataType type) {
    return true;
  }

  private static SparkSession supported(SQLContext context) {
    SparkSession spark = context.sparkSession();
    SparkLine.requireSame(SparkLine.built(), spark.version());
    return spark;
  }
}
