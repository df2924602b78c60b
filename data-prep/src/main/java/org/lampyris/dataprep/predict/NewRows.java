package org.lampyris.dataprep.predict;

import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.input.Columns;
import org.lampyris.dataprep.input.Input;
import org.lampyris.dataprep.input.InputColumns;
import org.lampyris.dataprep.input.Source;
import org.lampyris.executors.table.TableSchema;

/**
 * A table of new rows, of the form of the input that a prepared table was made of. It needs neither
 * label nor weights.
 *
 * @param rows each a struct of the new table's own columns, then the offset if the model has one,
 *     then the features
 * @param own how many columns the new table has
 * @param offset whether there is an offset
 */
public record NewRows(Dataset<Row> rows, Dataset<Row> own, boolean offset) {
  /**
   * Opens a table.
   *
   * @param source the new table
   * @param columns what the earlier table's columns are for, features and their encodings among
   *     them
   * @param offset the column that is added to the linear predictor; null for none
   * @throws UserException if a column is not there, or is of another type
   */
  public static NewRows open(
      SparkSession spark,
      Source source,
      Columns columns,
      TableSchema schema,
      @Nullable String offset) {
    Columns.Model model = new Columns.Model(schema.label().kind(), offset);
    Input input = Input.open(spark.newSession(), source, columns, model, schema);
    Dataset<Row> own = input.rows();
    TableSchema.Formula formula = schema.source().formula();
    Dataset<Row> shaped =
        formula == null ? own : FormulaTable.append(own, columns, formula, input.name());
    InputColumns found = InputColumns.ofPredictors(shaped, columns, model, input.name());
    for (int f = 0; f < found.features().size(); f++) {
      InputColumns.Feature there = found.features().get(f);
      TableSchema.Feature here = schema.features().get(f);
      if (there.kind() != here.kind()) {
        throw input.problem(
            there.name(),
            "is "
                + there.kind().name().toLowerCase(Locale.ROOT)
                + ", and was "
                + here.kind().name().toLowerCase(Locale.ROOT)
                + " when the model was fitted; convert it with --query");
      }
    }
    return new NewRows(found.withPredictors(shaped, own.columns()), own, offset != null);
  }
}
