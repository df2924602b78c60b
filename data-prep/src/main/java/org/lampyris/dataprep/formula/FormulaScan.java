package org.lampyris.dataprep.formula;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.dataprep.read.CellCondition;
import org.lampyris.dataprep.read.CellScan.LevelScan;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.Columns.Categorical;
import org.lampyris.dataprep.read.Columns.Missing;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.SelectedRows.RowCounter;
import org.lampyris.executors.table.TableSchema.Feature;

/**
 * Scan of a table's rows for a formula: levels, values for knots, and whether the formula can be
 * computed.
 */
final class FormulaScan {
  private static final int MOST_COLUMNS = 100_000;

  private final ArrayList<LevelScan> factors = new ArrayList<>();
  private final ArrayList<ValueSketch> bases = new ArrayList<>();

  FormulaScan(ModelFrame frame) {
    frame.factors().keySet().forEach(label -> factors.add(new LevelScan(LevelScan.LIMIT)));
    frame.bases().keySet().forEach(label -> bases.add(new ValueSketch()));
  }

  /**
   * Adds a row.
   *
   * @param counter has counted it
   */
  void add(Row row, RowCounter counter, ModelFrame frame, List<Factor> of, List<Scalar> numbers) {
    double[] cells = frame.cells(row);
    if (frame.rule() == Missing.DROP && !frame.isComplete(row, cells)) {
      return;
    }
    for (int k = 0; k < factors.size(); k++) {
      String level = of.get(k).of().at(row, cells);
      if (level != null) {
        factors.get(k).add(level, counter);
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
   * Returns the levels of the factors, by label, chosen as for categorical features.
   *
   * @param wishes how columns are encoded
   * @param numbers as {@link #numbers} returns them
   */
  Map<String, Feature> levels(
      ModelFrame frame, Map<String, Categorical> wishes, Map<String, List<Double>> numbers) {
    Map<String, Feature> levels = new LinkedHashMap<>();
    int k = 0;
    for (Map.Entry<String, Factor> before : frame.factors().entrySet()) {
      LevelScan scan = factors.get(k++);
      String label = before.getKey();
      Factor factor = frame.factor(label, numbers);
      boolean awaited = before.getValue().order() == null && factor.order() != null;
      String column = factor.column() == null ? label : factor.column();
      if (scan.tooMany() || scan.counts().size() > MOST_COLUMNS) {
        throw UserException.data(
            Text.of(
                "column '%s' has over %,d levels, too many for columns of model.formula. Keep the"
                    + " most frequent ones (data.categorical.%s.top), or let them vary by groups,"
                    + " (1 | %s).",
                column, MOST_COLUMNS, column, column));
      }
      if (scan.counts().isEmpty() && !awaited) {
        throw UserException.data(
            "column '%s' is a factor in model.formula, but has no %s. Remove it from the formula."
                .formatted(column, factor.order() == null ? "values" : "level in any row"));
      }
      Feature found =
          factor.levels(scan.counts(), wishes.getOrDefault(column, Categorical.DEFAULT));
      if (factor.order() != null && found.levels().size() < 2) {
        throw UserException.data(
            "%s in model.formula has one level, '%s', in every row. Remove it from the formula."
                .formatted(label, String.join("", found.levels())));
      }
      levels.put(label, found);
    }
    return levels;
  }

  /** Returns the numbers that functions follow from, by label. */
  Map<String, List<Double>> numbers(ModelFrame frame) {
    Map<String, List<Double>> numbers = new LinkedHashMap<>();
    int k = 0;
    for (String label : frame.bases().keySet()) {
      numbers.put(label, frame.wish(label).learned(bases.get(k++)));
    }
    return numbers;
  }

  /**
   * Rows for which a formula computes no finite number: the logarithm of 0, the root of −1. It is
   * looked for once something is known to be amiss, so that good tables are not read for it.
   *
   * @param number which of the formula's numbers
   * @param rows how many rows
   * @param cells the numbers of the first one's columns
   */
  record Fault(int number, long rows, double[] cells) {
    /** Domains of functions. */
    private static final Map<String, String> GOOD =
        Map.of("log", "> 0", "log2", "> 0", "log10", "> 0", "log1p", "> -1", "sqrt", ">= 0");

    /** Finds the first number at fault; empty if all are finite whenever their columns are. */
    static Optional<UserException> find(Input input, Dataset<Row> table, ModelFrame frame) {
      if (frame.numbers().isEmpty()) {
        return Optional.empty();
      }
      Fault first = null;
      for (Object[] found : table.javaRDD().mapPartitions(new Look(frame)).collect()) {
        Fault one = new Fault((int) found[0], (long) found[1], (double[]) found[2]);
        if (first == null || one.number < first.number) {
          first = one;
        } else if (one.number == first.number) {
          first = new Fault(first.number, first.rows + one.rows, first.cells);
        }
      }
      return first == null
          ? Optional.empty()
          : Optional.of(first.told(input, List.of(table.columns()), frame));
    }

    private UserException told(Input input, List<String> columns, ModelFrame frame) {
      ModelFrame.Computed of = frame.numbers().get(number);
      List<String> values = new ArrayList<>();
      for (int place : of.from()) {
        values.add(columns.get(place) + " is " + CellText.level(cells[place]));
      }
      boolean one = of.from().length == 1 && !input.isShaped();
      String name = of.from().length == 0 ? "" : columns.get(of.from()[0]);
      String place =
          one ? input.first(CellCondition.ofText(name, CellText.level(cells[of.from()[0]]))) : "";
      return UserException.data(
          Text.of(
              "'%s' in model.formula is not a finite number in %,d %s of %s, for instance if %s%s;"
                  + " %s",
              of.label(),
              rows,
              rows == 1 ? "row" : "rows",
              input.name(),
              String.join(" and ", values),
              place,
              remedy(of.label(), name, !values.isEmpty() && cells[of.from()[0]] == 0)));
    }

    private static String remedy(String label, String name, boolean zero) {
      String good =
          GOOD.entrySet().stream()
              .filter(one -> label.equals(one.getKey() + "(" + name + ")"))
              .map(
                  one ->
                      ", as in SELECT * FROM input WHERE `%s` %s".formatted(name, one.getValue()))
              .findFirst()
              .orElse("");
      boolean log1p = zero && label.equals("log(" + name + ")");
      return "drop such rows in data.query"
          + good
          + (log1p
              ? ", or write log1p(%s), the logarithm of 1 + %1$s".formatted(name)
              : ", or write another function");
    }

    /** Finds, in a part of the rows, each number that fails somewhere. */
    private record Look(ModelFrame frame) implements FlatMapFunction<Iterator<Row>, Object[]> {
      @Override
      public Iterator<Object[]> call(Iterator<Row> rows) {
        List<ModelFrame.Computed> numbers = frame.numbers();
        long[] counts = new long[numbers.size()];
        double[][] first = new double[numbers.size()][];
        while (rows.hasNext()) {
          double[] cells = frame.cells(rows.next());
          for (int k = 0; k < counts.length; k++) {
            if (numbers.get(k).fails(cells)) {
              first[k] = counts[k]++ == 0 ? cells : first[k];
            }
          }
        }
        List<Object[]> found = new ArrayList<>();
        for (int k = 0; k < counts.length; k++) {
          if (counts[k] > 0) {
            found.add(new Object[] {k, counts[k], first[k]});
          }
        }
        return found.iterator();
      }
    }
  }
}
