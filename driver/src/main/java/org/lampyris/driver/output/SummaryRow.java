package org.lampyris.driver.output;

import java.util.List;

/**
 * The summary of one coefficient's draws, on the input's scale. R̂ and the effective sample sizes
 * are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021); NaN where they do not exist,
 * as for draws that never move.
 *
 * @param variable the coefficient
 * @param mean the mean of the draws
 * @param median their median
 * @param sd their standard deviation
 * @param mad their median absolute deviation, scaled to the standard deviation of a normal
 * @param q5 their 5 % quantile
 * @param q95 their 95 % quantile
 * @param rhat rank-normalised split R̂
 * @param essBulk bulk effective sample size
 * @param essTail tail effective sample size
 * @param mcseMean Monte-Carlo standard error of the mean
 * @param mcseSd Monte-Carlo standard error of the standard deviation
 */
public record SummaryRow(
    String variable,
    double mean,
    double median,
    double sd,
    double mad,
    double q5,
    double q95,
    double rhat,
    double essBulk,
    double essTail,
    double mcseMean,
    double mcseSd) {
  static final List<String> COLUMNS =
      List.of(
          "variable",
          "mean",
          "median",
          "sd",
          "mad",
          "q5",
          "q95",
          "rhat",
          "ess_bulk",
          "ess_tail",
          "mcse_mean",
          "mcse_sd");

  /** Returns the smaller effective sample size; NaN if either is. */
  double worstEss() {
    return Math.min(essBulk, essTail);
  }

  /** Returns the cells of a line of {@code summary.csv}. */
  Object[] cells() {
    return new Object[] {
      variable, mean, median, sd, mad, q5, q95, rhat, essBulk, essTail, mcseMean, mcseSd
    };
  }
}
