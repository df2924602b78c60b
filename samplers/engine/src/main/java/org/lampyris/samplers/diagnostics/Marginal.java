package org.lampyris.samplers.diagnostics;

import java.util.Arrays;
import java.util.List;

/**
 * Marginal distribution of one variable from its draws, with its precision, for comparison with
 * another run's.
 *
 * @param summary mean, sd and their Monte-Carlo standard errors, R̂ and effective sample sizes
 * @param ascending all draws in ascending order; not copied
 * @param quantiles at {@link #PROBABILITIES}; not copied
 * @param quantileErrors their Monte-Carlo standard errors; not copied
 * @param size the equivalent number of independent draws for the distribution function F. Its error
 *     at t has the variance F(1 − F)/ESS of the indicator of x ≤ t, and this is the smallest ESS at
 *     the three quartiles
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Marginal(
    VariableSummary summary,
    double[] ascending,
    double[] quantiles,
    double[] quantileErrors,
    double size) {
  /** The probabilities of the quantiles. */
  public static final List<Double> PROBABILITIES = List.of(0.01, 0.05, 0.5, 0.95, 0.99);

  /**
   * Takes the draws of a variable, chains × iterations, warm-up left out, not modified. Cost O(S
   * log S) for S draws in all.
   *
   * @param scores the table for chains of that number and length
   * @throws IllegalArgumentException if there are no draws or the chains differ in length
   */
  public static Marginal of(String name, double[][] draws, NormalScores scores) {
    Ranks ranks = new Ranks(draws, scores);
    VariableSummary summary = VariableSummary.of(name, draws, ranks);
    return new Marginal(
        summary,
        ranks.ascending(),
        PROBABILITIES.stream().mapToDouble(ranks::quantile).toArray(),
        PROBABILITIES.stream().mapToDouble(p -> Diagnostics.mcseQuantile(ranks, p)).toArray(),
        // NaN, where none is defined, is the least.
        Arrays.stream(new double[] {0.25, 0.5, 0.75})
            .map(probability -> size(ranks, probability, summary.inclusion()))
            .min()
            .orElseThrow());
  }

  /** Returns the ESS at a quantile; if the quantile is 0, the ESS of the variable's inclusion. */
  private static double size(Ranks ranks, double probability, VariableSummary.Inclusion inclusion) {
    boolean out = inclusion.isChosen() && ranks.quantile(probability) == 0;
    return out ? inclusion.ess() : ranks.essQuantile(probability);
  }

  /**
   * Returns the Kolmogorov distance of two distributions, sup |F₁ − F₂|, in [0, 1]; NaN if a draw
   * is. Cost O(S).
   */
  double distance(Marginal other) {
    double[] x = ascending;
    double[] y = other.ascending;
    if (Double.isNaN(x[x.length - 1]) || Double.isNaN(y[y.length - 1])) {
      return Double.NaN;
    }
    double distance = 0;
    for (int i = 0, j = 0; i < x.length && j < y.length; ) {
      double at = Math.min(x[i], y[j]);
      while (i < x.length && x[i] <= at) {
        i++;
      }
      while (j < y.length && y[j] <= at) {
        j++;
      }
      distance = Math.max(distance, Math.abs((double) i / x.length - (double) j / y.length));
    }
    return distance;
  }
}
