package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.executors.table.TableSchema;

/**
 * Groups of rows.
 *
 * @param what the rows are grouped by
 * @param output which of the expected numbers is meant: 0, or the class
 * @param names of the groups; empty where they are tenths
 * @param of the group of each row
 * @param value what each row is grouped by
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Grouping(
    String what, Panel.Kind kind, int output, List<String> names, int[] of, double[] value) {
  private static final int TENTHS = 10;
  private static final int MOST_CLASSES = 6;
  private static final int MOST_COLUMNS = 4;
  private static final int MOST_LEVELS = 30;

  /** Returns tenths of the rows by a number; rows with equal numbers are in one group. */
  static Grouping tenths(String what, Panel.Kind kind, int output, double[] value) {
    double[] sorted = value.clone();
    Arrays.sort(sorted);
    double[] ends =
        IntStream.range(1, TENTHS)
            .mapToDouble(k -> sorted[(int) ((long) k * sorted.length / TENTHS)])
            .distinct()
            .toArray();
    int[] of = new int[value.length];
    for (int i = 0; i < of.length; i++) {
      int at = Arrays.binarySearch(ends, value[i]);
      of[i] = at >= 0 ? at + 1 : -at - 1;
    }
    return new Grouping(what, kind, output, List.of(), of, value);
  }

  /** Returns tenths of the rows by a column, or two groups if it has only two values. */
  private static Grouping byNumber(String column, double[] value) {
    double[] values = Arrays.stream(value).distinct().limit(3).sorted().toArray();
    if (values.length > 2) {
      return tenths(column, Panel.Kind.NUMERIC, 0, value);
    }
    int[] of = Arrays.stream(value).mapToInt(v -> v == values[0] ? 0 : 1).toArray();
    List<String> names = Arrays.stream(values).mapToObj(Text::brief).toList();
    return new Grouping(column, Panel.Kind.LEVELS, 0, names, of, value);
  }

  int groups() {
    return names.isEmpty() ? TENTHS : names.size();
  }

  /**
   * Returns the groupings for checks: by the expected response, levels, the numbers that move η
   * most, and all rows for the share of each class.
   *
   * @param means the posterior mean of what is expected, by outputs and rows
   */
  static List<Grouping> all(CheckedRows rows, PredictiveCheck.Fitted fitted, double[][] means) {
    List<Grouping> all = new ArrayList<>();
    TableSchema.Label label = fitted.schema().label();
    for (int k = 0; k < Math.min(means.length, MOST_CLASSES); k++) {
      String what =
          label.kind().isClass()
              ? "the probability of " + label.classes().get(means.length > 1 ? k : 1)
              : "the expected " + label.column();
      all.add(tenths(what, Panel.Kind.FITTED, k, means[k]));
      if (k == 0) {
        levels(rows, all);
        factors(rows, fitted, all);
        numbers(rows, fitted, all);
      }
    }
    for (int k = 0; label.kind().isClass() && k < Math.min(means.length, MOST_LEVELS); k++) {
      String name = label.classes().get(label.kind() == LabelKind.BINARY ? 1 : k);
      int[] of = new int[rows.size()];
      all.add(
          new Grouping(
              label.column(), Panel.Kind.CLASSES, k, List.of(name), of, new double[of.length]));
    }
    return all;
  }

  private static void levels(CheckedRows rows, List<Grouping> groupings) {
    List<TableSchema.Column> columns = rows.schema().columns();
    for (TableSchema.Feature feature : rows.schema().features()) {
      boolean shown =
          feature.kind() == TableSchema.FeatureKind.CATEGORICAL
              && feature.levels().size() <= MOST_LEVELS
              && groupings.size() <= MOST_COLUMNS;
      if (shown) {
        int[] of = new int[rows.size()];
        Arrays.fill(of, feature.levels().indexOf(feature.reference()));
        for (int j = 0; j < columns.size(); j++) {
          if (feature.name().equals(columns.get(j).source())) {
            int level = feature.levels().indexOf(columns.get(j).level());
            for (int i = 0; i < of.length; i++) {
              of[i] = rows.input(i, j) > 0.5 ? level : of[i];
            }
          }
        }
        double[] value = Arrays.stream(of).asDoubleStream().toArray();
        groupings.add(
            new Grouping(feature.name(), Panel.Kind.LEVELS, 0, feature.levels(), of, value));
      }
    }
  }

  /** Adds the grouping factors of effects that have few levels here and are no features. */
  private static void factors(
      CheckedRows rows, PredictiveCheck.Fitted fitted, List<Grouping> groupings) {
    for (PredictiveCheck.Factor factor : fitted.factors()) {
      boolean known = groupings.stream().anyMatch(one -> one.what().equals(factor.name()));
      Map<String, Integer> places = new TreeMap<>();
      for (int i = 0; i < rows.size() && places.size() <= MOST_LEVELS; i++) {
        places.put(rows.level(i, factor), 0);
      }
      if (!known && places.size() <= MOST_LEVELS && groupings.size() <= MOST_COLUMNS) {
        List<String> names = List.copyOf(places.keySet());
        int[] of =
            IntStream.range(0, rows.size())
                .map(i -> names.indexOf(rows.level(i, factor)))
                .toArray();
        double[] value = Arrays.stream(of).asDoubleStream().toArray();
        groupings.add(new Grouping(factor.name(), Panel.Kind.LEVELS, 0, names, of, value));
      }
    }
  }

  /** Adds the columns of numbers that move their first linear predictor most. */
  private static void numbers(
      CheckedRows rows, PredictiveCheck.Fitted fitted, List<Grouping> groupings) {
    List<TableSchema.Column> columns = rows.schema().columns();
    double[] moves = new double[columns.size()];
    for (int j = 0; j < moves.length && fitted.predictors().count() > 0; j++) {
      Predictors of = fitted.predictors();
      int first = of.place(0, j);
      int place = first < 0 ? of.place(1, j) : first;
      double slope = Arrays.stream(fitted.draws()).mapToDouble(d -> d[place]).average().orElse(0);
      moves[j] = Math.abs(slope) * columns.get(j).moments().sd();
    }
    IntStream.range(0, moves.length)
        .filter(j -> columns.get(j).kind() == TableSchema.ColumnKind.NUMERIC)
        .boxed()
        .sorted(Comparator.comparingDouble(j -> -moves[j]))
        .limit(MOST_COLUMNS)
        .forEach(
            j -> {
              double[] value = new double[rows.size()];
              Arrays.setAll(value, i -> rows.input(i, j));
              groupings.add(byNumber(columns.get(j).name(), value));
            });
  }
}
