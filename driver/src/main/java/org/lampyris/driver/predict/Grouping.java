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
 * @param ends of tenths, inner ones
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Grouping(
    String what,
    Panel.Kind kind,
    int output,
    List<String> names,
    int[] of,
    double[] value,
    double[] ends) {
  /** Whole numbers in order of value, before other names. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.<String>comparingDouble(
              name -> name.matches("-?\\d+") ? Double.parseDouble(name) : Double.POSITIVE_INFINITY)
          .thenComparing(Comparator.naturalOrder());

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
            .mapToDouble(k -> between(sorted, (int) ((long) k * sorted.length / TENTHS)))
            .filter(end -> end > Double.NEGATIVE_INFINITY)
            .distinct()
            .toArray();
    int[] of = Arrays.stream(value).mapToInt(at -> tenth(ends, at)).toArray();
    return new Grouping(what, kind, output, List.of(), of, value, ends);
  }

  private static Grouping named(String what, int[] of, List<String> names) {
    double[] value = Arrays.stream(of).asDoubleStream().toArray();
    return new Grouping(what, Panel.Kind.LEVELS, 0, names, of, value, new double[0]);
  }

  /** Returns the middle between a number and the next lower one; −∞ if there is none. */
  private static double between(double[] sorted, int at) {
    int below = at - 1;
    while (below >= 0 && sorted[below] == sorted[at]) {
      below--;
    }
    return below < 0 ? Double.NEGATIVE_INFINITY : (sorted[below] + sorted[at]) / 2;
  }

  /** Returns whether other draws of what is expected may put a row into another group. */
  boolean moves() {
    return kind == Panel.Kind.FITTED && ends.length == TENTHS - 1;
  }

  private static int tenth(double[] ends, double value) {
    int at = Arrays.binarySearch(ends, value);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** Returns the tenth that a number belongs to. */
  int tenth(double value) {
    return tenth(ends, value);
  }

  /** Returns tenths of the rows by a column, or two groups if it has only two values. */
  private static Grouping byNumber(String column, double[] value) {
    double[] values = Arrays.stream(value).distinct().limit(3).sorted().toArray();
    if (values.length > 2) {
      return tenths(column, Panel.Kind.NUMERIC, 0, value);
    }
    int[] of = Arrays.stream(value).mapToInt(v -> v == values[0] ? 0 : 1).toArray();
    List<String> names = Arrays.stream(values).mapToObj(Text::brief).toList();
    return new Grouping(column, Panel.Kind.LEVELS, 0, names, of, value, new double[0]);
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
      int size = rows.size();
      all.add(
          new Grouping(
              label.column(),
              Panel.Kind.CLASSES,
              k,
              List.of(name),
              new int[size],
              new double[size],
              new double[0]));
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
        groupings.add(named(feature.name(), of, feature.levels()));
      }
    }
  }

  /** Adds the grouping factors of effects that have few levels here and are no features. */
  private static void factors(
      CheckedRows rows, PredictiveCheck.Fitted fitted, List<Grouping> groupings) {
    for (PredictiveCheck.Factor factor : fitted.factors()) {
      boolean known = groupings.stream().anyMatch(one -> one.what().equals(factor.name()));
      Map<String, Integer> places = new TreeMap<>(BY_NUMBER);
      for (int i = 0; i < rows.size() && places.size() <= MOST_LEVELS; i++) {
        places.put(rows.level(i, factor), 0);
      }
      if (!known && places.size() <= MOST_LEVELS && groupings.size() <= MOST_COLUMNS) {
        List<String> names = List.copyOf(places.keySet());
        int[] of =
            IntStream.range(0, rows.size())
                .map(i -> names.indexOf(rows.level(i, factor)))
                .toArray();
        groupings.add(named(factor.name(), of, names));
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
