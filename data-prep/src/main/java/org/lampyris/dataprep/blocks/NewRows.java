package org.lampyris.dataprep.blocks;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.formula.FormulaTable;
import org.lampyris.dataprep.read.Columns;
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.executors.table.TableSchema;

/**
 * Table of new rows, in the format of a prepared table's input. It needs no weights, and a label
 * only where one is asked for.
 *
 * @param rows each a struct of the new table's own columns, then what is wanted, then the features,
 *     then the cells of groups
 * @param own the new table
 * @param wanted what stands before the features
 */
public record NewRows(Dataset<Row> rows, Dataset<Row> own, Wanted wanted) {
  /** The struct of the new table's own columns. */
  private static final String OWN = ".own";

  /**
   * Returns the column with the group keys of a grouping factor, by its number; it exists if the
   * new table has the factor.
   */
  public static String keyOf(int grouping) {
    return ".key" + grouping;
  }

  /**
   * Columns other than features, each null if it is not wanted; in this order.
   *
   * @param label the response
   * @param trials the number of trials
   * @param offset what is added to the linear predictor
   */
  public record Wanted(@Nullable String label, @Nullable String trials, @Nullable String offset)
      implements Serializable {
    /** Returns the names of the wanted columns. */
    List<String> names() {
      return Stream.of(label, trials, offset).filter(Objects::nonNull).toList();
    }

    /** Returns the position of the label in a row; the cell is empty if it is not wanted. */
    public int labelAt() {
      return 1;
    }

    /** Returns the position of the trials in a row. */
    public int trialsAt() {
      return labelAt() + (label == null ? 0 : 1);
    }

    /** Returns the position of the offset in a row. */
    public int offsetAt() {
      return trialsAt() + (trials == null ? 0 : 1);
    }

    /** Returns the position of the first feature in a row. */
    public int featuresAt() {
      return offsetAt() + (offset == null ? 0 : 1);
    }
  }

  /**
   * Finds the wanted columns in a table.
   *
   * @param input the new table
   * @param columns what the earlier table's columns are for, features and their encodings among
   *     them
   * @throws UserException if a column is missing, or has another type
   */
  public static NewRows of(Input input, Columns columns, TableSchema schema, Wanted wanted) {
    Columns.Model model = new Columns.Model(schema.label().kind(), wanted.offset());
    Dataset<Row> table = input.rows();
    Dataset<Row> own = input.own(table);
    List<String> keys = new ArrayList<>();
    Dataset<Row> cells = input.withOwn(table, OWN);
    for (int k = 0; k < schema.levels().size(); k++) {
      String group = schema.levels().get(k).column();
      if (GroupKeys.isIn(group, table)) {
        keys.add(keyOf(k));
        cells = cells.withColumn(keyOf(k), GroupKeys.of(table, group));
      }
    }
    Columns.Uses uses = FormulaTable.uses(columns, model, schema);
    cells = FormulaTable.respelled(cells, uses, schema, Map.of());
    TableSchema.Formula formula = schema.source().formula();
    Dataset<Row> shaped =
        formula == null
            ? cells
            : FormulaTable.append(cells, columns, formula, wanted.names(), input.name());
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
                + " when the model was fitted. Convert it with --query.");
      }
    }
    List<String> outcome =
        Stream.of(wanted.label(), wanted.trials()).filter(Objects::nonNull).toList();
    for (String name : outcome) {
      if (!List.of(shaped.columns()).contains(name)) {
        throw UserException.data(
            "%s has no column '%s', which --log-density, or --responses of trials, needs. Remove these options, or add the column."
                .formatted(input.name(), name));
      }
    }
    List<String> before = Stream.concat(Stream.of(OWN), outcome.stream()).toList();
    return new NewRows(found.withPredictors(shaped, before, keys), own, wanted);
  }
}
