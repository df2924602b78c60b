package org.lampyris.dataprep.prepare;

import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.lampyris.bounds.config.UserException;

/** Shapes the input by the user's SELECT over the view "input". */
final class QueryShape {
  private QueryShape() {}

  /**
   * Returns the input as the query shapes it, or as it is without one.
   *
   * @param spark a session whose view "input" may be replaced
   * @param input the rows
   * @param spec the wishes
   * @throws UserException (usage) if the query cannot be understood
   */
  static Dataset<Row> of(SparkSession spark, Dataset<Row> input, PrepareSpec spec) {
    String query = spec.query();
    if (query == null) {
      return input;
    }
    String bare =
        query.replaceAll("(?s)/\\*.*?\\*/|--[^\n]*", " ").strip().toLowerCase(Locale.ROOT);
    if (!bare.matches("(?s)(select|with|from|\\().*")) {
      throw UserException.usage(
          "data.query is no SELECT; write a Spark SQL SELECT over the view named input");
    }
    try {
      InputColumns.requireDistinct(List.of(input.columns()), spec.input());
      input.createOrReplaceTempView("input");
      return spark.sql(query);
    } catch (Exception e) {
      AnalysisException known = Failures.cause(e, AnalysisException.class);
      if (known == null) {
        throw e;
      }
      throw UserException.usage(
          "data.query cannot be understood: "
              + Failures.firstLine(known).replaceFirst("^\\[[A-Z_.0-9]+\\]\\s*", "")
              + " (the input is the view named input; its columns are "
              + String.join(", ", List.of(input.columns()).stream().limit(30).toList())
              + ")",
          e);
    }
  }
}
