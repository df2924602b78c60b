package org.lampyris.driver.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.diagnostics.Marginal;
import org.lampyris.samplers.diagnostics.MarginalDifference;
import org.lampyris.samplers.diagnostics.NormalScores;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunResult;

/**
 * Measured bias of an algorithm without decisions, relative to a short exact run on the same table.
 * It holds differences of means and of the 5 % and 95 % quantiles in the exact run's posterior
 * standard deviations, and ratios of standard deviations, with Monte-Carlo errors, for the
 * coefficients with the largest differences.
 */
final class ExactReference {
  /** Draws of each chain of the exact run. */
  static final int DRAWS = 500;

  /** Iterations before them. */
  static final int WARMUP = 300;

  /**
   * The work that is worth it, some ten seconds of two cores: see {@link LogPosteriors#WORTH_IT}.
   */
  static final double MOST_WORK = 2 * LogPosteriors.WORTH_IT;

  /** The probabilities of the quantiles that are compared. */
  private static final List<Double> TAILS = List.of(0.05, 0.95);

  private ExactReference() {}

  /**
   * Compares.
   *
   * @param names the coefficients'
   * @param algorithm the exact one
   * @param knob what the user turns to make it less, with its value
   */
  static Bias of(
      List<String> names, RunResult run, RunResult exact, String algorithm, String knob) {
    NormalScores ofRun = scores(run);
    NormalScores ofExact = scores(exact);
    Worst mean = Worst.NONE;
    Worst sd = Worst.NONE;
    Worst tail = Worst.NONE;
    for (int j = 0; j < names.size(); j++) {
      String name = names.get(j);
      Marginal there = Marginal.of(name, draws(exact, j), ofExact);
      Marginal here = Marginal.of(name, draws(run, j), ofRun);
      MarginalDifference found = MarginalDifference.of(there, here);
      mean = mean.or(new Worst(name, found.mean(), found.meanError()));
      sd = sd.or(new Worst(name, found.logSd(), found.logSdError()));
      double unit = there.summary().sd();
      for (double probability : TAILS) {
        int q = Marginal.PROBABILITIES.indexOf(probability);
        double difference = (here.quantiles()[q] - there.quantiles()[q]) / unit;
        double error = Math.hypot(here.quantileErrors()[q], there.quantileErrors()[q]) / unit;
        String which = Text.of("%.0f %% quantile of %s", 100 * probability, name);
        tail = tail.or(new Worst(which, difference, error));
      }
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("largest_mean_difference_in_sds", mean.difference);
    figures.put("its_monte_carlo_error", mean.error);
    figures.put("farthest_sd_ratio", Math.exp(sd.difference));
    figures.put("its_relative_monte_carlo_error", sd.error);
    figures.put("largest_tail_quantile_difference_in_sds", tail.difference);
    figures.put("tail_monte_carlo_error", tail.error);
    return new Bias(
        knob,
        figures,
        Text.of(
            "compared with a short exact run (%s): the mean of %s differs most, by %.2g posterior"
                + " sds (Monte-Carlo error %.2g), the sd of %s by a factor of %.3g (relative"
                + " Monte-Carlo error %.2g), the %s by %.2g posterior sds (%.2g)%s",
            algorithm,
            mean.name,
            mean.difference,
            mean.error,
            sd.name,
            Math.exp(sd.difference),
            sd.error,
            tail.name,
            tail.difference,
            tail.error,
            knob.isEmpty() ? "" : " (" + knob + ")"));
  }

  /** A difference and its Monte-Carlo error; the worst one is the largest in its errors. */
  private record Worst(String name, double difference, double error) {
    static final Worst NONE = new Worst("", 0, 1);

    Worst or(Worst other) {
      return Math.abs(other.difference) / other.error > Math.abs(difference) / error ? other : this;
    }
  }

  private static NormalScores scores(RunResult run) {
    return NormalScores.table(run.chains().size(), run.chains().get(0).size());
  }

  private static double[][] draws(RunResult run, int j) {
    return run.chains().stream()
        .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[j]).toArray())
        .toArray(double[][]::new);
  }
}
