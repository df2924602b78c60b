package org.lampyris.bounds.family;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.config.UserException;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.MonotonicColumns;
import org.lampyris.bounds.prior.MonotonicPrior;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;
import org.lampyris.bounds.rows.Predictors;

/**
 * Configured priors for the columns of a table. Priors for coefficients of scaled columns x/s_j,
 * which are s_j times those of x, are scaled by 1/s_j.
 *
 * @param table null where columns are stored as they are and nothing is known of them
 * @param labels about where each linear predictor lies and over what it ranges; without one, one
 *     for all
 * @param predictors the columns of each linear predictor
 */
record TablePriors(
    PriorConfig config, @Nullable TableScale table, List<Moments> labels, Predictors predictors) {
  /** Plausible change of η, in its standard deviations, for one standard deviation of a column. */
  private static final double WIDE = 2.5;

  /** Returns the priors of the elements of θ. */
  List<ConfiguredPrior> of(List<ConfiguredPrior> configured) {
    return IntStream.range(0, configured.size()).mapToObj(j -> of(j, configured.get(j))).toList();
  }

  private ConfiguredPrior of(int j, ConfiguredPrior prior) {
    if (prior.isAuto()) {
      return ConfiguredPrior.of(auto(j));
    }
    if (table == null
        || j >= predictors.coefficients()
        || config.priorScale() == PriorConfig.Scale.INPUT) {
      return prior;
    }
    double scale = table.scales().get(predictors.column(j));
    return scale == 1 ? prior : ConfiguredPrior.of(prior.density().scaled(1 / scale));
  }

  /** Returns the prior that follows from the table: see {@link PriorConfig#AUTO}. */
  private UnivariatePrior auto(int j) {
    if (table == null) {
      return new UnivariatePrior.Normal(0, WIDE);
    }
    boolean linear = j < predictors.coefficients();
    Moments label = labels.get(linear ? predictors.predictor(j) : 0);
    double sd = label.sd() > 0 ? WIDE * label.sd() : WIDE;
    boolean slope = linear && predictors.column(j) != table.centers().intercept();
    boolean center = linear ? !slope : j == 0;
    return new UnivariatePrior.Normal(
        center ? label.mean() : 0, slope ? sd / table.sizeOf(predictors.column(j)) : sd);
  }

  /**
   * Returns a monotonic effect. The prior of its b is that of the coefficient of x = Σ_k 1[x ≥ k].
   *
   * @param places the elements of θ that are its coefficients
   */
  MonotonicPrior.Effect monotonic(MonotonicColumns effect, int[] places) {
    double[] alpha = config.alphaOf(effect);
    ConfiguredPrior named = config.priors().get(effect.slope());
    ConfiguredPrior of = named == null ? config.prior() : named;
    if (named != null && (named.isShared() || named.isDirichlet())) {
      throw UserException.usage(
          "model.priors: %s is the slope of a monotonic effect, and %s is no prior of one. Choose another, such as normal(0, 1)."
              .formatted(effect.slope(), named));
    }
    double size = table == null ? 1 : sizeOfSum(table, places);
    if (of.isAuto() || of.isShared()) {
      double sd = labels.get(0).sd() > 0 ? WIDE * labels.get(0).sd() : WIDE;
      return new MonotonicPrior.Effect(
          effect, places, new UnivariatePrior.Normal(0, sd / size), alpha);
    }
    boolean standardized =
        table != null
            && config.priorScale() == PriorConfig.Scale.STANDARDIZED
            && table.scales().get(predictors.column(places[0])) != 1;
    UnivariatePrior slope = standardized ? of.density().scaled(1 / size) : of.density();
    return new MonotonicPrior.Effect(effect, places, slope, alpha);
  }

  /**
   * Returns the standard deviation of the sum of columns z·1[x ≥ k]. One that is not 0 equals those
   * before it: Cov = E (z·1[x ≥ k])² − m_j·m_k for j ≤ k, m the means.
   */
  private double sizeOfSum(TableScale of, int[] places) {
    double variance = 0;
    for (int j = 0; j < places.length; j++) {
      for (int k = 0; k < places.length; k++) {
        Moments last = of.columns().get(predictors.column(places[Math.max(j, k)]));
        Moments other = of.columns().get(predictors.column(places[Math.min(j, k)]));
        variance += last.sd() * last.sd() + last.mean() * last.mean() - last.mean() * other.mean();
      }
    }
    return variance > 0 ? Math.sqrt(variance) : 1;
  }

  /**
   * Returns a prior of one coefficient c_k of a monotonic effect with the moments of its own, E
   * c_k² = D²·E b²·E ζ_k²: no pole, so that a mode can be sought of it.
   */
  static ConfiguredPrior alone(MonotonicPrior.Effect of, int k) {
    double sum = Arrays.stream(of.alpha()).sum();
    double square = of.alpha()[k] * (of.alpha()[k] + 1) / sum / (sum + 1);
    double factor = of.size() * Math.sqrt(square);
    return ConfiguredPrior.of(
        of.slope() instanceof UnivariatePrior.Uniform b
            ? new UnivariatePrior.Normal(
                0, factor * Math.max(Math.abs(b.lower()), Math.abs(b.upper())))
            : of.slope().scaled(factor));
  }

  /**
   * Returns the scale of the default prior of a standard deviation of effects, for the effects of
   * each column and then for the intercept's: see {@link PriorConfig#RULE_SD}.
   *
   * @param inLabelUnit whether η has the label's unit
   */
  double[] effectScales(boolean inLabelUnit) {
    double sd = labels.get(0).sd();
    double scale = inLabelUnit && sd > 0 ? sd : WIDE;
    int width = predictors.width();
    return IntStream.rangeClosed(0, width)
        .mapToDouble(j -> table == null || j == width ? scale : scale / table.sizeOf(j))
        .toArray();
  }

  /** Returns the mean of each column if priors apply there; NaN if they apply at 0. */
  double[] effectOrigins() {
    TableScale known =
        config.interceptAt() == PriorConfig.InterceptAt.CENTERS
                && table != null
                && table.centers().intercept() >= 0
            ? table
            : null;
    return IntStream.range(0, predictors.width())
        .mapToDouble(j -> known == null ? Double.NaN : known.columns().get(j).mean())
        .toArray();
  }

  /**
   * Returns the point at which the priors of intercepts apply; null if all stored columns are 0
   * there.
   */
  @Nullable InterceptShift interceptAt() {
    if (table == null) {
      return null;
    }
    return config.interceptAt() == PriorConfig.InterceptAt.CENTERS
        ? table.toCenters(predictors)
        : table.toZero(predictors);
  }
}
