package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.blocks.RowFeatures;
import org.lampyris.dataprep.formula.FormulaRow;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.executors.table.TableSchema.FeatureKind;

/** Model's columns and offsets for rows that are made up, cell by cell. */
final class MarginalDesign {
  private final FormulaRow formula;
  private final RowFeatures features;
  private final TableSchema schema;
  private final String offset;
  private final List<MarginalVariable> variables = new ArrayList<>();

  /**
   * Takes the columns of a run's table.
   *
   * @throws UserException (usage) if the table has vectors, whose elements are no columns
   */
  MarginalDesign(RunOutput.Fitted fitted) {
    schema = fitted.schema();
    formula = new FormulaRow(schema);
    features = new RowFeatures(schema);
    String named = fitted.job().model().offset().orElse("");
    offset = formula.offsetColumns().isEmpty() ? named : "";
    Map<String, List<String>> levels = formula.levels();
    for (String column : formula.columns()) {
      variables.add(
          levels.containsKey(column)
              ? MarginalVariable.factor(
                  column, levels.getOrDefault(column, List.of()), formula.reference(column))
              : number(column));
    }
  }

  private MarginalVariable number(String column) {
    for (TableSchema.Feature feature : schema.features()) {
      if (feature.name().equals(column) && feature.kind() == FeatureKind.VECTOR) {
        throw UserException.usage(
            "The column '%s' holds vectors, and only single columns have effects. Name its elements in data.query."
                .formatted(column));
      }
    }
    for (TableSchema.Column one : schema.columns()) {
      if (column.equals(one.source()) && one.name().equals(column)) {
        return MarginalVariable.number(
            column, one.min(), one.max(), one.moments().mean(), one.moments().sd());
      }
    }
    return MarginalVariable.number(column, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Returns the columns of the model's terms, in order. */
  List<MarginalVariable> variables() {
    return variables;
  }

  /** Returns the columns that offsets are computed of, which no effects are asked of. */
  List<String> offsetColumns() {
    return offset.isEmpty() ? formula.offsetColumns() : List.of(offset);
  }

  /**
   * Returns the columns with these names.
   *
   * @throws UserException (usage) if one is no column of a term
   */
  List<MarginalVariable> named(List<String> names) {
    Map<String, MarginalVariable> known = new LinkedHashMap<>();
    variables.forEach(one -> known.put(one.name(), one));
    List<MarginalVariable> named = new ArrayList<>();
    for (String name : names) {
      MarginalVariable one = known.get(name);
      if (one == null) {
        throw UserException.usage(
            "--of names '%s', which is no column of the model's terms; %s"
                .formatted(name, NearestName.hint(name, known.keySet())));
      }
      named.add(one);
    }
    return named;
  }

  /** Returns the number of the model's columns. */
  int width() {
    return features.width();
  }

  /** Returns some cells with another value in a column. */
  static Map<String, Object> with(Map<String, Object> cells, String column, Object value) {
    Map<String, Object> other = new HashMap<>(cells);
    other.put(column, value);
    return other;
  }

  /**
   * Writes a row's columns.
   *
   * @param x of length {@link #width}. Modified.
   * @return whether there is a value of every column
   */
  boolean write(Map<String, Object> cells, double[] x) {
    return features.write(formula.features(cells), 0, x);
  }

  /** Returns the offset of a row; NaN if it is missing. */
  double offset(Map<String, Object> cells) {
    if (offset.isEmpty()) {
      return formula.offset(cells);
    }
    return cells.get(offset) instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}
