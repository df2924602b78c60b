package org.lampyris.driver.predict;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.DataBlock;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.executors.table.TableSchema;
import org.lampyris.samplers.random.Streams;

/**
 * Posterior predictive checks of a model on some of its rows: {@linkplain TestStatistic test
 * statistics} T(y) compared with T(y_rep) of replicated tables, y_rep ~ p(y | x, θ_s).
 *
 * <p>The statistics have four kinds: means over groups of rows, scatter, distribution, extremes.
 * For each kind, the largest standardised deviation among its statistics, max_k |T_k − mean|/sd, is
 * compared with the same value of every replicated table. The model is doubted where the observed
 * table deviates more than every one of at least 4,000 replicated tables. If the observed table
 * were one more replicate, that would happen with probability 1/4,001 for each kind, together less
 * than 1 in 1,000; this needs no normal approximation. The rows are those that the model was fitted
 * to, which makes doubts rarer (Meng 1994). After 400 tables the check ends if no kind lies beyond
 * all of them: most do.
 *
 * <p>A row of weight w is w rows if all weights are whole numbers; otherwise it is one row that
 * counts w times in every sum.
 *
 * <p>Cost: P·D·S multiplications and 400 to 4,000 drawn responses a row, for S draws.
 *
 * @param panels means over groups, by what is expected, by levels, by numbers, by classes
 * @param statistics by kinds
 * @param rootogram numbers of rows by the size of a count; null for other labels
 * @param density numbers of rows by the size of a number; null for counts and classes
 * @param transform numbers of rows by tenths of the probability integral transform; null for counts
 *     and classes
 * @param loo how each response is predicted from the others; null for classes, or without a
 *     distribution
 * @param replicates how many replicated tables there are; 0 if the family has no distribution
 * @param doubts what speaks against the model, in sentences
 * @param doubted the kinds of statistics that they are about
 */
public record PredictiveCheck(
    List<Panel> panels,
    List<TestStatistic> statistics,
    @Nullable Histogram rootogram,
    @Nullable Histogram density,
    @Nullable Histogram transform,
    @Nullable LooPit loo,
    int replicates,
    List<String> doubts,
    Set<TestStatistic.Kind> doubted) {
  private static final int FIRST = 400;

  /**
   * Number of tables such that four kinds of statistics exceed all with probability below 1 in
   * 1,000.
   */
  public static final int ALL = 4_000;

  private static final long SEED = 0x9e1f;
  private static final int CHUNK = 256;

  /** Copies the lists. */
  public PredictiveCheck {
    panels = List.copyOf(panels);
    statistics = List.copyOf(statistics);
    doubts = List.copyOf(doubts);
    doubted = Set.copyOf(doubted);
  }

  /** Contributions of group effects to η of a stored row, by draws. */
  @FunctionalInterface
  public interface Shifts {
    /** Returns the contribution to η, by draws. */
    double[] of(DataBlock block, int row);
  }

  /** Grouping factor of the model's effects. */
  public interface Factor {
    /** Returns the name of its column. */
    String name();

    /** Returns the level of a stored row. */
    String level(DataBlock block, int row);
  }

  /**
   * Fitted model that rows are checked against.
   *
   * @param draws S draws of θ as it is reported
   * @param predictors the linear predictors
   * @param shifts what effects of groups add, by the same draws; null where there are none
   * @param factors what groups the rows whose effects are added
   */
  public record Fitted(
      TableSchema schema,
      Expectation expectation,
      double[][] draws,
      Predictors predictors,
      @Nullable Shifts shifts,
      List<Factor> factors) {
    /** Copies the list. */
    public Fitted {
      factors = List.copyOf(factors);
    }

    /** Creates a model without group effects. */
    public Fitted(
        TableSchema schema, Expectation expectation, double[][] draws, Predictors predictors) {
      this(schema, expectation, draws, predictors, null, List.of());
    }

    int outputs() {
      return PosteriorPredictor.outputs(schema.label()).size();
    }
  }

  /** Checks a model by some rows that it was fitted to, see the method with a flag. */
  public static PredictiveCheck of(Fitted fitted, RowSample sample) {
    return of(fitted, sample, false);
  }

  /**
   * Checks a model by some rows.
   *
   * @param prior whether the draws are from the prior
   * @throws UserException (data) if the rows cannot be replicated, because the number of trials of
   *     a row is not known
   */
  public static PredictiveCheck of(Fitted fitted, RowSample sample, boolean prior) {
    Streams streams = new Streams(SEED);
    CheckedRows rows = new CheckedRows(fitted, sample, streams);
    int outputs = fitted.outputs();
    LabelKind kind = fitted.schema.label().kind();
    PosteriorPredictor predictor =
        new PosteriorPredictor(fitted.expectation, fitted.draws, fitted.predictors, outputs, 0.9);
    boolean drawn = canReplicate(fitted, rows, predictor);
    double[][] means = new double[outputs][rows.size()];
    double[] variance = new double[rows.size()];
    double[] one = new double[drawn && !kind.isClass() ? rows.first(rows.size()) : 0];
    IntStream.range(0, (rows.size() + CHUNK - 1) / CHUNK)
        .parallel()
        .forEach(
            chunk -> {
              PosteriorPredictor.Row room = predictor.row();
              for (int i = chunk * CHUNK; i < Math.min(rows.size(), (chunk + 1) * CHUNK); i++) {
                double[][] expected = rows.expected(room, i);
                for (int k = 0; k < outputs; k++) {
                  means[k][i] = Arrays.stream(expected[k]).average().orElseThrow();
                }
                variance[i] = variance(fitted, expected[0], room.ofRow(), rows.trials(i), prior);
                for (int copy = rows.first(i); one.length > 0 && copy < rows.first(i + 1); copy++) {
                  one[copy] = one(fitted, expected[0], room.ofRow(), rows.trials(i), copy, streams);
                }
              }
            });
    Replicates.Of of =
        new Replicates.Of(
            rows,
            fitted,
            predictor,
            Grouping.all(rows, fitted, means),
            Cells.of(kind, one),
            means[0],
            variance,
            prior);
    int draws = fitted.draws.length;
    Tested tested = new Tested(of, Replicates.draw(of, drawn ? up(FIRST, draws) : 0, streams));
    if (tested.isExtreme()) {
      tested = new Tested(of, Replicates.draw(of, up(ALL, draws), streams));
    }
    return tested.check(one.length == 0 ? null : LooPit.of(rows, fitted, predictor, streams));
  }

  private static int up(int tables, int draws) {
    return (tables + draws - 1) / draws;
  }

  private static boolean canReplicate(
      Fitted fitted, CheckedRows rows, PosteriorPredictor predictor) {
    if (rows.size() == 0 || fitted.schema.label().kind() == LabelKind.CLASSES) {
      return rows.size() > 0;
    }
    PosteriorPredictor.Row room = predictor.row();
    double mean = rows.expected(room, 0)[0][0];
    return Replicates.response(fitted.expectation, mean, room.ofRow()[0]).isPresent();
  }

  /**
   * Returns the mean of a row's Var(y | θ) over draws; with the variance of means, if all draws
   * together make the distribution.
   */
  private static double variance(
      Fitted fitted, double[] expected, double[][] ofRow, double trials, boolean all) {
    double within = 0;
    double mean = 0;
    for (int s = 0; s < expected.length; s++) {
      within += fitted.expectation.variance(expected[s], ofRow[s]) / trials;
      mean += expected[s] / expected.length;
    }
    double between = 0;
    for (double m : all ? expected : new double[0]) {
      between += (m - mean) * (m - mean);
    }
    return (within + between) / expected.length;
  }

  /**
   * Returns a replicated label for the ends of cells, by one draw of θ.
   *
   * @param copy its number among the copies of all rows: equal rows have the same ends, merged or
   *     not
   */
  private static double one(
      Fitted fitted,
      double[] expected,
      double[][] ofRow,
      double trials,
      int copy,
      Streams streams) {
    int s = copy % fitted.draws.length;
    return Responses.draw(
        Replicates.response(fitted.expectation, expected[s], ofRow[s]).orElseThrow(),
        trials,
        streams.stream(Streams.Purpose.REPLICATES, 2, 0, copy));
  }
}
