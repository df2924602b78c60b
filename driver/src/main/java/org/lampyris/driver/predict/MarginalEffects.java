package org.lampyris.driver.predict;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.dataprep.read.FewRows;
import org.lampyris.dataprep.read.Input;
import org.lampyris.dataprep.read.Source;
import org.lampyris.driver.output.Draws;
import org.lampyris.driver.output.RunOutput;

/**
 * Effects of a model's columns on the expected response, from the posterior draws. For each draw θ
 * and each value v of a column the mean of E[y | x, θ] over some rows x, in which the column is v:
 * over a typical row, or over rows of the table. The effects are these means, their differences
 * between levels, and their derivative by a number (central differences).
 *
 * <p>Cost rows · values · draws · columns multiplications.
 */
public final class MarginalEffects {
  /** Step of the central difference, as a share of the column's sd: a relative error of 10⁻⁸. */
  private static final double STEP = 1e-4;

  private static final String NONE = "has no effects on the expected response";

  /** With more levels, contrasts are with the reference alone. */
  private static final int MOST_PAIRED = 12;

  private static final Quantile QUANTILE =
      Quantile.withDefaults().with(Quantile.EstimationMethod.HF7).withCopy(true);

  private final RunOutput.Fitted fitted;
  private final MarginalDesign design;
  private final How how;
  private final List<String> outputs;
  private final PosteriorPredictor.Row room;
  private final int draws;
  private final double[] x;
  private final @Nullable RowEffects groups;

  /** Rows over which the expected response is averaged. */
  public enum Base {
    /** One row: numbers at their means, factors at their reference levels. */
    MEANS,
    /** Rows of the table, drawn at random. */
    ROWS
  }

  /**
   * Settings of effects.
   *
   * @param columns whose effects are asked for; all if empty
   * @param base over which rows to average
   * @param groups whether the rows' own effects of groups are added to η; else they are left out
   * @param paired whether all pairs of levels are compared, if there are at most twelve; else each
   *     with the reference
   * @param draws how many draws to use, evenly thinned
   * @param rows how many rows to draw
   * @param points at how many numbers, evenly spaced, the response is expected
   * @param interval the probability of the central interval
   */
  public record How(
      List<String> columns,
      Base base,
      boolean groups,
      boolean paired,
      int draws,
      int rows,
      int points,
      double interval) {
    /** All columns at a typical row, by 1,000 draws, with a central interval of 90 %. */
    public static final How DEFAULT =
        new How(List.of(), Base.MEANS, false, true, 1_000, 1_000, 50, 0.9);

    /**
     * Checks the settings.
     *
     * @throws UserException (usage) that names the option
     */
    public How {
      columns = List.copyOf(columns);
      if (draws < 2 || rows < 1 || points < 2) {
        throw UserException.usage(
            "--draws %s, --rows %s and --points %s cannot all be met. Set at least 2 draws, 1 row and 2 points."
                .formatted(draws, rows, points));
      }
      PosteriorPredictor.requireInterval(interval);
      if (groups && base == Base.MEANS) {
        throw UserException.usage(
            "A typical row belongs to no group, so --groups has no effects of groups to add. Set"
                + " --at to rows.");
      }
    }
  }

  /**
   * Effects with their columns, in order.
   *
   * @param response what is expected, in words
   */
  public record Result(String response, List<MarginalVariable> columns, List<MarginalEffect> all) {
    /** Copies the lists. */
    public Result {
      columns = List.copyOf(columns);
      all = List.copyOf(all);
    }
  }

  private MarginalEffects(
      RunOutput.Fitted fitted,
      How how,
      Draws all,
      Expectation expectation,
      @Nullable LevelDraws levels) {
    this.fitted = fitted;
    this.how = how;
    design = new MarginalDesign(fitted);
    outputs = PosteriorPredictor.outputs(fitted.schema().label());
    List<String> coefficients = fitted.model().coefficients();
    double[][] thetas =
        levels == null
            ? PosteriorPredictor.thinned(all, coefficients, how.draws)
            : levels.thinned(all, coefficients);
    draws = thetas.length;
    groups = levels == null ? null : RowEffects.of(fitted, levels, all, NewLevels.GAUSSIAN);
    x = new double[design.width()];
    room =
        new PosteriorPredictor(
                expectation, thetas, fitted.model().predictors(), outputs.size(), how.interval)
            .row();
  }

  /**
   * Returns effects. The input is read, if rows of it are averaged over, or if the prepared table
   * does not know the range of a column that only a function in the formula has. A small CSV on
   * this machine is read here, and by Spark otherwise.
   *
   * @param spark gives a session, if one is needed
   * @param source the input that may be read here; null if {@code table} is no file
   * @param table opens the input by Spark: see {@link #input}
   * @throws UserException if the family has no expected response, or a column is unknown
   */
  public static Result of(
      Supplier<SparkSession> spark,
      RunOutput run,
      How how,
      Function<RunOutput.Fitted, @Nullable Source> source,
      Function<RunOutput.Fitted, Input> table)
      throws IOException {
    RunOutput.Fitted fitted = run.model();
    MarginalDesign design = new MarginalDesign(fitted);
    Expectation expectation = fitted.expectation(NONE);
    List<MarginalVariable> all = design.variables();
    List<MarginalVariable> asked = how.columns.isEmpty() ? all : design.named(how.columns);
    boolean unknown =
        how.base == Base.MEANS
            ? all.stream().anyMatch(MarginalVariable::isUnknown)
                || !design.offsetColumns().isEmpty()
            : asked.stream().anyMatch(MarginalVariable::isUnknown);
    boolean wanted = unknown || how.base == Base.ROWS;
    FewRows few = wanted ? few(fitted, how, source.apply(fitted)) : null;
    Input input = wanted && few == null ? table.apply(fitted) : null;
    LevelDraws levels =
        how.groups && fitted.hasEffects()
            ? LevelDraws.of(spark.get(), run, fitted.model().random(), run.draws(), how.draws)
            : null;
    MarginalEffects effects = new MarginalEffects(fitted, how, run.draws(), expectation, levels);
    UnaryOperator<List<MarginalVariable>> reading =
        of ->
            few != null
                ? MarginalRows.known(few, of)
                : input == null ? of : MarginalRows.known(input, of);
    List<MarginalVariable> known = reading.apply(all);
    String weight = fitted.job().data().columns().weight();
    MarginalRows rows =
        how.base == Base.MEANS
            ? typical(known, reading.apply(offsets(design)))
            : few != null
                ? MarginalRows.of(few, design, weight)
                : MarginalRows.draw(
                    Objects.requireNonNull(input), fitted, design, how.rows, levels);
    return effects.result(named(known, asked), rows);
  }

  /** Reads the input here, if it is small enough, and all of its rows are wanted. */
  private static @Nullable FewRows few(RunOutput.Fitted fitted, How how, @Nullable Source source) {
    boolean drawn = how.rows < fitted.schema().inputRows() || (how.groups && fitted.hasEffects());
    String weight = fitted.job().data().columns().weight();
    return source == null || (how.base == Base.ROWS && drawn)
        ? null
        : Prediction.few(fitted, source, weight == null ? List.of() : List.of(weight));
  }

  /**
   * Opens a table of rows of the input.
   *
   * @param source where it is; null for the run's own input
   */
  public static Input input(SparkSession spark, RunOutput.Fitted fitted, @Nullable Source source) {
    return fitted.open(spark, source == null ? fitted.job().data().source() : source);
  }

  /** Returns the columns of a model's terms, in order. */
  public static List<String> names(RunOutput.Fitted fitted) {
    return new MarginalDesign(fitted).variables().stream().map(MarginalVariable::name).toList();
  }

  /** Returns effects at a typical row, if the prepared table knows all of it; null otherwise. */
  public static @Nullable Result known(RunOutput.Fitted fitted, Draws draws, How how) {
    if (fitted.model().expectation().isEmpty()) {
      return null;
    }
    MarginalEffects effects =
        new MarginalEffects(fitted, how, draws, fitted.expectation(NONE), null);
    List<MarginalVariable> all = effects.design.variables();
    if (all.stream().anyMatch(MarginalVariable::isUnknown)
        || !effects.design.offsetColumns().isEmpty()) {
      return null;
    }
    return effects.result(
        how.columns.isEmpty() ? all : effects.design.named(how.columns), typical(all, List.of()));
  }

  private static List<MarginalVariable> offsets(MarginalDesign design) {
    return design.offsetColumns().stream()
        .map(name -> MarginalVariable.number(name, Double.NaN, Double.NaN, Double.NaN, 0))
        .toList();
  }

  private static List<MarginalVariable> named(
      List<MarginalVariable> known, List<MarginalVariable> asked) {
    Map<String, MarginalVariable> byName = new LinkedHashMap<>();
    known.forEach(one -> byName.put(one.name(), one));
    return asked.stream().map(one -> byName.getOrDefault(one.name(), one)).toList();
  }

  private static MarginalRows typical(
      List<MarginalVariable> variables, List<MarginalVariable> offsets) {
    Map<String, Object> cells = new HashMap<>();
    offsets.forEach(one -> cells.put(one.name(), one.mean()));
    variables.forEach(one -> cells.put(one.name(), one.typical()));
    return new MarginalRows(List.of(cells), new double[] {1}, List.of(), -1);
  }

  private Result result(List<MarginalVariable> columns, MarginalRows rows) {
    List<MarginalEffect> all = new ArrayList<>();
    for (MarginalVariable one : columns) {
      if (one.isFactor()) {
        factor(one, rows, all);
      } else {
        number(one, rows, all);
      }
    }
    String label = fitted.schema().label().column();
    List<String> classes = fitted.schema().label().classes();
    String response =
        classes.isEmpty()
            ? "expected " + label
            : "probability of " + (outputs.size() > 1 ? "each class" : classes.get(1));
    return new Result(response, columns, all);
  }

  private void factor(MarginalVariable of, MarginalRows rows, List<MarginalEffect> to) {
    List<double[][]> means = new ArrayList<>();
    for (String level : of.levels()) {
      double[][] mean = mean(rows, of.name(), cells -> level);
      means.add(mean);
      add(to, MarginalEffect.Kind.EXPECTED, of.name(), level, "", mean);
    }
    int reference = of.levels().indexOf(of.reference());
    boolean pairs = how.paired && of.levels().size() <= MOST_PAIRED;
    for (int b = 0; b < means.size(); b++) {
      for (int a = 0; a < means.size(); a++) {
        if (pairs ? a > b : b == reference && a != b) {
          double[][] difference = difference(means.get(a), means.get(b), 1);
          String level = of.levels().get(a);
          add(to, MarginalEffect.Kind.CONTRAST, of.name(), level, of.levels().get(b), difference);
        }
      }
    }
  }

  private void number(MarginalVariable of, MarginalRows rows, List<MarginalEffect> to) {
    for (int p = 0; p < how.points; p++) {
      double value = of.point(p, how.points);
      add(
          to,
          MarginalEffect.Kind.EXPECTED,
          of.name(),
          Double.toString(value),
          "",
          mean(rows, of.name(), cells -> value));
    }
    if (!(of.sd() > 0)) {
      return; // a column that never changes has no slope
    }
    double step = STEP * of.sd();
    double[][] above = mean(rows, of.name(), cells -> moved(cells, of.name(), step));
    double[][] below = mean(rows, of.name(), cells -> moved(cells, of.name(), -step));
    double[][] slope = difference(above, below, 2 * step);
    add(to, MarginalEffect.Kind.SLOPE, of.name(), "", "", slope);
  }

  private static @Nullable Object moved(Map<String, Object> cells, String column, double by) {
    Object cell = cells.get(column);
    return cell == null ? null : (Object) (CellText.asNumber(cell) + by);
  }

  /**
   * Returns the weighted mean of E[y | x, θ_s] over rows with another column, by outputs.
   *
   * @param value returns the column's value in a row; null if it has none
   */
  private double[][] mean(
      MarginalRows rows, String column, Function<Map<String, Object>, @Nullable Object> value) {
    double[][] sums = new double[outputs.size()][draws];
    double total = 0;
    RowEffects.Room own = groups == null ? null : groups.room();
    for (int i = 0; i < rows.cells().size(); i++) {
      Map<String, Object> cells = rows.cells().get(i);
      Object cell = value.apply(cells);
      double weight = rows.weights()[i];
      if (cell == null || !(weight > 0)) {
        continue;
      }
      Map<String, Object> changed = MarginalDesign.with(cells, column, cell);
      double offset = design.offset(changed);
      if (!design.write(changed, x) || Double.isNaN(offset)) {
        continue;
      }
      double[] shift = own == null ? null : own.shift(rows.grouped().get(i), rows.at(), x);
      if (own != null && shift == null) {
        continue;
      }
      double[][] expected = room.expected(x, offset, shift);
      for (int k = 0; k < sums.length; k++) {
        for (int s = 0; s < draws; s++) {
          sums[k][s] += weight * expected[k][s];
        }
      }
      total += weight;
    }
    if (!(total > 0)) {
      throw UserException.data(
          "No row over which effects of '%s' are averaged has a value in every column. Set --rows to more, or --at to means."
              .formatted(column));
    }
    for (double[] sum : sums) {
      for (int s = 0; s < draws; s++) {
        sum[s] /= total;
      }
    }
    return sums;
  }

  private static double[][] difference(double[][] a, double[][] b, double by) {
    double[][] difference = new double[a.length][a[0].length];
    for (int k = 0; k < a.length; k++) {
      int output = k;
      Arrays.setAll(difference[k], s -> (a[output][s] - b[output][s]) / by);
    }
    return difference;
  }

  private void add(
      List<MarginalEffect> to,
      MarginalEffect.Kind kind,
      String column,
      String value,
      String against,
      double[][] byOutput) {
    double tail = (1 - how.interval) / 2;
    for (int k = 0; k < byOutput.length; k++) {
      double[] of = byOutput[k];
      double mean = Arrays.stream(of).average().orElse(Double.NaN);
      double[] ends =
          Double.isFinite(mean)
              ? QUANTILE.evaluate(of, tail, 1 - tail)
              : new double[] {Double.NaN, Double.NaN};
      boolean response = kind == MarginalEffect.Kind.EXPECTED;
      double positive =
          response ? Double.NaN : (double) Arrays.stream(of).filter(v -> v > 0).count() / draws;
      to.add(
          new MarginalEffect(
              kind,
              column,
              value,
              against,
              outputs.get(k),
              mean,
              PosteriorPredictor.sd(of, mean),
              ends[0],
              ends[1],
              positive));
    }
  }
}
