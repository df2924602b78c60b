package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.design.LevelChoice;
import org.lampyris.dataprep.input.Columns.Categorical;
import org.lampyris.dataprep.input.Columns.Missing;
import org.lampyris.dataprep.scan.LevelScan;
import org.lampyris.executors.table.TableSchema.Feature;

/** What the rows of a table decide of a formula: levels, and the values that knots follow from. */
final class FormulaScan {
  private static final int MOST_COLUMNS = 100_000;

  private final ArrayList<LevelScan> factors = new ArrayList<>();
  private final ArrayList<ValueSketch> bases = new ArrayList<>();

  FormulaScan(ModelFrame frame) {
    frame.factors().keySet().forEach(label -> factors.add(new LevelScan(LevelScan.LIMIT)));
    frame.bases().keySet().forEach(label -> bases.add(new ValueSketch()));
  }

  /** Looks at a row. */
  void add(Row row, ModelFrame frame, List<Integer> columns, List<Scalar> numbers) {
    double[] cells = frame.cells(row);
    if (frame.rule() == Missing.DROP && !frame.isComplete(row, cells)) {
      return;
    }
    for (int k = 0; k < factors.size(); k++) {
      String level = Factor.level(row.get(columns.get(k)), frame.rule() == Missing.LEVEL);
      if (level != null) {
        factors.get(k).add(level);
      }
    }
    for (int k = 0; k < bases.size(); k++) {
      bases.get(k).add(numbers.get(k).at(cells));
    }
  }

  void merge(FormulaScan that) {
    for (int k = 0; k < factors.size(); k++) {
      factors.get(k).merge(that.factors.get(k));
    }
    for (int k = 0; k < bases.size(); k++) {
      bases.get(k).merge(that.bases.get(k));
    }
  }

  /**
   * Returns the levels of the factors, by label, chosen as those of categorical features are.
   *
   * @param wishes how columns are encoded
   * @param columns the names of the columns
   */
  Map<String, Feature> levels(
      ModelFrame frame, Map<String, Categorical> wishes, List<String> columns) {
    Map<String, Feature> levels = new LinkedHashMap<>();
    int k = 0;
    for (Map.Entry<String, Integer> factor : frame.factors().entrySet()) {
      LevelScan scan = factors.get(k++);
      String column = columns.get(factor.getValue());
      if (scan.tooMany() || scan.counts().size() > MOST_COLUMNS) {
        throw UserException.data(
            Text.of(
                "column '%s' has over %,d levels, of which model.formula makes columns; keep the most frequent ones (data.categorical.%s.top), or let them vary by groups, (1 | %s).",
                column, MOST_COLUMNS, column, column));
      }
      if (scan.counts().isEmpty()) {
        throw UserException.data(
            "column '%s', whose levels model.formula asks for, has no values.".formatted(column));
      }
      levels.put(
          factor.getKey(),
          LevelChoice.of(
              factor.getKey(), scan.counts(), wishes.getOrDefault(column, Categorical.DEFAULT)));
    }
    return levels;
  }

  /** Returns the numbers that functions follow from, by label. */
  Map<String, List<Double>> numbers(ModelFrame frame) {
    Map<String, List<Double>> numbers = new LinkedHashMap<>();
    int k = 0;
    for (String label : frame.bases().keySet()) {
      numbers.put(label, frame.wish(label).on(bases.get(k++), label).numbers());
    }
    return numbers;
  }
}
