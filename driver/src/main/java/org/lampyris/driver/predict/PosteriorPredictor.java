package org.lampyris.driver.predict;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.Expectation;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.rows.Predictors;
import org.lampyris.driver.output.Draws;
import org.lampyris.executors.table.TableSchema;

/**
 * Posterior of a row's expected response, from S draws of θ: mean, standard deviation and a central
 * interval of E[y | x, θ_s], for one number or for the probability of every class.
 *
 * <p>Cost S·P·D multiplications a row, S expectations, and a selection among S numbers for each
 * output. Quantiles have type 7 of Hyndman and Fan (1996), as in R. Not safe for use by several
 * threads; each takes a {@link Row}.
 */
public final class PosteriorPredictor implements Serializable {
  /** Figures of an output: mean, standard deviation, lower and upper end. */
  static final int FIGURES = 4;

  private static final Quantile QUANTILE =
      Quantile.withDefaults().with(Quantile.EstimationMethod.HF7).withCopy(false);

  private final Expectation expectation;
  private final double[][] draws;
  private final double[][] coefficients;
  private final Predictors predictors;
  private final int outputs;
  private final double tail;

  /**
   * Takes the draws.
   *
   * @param draws S draws of θ as they are reported: the predictors' coefficients first
   * @param predictors the P linear predictors, of D columns
   * @param outputs how many numbers are expected
   * @param interval the probability of the central interval
   */
  public PosteriorPredictor(
      Expectation expectation,
      double[][] draws,
      Predictors predictors,
      int outputs,
      double interval) {
    this.expectation = expectation;
    this.draws = draws;
    this.predictors = predictors;
    this.outputs = outputs;
    this.tail = (1 - interval) / 2;
    // By coefficients: a column of a row meets all its coefficients in a row of this.
    this.coefficients = new double[predictors.coefficients()][draws.length];
    for (int s = 0; s < draws.length; s++) {
      for (int j = 0; j < coefficients.length; j++) {
        coefficients[j][s] = draws[s][j];
      }
    }
  }

  /**
   * Returns some draws of θ, evenly thinned over all chains.
   *
   * @param wanted how many; all if there are not so many
   * @throws UserException (data) if the draws have other coefficients
   */
  public static double[][] thinned(Draws draws, List<String> coefficients, int wanted) {
    int[] at = draws.placesOf(coefficients);
    long all = (long) draws.chains() * draws.perChain();
    int count = (int) Math.min(wanted, all);
    double[][] thinned = new double[count][at.length];
    for (int s = 0; s < count; s++) {
      long draw = (2L * s + 1) * all / (2L * count);
      int chain = (int) (draw / draws.perChain());
      int iteration = (int) (draw % draws.perChain());
      for (int j = 0; j < at.length; j++) {
        thinned[s][j] = draws.values()[at[j]][chain][iteration];
      }
    }
    return thinned;
  }

  /** Returns the names of the numbers that are expected of a row: classes, or "" for one number. */
  static List<String> outputs(TableSchema.Label label) {
    return label.kind() == LabelKind.CLASSES ? label.classes() : List.of("");
  }

  /**
   * Refuses an impossible probability of an interval.
   *
   * @throws UserException (usage) unless it is between 0 and 1
   */
  public static void requireInterval(double interval) {
    if (!(interval > 0 && interval < 1)) {
      throw UserException.usage(
          "An interval of probability "
              + interval
              + " (--interval) is impossible. Set it between 0 and 1.");
    }
  }

  /** Returns the draws of θ, on the reported scale. */
  double[][] draws() {
    return draws;
  }

  /** Returns the expectation function of a row. */
  Expectation expectation() {
    return expectation;
  }

  /** Returns how many numbers are expected of a row. */
  int outputs() {
    return outputs;
  }

  /** Returns how many columns a row has. */
  int columns() {
    return predictors.width();
  }

  /** Returns room for a row. */
  public Row row() {
    return new Row();
  }

  /** Buffers for predicting rows. */
  public final class Row {
    private final double[][] eta = new double[predictors.count()][draws.length];
    private final double[] one = new double[predictors.count()];
    private final double[][] ofRow = new double[draws.length][];
    private final double[] out = new double[outputs];
    private final double[][] expected = new double[outputs][draws.length];

    /**
     * Returns E[y | x, θ_s] of a row by outputs and draws, valid until the next call.
     *
     * @param x its columns. Not modified.
     * @param offset the addition to the first predictor, or to that of each class
     * @param shift the same for each draw; null for none. Not modified.
     */
    public double[][] expected(double[] x, double offset, double @Nullable [] shift) {
      expect(x, offset, shift);
      return expected;
    }

    /**
     * Returns what the variance and the distribution of the row's response depend on besides its
     * expectation, by draws: see {@link Expectation#ofRow}.
     */
    double[][] ofRow() {
      return ofRow;
    }

    /** Returns η of the row by predictors and draws. */
    double[][] eta() {
      return eta;
    }

    /**
     * Predicts a row.
     *
     * @param x its columns. Not modified.
     * @param figures {@link #FIGURES} numbers for each output. Modified.
     */
    public void predict(double[] x, double offset, double[] figures) {
      expect(x, offset, null);
      summarize(figures);
    }

    /**
     * Writes the figures of the row, whose expectations are then in another order.
     *
     * @param figures {@link #FIGURES} numbers for each output. Modified.
     */
    void summarize(double[] figures) {
      for (int k = 0; k < outputs; k++) {
        summarize(expected[k], figures, FIGURES * k);
      }
    }

    private void expect(double[] x, double offset, double @Nullable [] shift) {
      for (int p = 0; p < one.length; p++) {
        double[] to = eta[p];
        Arrays.fill(to, p == 0 || outputs > 1 ? offset : 0); // softmax: for each class
        for (int s = 0; shift != null && p == 0 && s < to.length; s++) {
          to[s] += shift[s];
        }
        int[] columns = predictors.columns(p);
        for (int j = 0; j < columns.length; j++) {
          double value = x[columns[j]];
          if (value != 0) {
            double[] of = coefficients[predictors.start(p) + j];
            for (int s = 0; s < to.length; s++) {
              to[s] += value * of[s];
            }
          }
        }
      }
      for (int s = 0; s < draws.length; s++) {
        for (int p = 0; p < one.length; p++) {
          one[p] = eta[p][s];
        }
        expectation.write(one, draws[s], out);
        ofRow[s] = expectation.ofRow(one, draws[s]);
        for (int k = 0; k < outputs; k++) {
          expected[k][s] = out[k];
        }
      }
    }

    private void summarize(double[] values, double[] figures, int at) {
      double mean = mean(values);
      figures[at] = mean;
      figures[at + 1] = sd(values, mean);
      double[] ends = QUANTILE.evaluate(values, tail, 1 - tail);
      figures[at + 2] = quantile(ends[0], values, tail);
      figures[at + 3] = quantile(ends[1], values, 1 - tail);
    }
  }

  /** Returns the mean. */
  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    double mean = sum / values.length;
    if (Double.isInfinite(mean)) {
      // The sum may have left the numbers where their mean has not.
      mean = 0;
      for (double value : values) {
        mean += value / values.length;
      }
    }
    return mean;
  }

  /** Returns the standard deviation; +∞ about an infinite mean. */
  static double sd(double[] values, double mean) {
    if (Double.isInfinite(mean)) {
      return Double.POSITIVE_INFINITY;
    }
    double squares = 0;
    double most = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
      most = Math.max(most, Math.abs(value - mean));
    }
    int freedom = Math.max(1, values.length - 1);
    if (Double.isInfinite(squares) && most < Double.POSITIVE_INFINITY) {
      squares = 0;
      for (double value : values) {
        squares += (value - mean) / most * ((value - mean) / most);
      }
      return most * Math.sqrt(squares / freedom);
    }
    return Math.sqrt(squares / freedom);
  }

  /** Returns a quantile, and the number itself if it lies between two equal infinite ones. */
  private static double quantile(double found, double[] values, double probability) {
    if (!Double.isNaN(found)) {
      return found;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) ((values.length - 1) * probability)];
  }
}
