package org.lampyris.driver.output;

import org.lampyris.samplers.diagnostics.VariableSummary;

/** Summary rows for tests. */
final class Rows {
  private Rows() {}

  /** A row with a mean of 1.23456789 and an sd of 0.0123456789. */
  static VariableSummary row(String variable, double rhat, double bulk, double tail) {
    double mean = 1.23456789;
    double sd = 0.0123456789;
    return new VariableSummary(
        variable,
        mean,
        sd,
        new VariableSummary.Quantiles(mean + 0.001, sd, mean - 1.645 * sd, mean + 1.645 * sd),
        new VariableSummary.Mixing(rhat, bulk, tail, 0.001, 0.0005));
  }

  /** A row of a coefficient that is in the model as often, or never; 300 draws are worth that. */
  static VariableSummary chosen(String variable, double included) {
    double nan = Double.NaN;
    VariableSummary row = row(variable, 1, 500, nan);
    return included == 0
        ? new VariableSummary(
            variable,
            0,
            0,
            new VariableSummary.Quantiles(0, 0, 0, 0),
            new VariableSummary.Mixing(nan, nan, nan, nan, nan),
            new VariableSummary.Inclusion(0, nan, 0))
        : new VariableSummary(
            variable,
            row.mean(),
            row.sd(),
            row.quantiles(),
            row.mixing(),
            new VariableSummary.Inclusion(included, 300, 0.03));
  }
}
