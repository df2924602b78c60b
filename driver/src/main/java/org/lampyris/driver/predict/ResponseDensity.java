package org.lampyris.driver.predict;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.family.CensoredTime;
import org.lampyris.bounds.family.LabelKind;
import org.lampyris.bounds.family.ModelOfTable;
import org.lampyris.bounds.model.Likelihood;
import org.lampyris.bounds.model.PredictorModel;
import org.lampyris.bounds.model.TwoPredictorModel;
import org.lampyris.bounds.numeric.LogGamma;
import org.lampyris.dataprep.read.CellText;
import org.lampyris.executors.table.TableSchema;

/**
 * Log predictive density of a new row's response, log 1/S Σ_s p(y | x, θ_s), natural log: with the
 * sampled likelihood, and the binomial coefficient for trials.
 */
final class ResponseDensity implements Serializable {
  /** The model, with draws of θ in its coordinates; null if classes have probabilities. */
  private final @Nullable PredictorModel model;

  /** The model with two predictors; null for others. */
  private final @Nullable TwoPredictorModel two;

  private final double[][] thetas;

  /** log p as a function of η, by draws; created on first use. */
  private transient Likelihood @Nullable [] given;

  private final HashMap<String, Integer> classes = new HashMap<>();
  private final LabelKind kind;

  /**
   * Takes a model.
   *
   * @param draws of θ, as they are reported
   * @throws UserException (usage) if the family has no likelihood of one linear predictor
   */
  ResponseDensity(ModelOfTable model, TableSchema schema, double[][] draws) {
    kind = schema.label().kind();
    boolean classed = kind == LabelKind.CLASSES;
    for (String name : schema.label().classes()) {
      classes.put(name, classes.size());
    }
    this.model = !classed && model.model() instanceof PredictorModel one ? one : null;
    two = model.model() instanceof TwoPredictorModel of ? of : null;
    if (!classed && this.model == null && two == null) {
      throw UserException.usage(
          "the model's likelihood is no function of linear predictors, so --log-density is not"
              + " available. Remove it.");
    }
    if (kind == LabelKind.INTERVAL) {
      throw UserException.usage(
          "the model has times in intervals (model.time2), so --log-density is not available."
              + " Remove it, and compare models by lampyris loo.");
    }
    thetas =
        this.model == null && two == null
            ? new double[0][]
            : Arrays.stream(draws)
                .map(draw -> model.fromInput(draw, schema.centers()))
                .toArray(double[][]::new);
  }

  private Likelihood[] given() {
    Likelihood[] made = given;
    if (made == null) {
      PredictorModel of = Objects.requireNonNull(model);
      made = Arrays.stream(thetas).map(of::given).toArray(Likelihood[]::new);
      given = made;
    }
    return made;
  }

  private double logLikelihood(int s, double[][] eta, double y) {
    return two == null
        ? given()[s].logLikelihood(eta[0][s], y)
        : two.at(eta[1][s], thetas[s]).logLikelihood(eta[0][s], y);
  }

  /** Returns whether responses are times, which may be censored. */
  boolean isOfTimes() {
    return kind == LabelKind.TIME;
  }

  /**
   * Returns the log predictive density; null if the cell is no response that the model knows.
   *
   * @param trials of how many trials the response is the successes; of a time its event's code
   * @param eta η by predictors and draws
   * @param expected the probabilities of classes, or what is expected, by draws
   */
  @Nullable Double of(@Nullable Object cell, double trials, double[][] eta, double[][] expected) {
    if (cell == null || CellText.isMissing(cell)) {
      return null;
    }
    Integer index = classes.isEmpty() ? null : classes.get(CellText.level(cell));
    double y = CellText.asNumber(cell);
    if (!classes.isEmpty() && index == null) {
      return null;
    }
    if (index != null && kind == LabelKind.BINARY) {
      y = 2.0 * index - 1;
    }
    double times = trials;
    if (kind == LabelKind.TIME) {
      if (!(trials == CensoredTime.AFTER
          || trials == CensoredTime.AT
          || trials == CensoredTime.BEFORE)) {
        return null;
      }
      y = CensoredTime.response((int) trials, y, y);
      times = 1;
    }
    int draws = expected[0].length;
    double[] terms = new double[draws];
    double most = Double.NEGATIVE_INFINITY;
    for (int s = 0; s < draws; s++) {
      terms[s] =
          index != null && kind == LabelKind.CLASSES
              ? Math.log(expected[index][s])
              : times * logLikelihood(s, eta, y / times);
      most = Math.max(most, terms[s]);
    }
    if (!Double.isFinite(most)) {
      return Double.isNaN(most) ? null : most;
    }
    double sum = 0;
    for (double term : terms) {
      sum += Math.exp(term - most);
    }
    double coefficient = kind == LabelKind.SUCCESSES ? coefficient(trials, y) : 0;
    return most + Math.log(sum / draws) + coefficient;
  }

  /** Returns log C(n, k). */
  static double coefficient(double n, double k) {
    return LogGamma.of(n + 1) - LogGamma.of(k + 1) - LogGamma.of(n - k + 1);
  }
}
