package org.lampyris.bounds.family;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.bounds.prior.ConfiguredPrior;
import org.lampyris.bounds.prior.InterceptShift;
import org.lampyris.bounds.prior.Moments;
import org.lampyris.bounds.prior.PriorConfig;
import org.lampyris.bounds.prior.TableScale;
import org.lampyris.bounds.prior.UnivariatePrior;

/**
 * Configured priors for the columns of a table. Priors for coefficients of scaled columns x/s_j,
 * which are s_j times those of x, are scaled by 1/s_j.
 *
 * @param table null where columns are stored as they are and nothing is known of them
 * @param label about where η lies and over what it ranges
 * @param linear how many elements of θ, the first ones, are coefficients of columns
 * @param width how many columns there are
 */
record TablePriors(
    PriorConfig config, @Nullable TableScale table, Moments label, int linear, int width) {
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
    if (table == null || j >= linear || config.priorScale() == PriorConfig.Scale.INPUT) {
      return prior;
    }
    double scale = table.scales().get(j % width);
    return scale == 1 ? prior : ConfiguredPrior.of(prior.density().scaled(1 / scale));
  }

  /** Returns the prior that follows from the table: see {@link PriorConfig#AUTO}. */
  private UnivariatePrior auto(int j) {
    double sd = label.sd() > 0 ? WIDE * label.sd() : WIDE;
    if (table == null) {
      return new UnivariatePrior.Normal(0, WIDE);
    }
    int column = j % width;
    boolean slope = j < linear && column != table.centers().intercept();
    boolean center = j < linear ? !slope : j == 0;
    return new UnivariatePrior.Normal(
        center ? label.mean() : 0, slope ? sd / table.sizeOf(column) : sd);
  }

  /**
   * Returns the scale of the default prior of a standard deviation of effects, for the effects of
   * each column and then for the intercept's: see {@link PriorConfig#RULE_SD}.
   *
   * @param inLabelUnit whether η has the label's unit
   */
  double[] effectScales(boolean inLabelUnit) {
    double scale = inLabelUnit && label.sd() > 0 ? label.sd() : WIDE;
    return IntStream.rangeClosed(0, width)
        .mapToDouble(j -> table == null || j == width ? scale : scale / table.sizeOf(j))
        .toArray();
  }

  /**
   * Returns the point at which the priors of intercepts apply; null if all stored columns are 0
   * there.
   */
  @Nullable InterceptShift interceptAt(int predictors) {
    if (table == null) {
      return null;
    }
    return config.interceptAt() == PriorConfig.InterceptAt.CENTERS
        ? table.toCenters(predictors)
        : table.toZero(predictors);
  }
}
