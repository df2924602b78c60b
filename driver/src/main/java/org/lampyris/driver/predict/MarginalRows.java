package org.lampyris.driver.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.statistics.descriptive.Max;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Min;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.NearestName;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.dataprep.blocks.NewRows;
import org.lampyris.dataprep.design.KnownLevels;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.FewRows;
import org.lampyris.dataprep.read.GroupKeys;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.InputColumns;
import org.lampyris.driver.output.RunOutput;
import org.lampyris.samplers.random.Streams;

/**
 * Rows of an input, over which effects are averaged.
 *
 * @param cells of each row by column: numbers, and the names of levels
 * @param weights how many rows each stands for, times {@code data.weight}
 * @param grouped the rows with the kept draws of their groups behind; empty without any
 * @param at where the first group is in such a row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MarginalRows(List<Map<String, Object>> cells, double[] weights, List<Row> grouped, int at) {
  private static final String COUNT = ".count";
  private static final String HASH = ".hash";

  /** Returns columns with their ranges and moments, in one job over the input's rows. */
  static List<MarginalVariable> known(Input input, List<MarginalVariable> variables) {
    Dataset<Row> rows = input.rows();
    List<Column> figures = new ArrayList<>();
    for (MarginalVariable one : variables) {
      if (one.isUnknown()) {
        Column column = column(input, rows, one.name()).cast("double");
        figures.add(functions.min(column));
        figures.add(functions.max(column));
        figures.add(functions.avg(column));
        figures.add(functions.stddev_samp(column));
      }
    }
    if (figures.isEmpty()) {
      return variables;
    }
    Row of = rows.agg(figures.get(0), figures.stream().skip(1).toArray(Column[]::new)).head();
    List<MarginalVariable> known = new ArrayList<>();
    int k = 0;
    for (MarginalVariable one : variables) {
      boolean unknown = one.isUnknown();
      known.add(
          unknown
              ? MarginalVariable.number(
                  one.name(),
                  of.getDouble(k),
                  of.getDouble(k + 1),
                  of.getDouble(k + 2),
                  of.getDouble(k + 3))
              : one);
      k += unknown ? 4 : 0;
    }
    return known;
  }

  /** Returns columns with their ranges and moments over the rows of a small table. */
  static List<MarginalVariable> known(FewRows rows, List<MarginalVariable> variables) {
    return variables.stream().map(one -> one.isUnknown() ? known(rows, one.name()) : one).toList();
  }

  private static MarginalVariable known(FewRows rows, String name) {
    double[] numbers =
        rows.cells().stream()
            .filter(row -> row.containsKey(name))
            .mapToDouble(row -> CellText.asNumber(row.get(name)))
            .toArray();
    return MarginalVariable.number(
        name,
        Min.of(numbers).getAsDouble(),
        Max.of(numbers).getAsDouble(),
        Mean.of(numbers).getAsDouble(),
        StandardDeviation.of(numbers).getAsDouble());
  }

  private static Column column(Input input, Dataset<Row> rows, String name) {
    if (!List.of(rows.columns()).contains(name)) {
      throw UserException.data(
          "%s has no column '%s', which the model has; %s"
              .formatted(input.name(), name, NearestName.hint(name, List.of(rows.columns()))));
    }
    return InputColumns.column(name);
  }

  /**
   * Draws rows, each with the same probability: a Binomial number of the rows that are equal, by a
   * stream keyed by their content. So the same rows are drawn on any number of partitions.
   *
   * @param wanted about how many; all if there are not so many
   * @param groups the kept draws of effects of groups that are wanted with the rows; null for none
   */
  static MarginalRows draw(
      Input input,
      RunOutput.Fitted fitted,
      MarginalDesign design,
      int wanted,
      @Nullable LevelDraws groups) {
    List<TableEffects> effects = groups == null ? List.of() : groups.effects();
    Dataset<Row> rows =
        GroupKeys.with(input.rows(), effects.stream().map(one -> one.effects().group()).toList());
    String weight = fitted.job().data().columns().weight();
    Set<String> names = new LinkedHashSet<>();
    design.variables().forEach(one -> names.add(one.name()));
    names.addAll(design.offsetColumns());
    effects.forEach(one -> names.add(one.effects().group()));
    Stream.ofNullable(weight).forEach(names::add);
    Column[] columns = names.stream().map(name -> column(input, rows, name)).toArray(Column[]::new);
    Dataset<Row> counted =
        rows.groupBy(columns)
            .agg(functions.count("*").as(COUNT))
            .withColumn(HASH, functions.xxhash64(columns));
    double share = Math.min(1, (double) wanted / Math.max(1, fitted.schema().inputRows()));
    Dataset<Row> drawn =
        counted.mapPartitions(
            new Keep(share, new Streams(fitted.job().sampler().run().seed()), names.size()),
            Encoders.row(counted.schema()));
    for (TableEffects one : effects) {
      drawn =
          drawn.withColumn(
              NewRows.keyOf(one.grouping()), InputColumns.keyed(drawn, one.effects().group()));
    }
    int at = drawn.columns().length;
    List<Row> collected =
        new ArrayList<>((groups == null ? drawn : groups.join(drawn)).collectAsList());
    collected.sort(Comparator.comparingLong(row -> row.getLong(names.size() + 1)));
    return of(collected, List.copyOf(names), design, weight, groups == null ? -1 : at);
  }

  private static MarginalRows of(
      List<Row> rows, List<String> names, MarginalDesign design, @Nullable String weight, int at) {
    List<Map<String, Object>> all = new ArrayList<>();
    double[] weights = new double[rows.size()];
    for (int i = 0; i < weights.length; i++) {
      Row row = rows.get(i);
      Map<String, Object> cells = new HashMap<>();
      for (int j = 0; j < names.size(); j++) {
        if (!row.isNullAt(j)) {
          cells.put(names.get(j), row.get(j));
        }
      }
      weights[i] = row.getLong(names.size()) * weight(cells, weight);
      all.add(cells);
    }
    spell(all, design);
    return new MarginalRows(all, weights, at < 0 ? List.of() : rows, at);
  }

  /** Returns all rows of a small table. */
  static MarginalRows of(FewRows rows, MarginalDesign design, @Nullable String weight) {
    spell(rows.cells(), design);
    double[] weights = rows.cells().stream().mapToDouble(row -> weight(row, weight)).toArray();
    return new MarginalRows(rows.cells(), weights, List.of(), -1);
  }

  private static double weight(Map<String, Object> cells, @Nullable String column) {
    if (column == null) {
      return 1;
    }
    Object cell = cells.get(column);
    return cell == null ? 0 : CellText.asNumber(cell);
  }

  /** Replaces the cells of factors by levels of the model. */
  private static void spell(List<Map<String, Object>> all, MarginalDesign design) {
    for (MarginalVariable one : design.variables()) {
      if (one.isFactor()) {
        KnownLevels known = KnownLevels.of(one.levels());
        boolean missing = one.levels().contains(CellText.MISSING);
        for (Map<String, Object> cells : all) {
          cells.computeIfPresent(one.name(), (name, cell) -> known.level(cell));
          if (missing) {
            cells.putIfAbsent(one.name(), CellText.MISSING);
          }
        }
      }
    }
  }

  /** Keeps some of the equal rows. */
  private record Keep(double share, Streams streams, int countAt)
      implements MapPartitionsFunction<Row, Row> {
    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
      List<Row> kept = new ArrayList<>();
      while (rows.hasNext()) {
        Row row = rows.next();
        long count = row.getLong(countAt);
        long some = share == 1 ? count : kept(count, row.getLong(countAt + 1));
        if (some > 0) {
          Object[] cells = new Object[row.size()];
          Arrays.setAll(cells, row::get);
          cells[countAt] = some;
          kept.add(RowFactory.create(cells));
        }
      }
      return kept.iterator();
    }

    private long kept(long count, long hash) {
      UniformRandomProvider rng = streams.stream(Streams.Purpose.PREDICTIVE_ROWS, 1, 0, hash);
      return BinomialDistribution.of((int) Math.min(Integer.MAX_VALUE, count), share)
          .createSampler(rng)
          .sample();
    }
  }
}
