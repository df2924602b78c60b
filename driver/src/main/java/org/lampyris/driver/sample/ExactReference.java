package org.lampyris.driver.sample;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lampyris.bounds.config.Text;
import org.lampyris.samplers.algorithm.LogPosteriors;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.Bias;
import org.lampyris.samplers.run.RunResult;

/**
 * How far the draws of an algorithm without decisions are from those of a short exact run on the
 * same table: differences of means in the exact run's posterior standard deviations, and ratios of
 * standard deviations, both with their Monte-Carlo errors, of the coefficients where they are
 * worst.
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
    Worst mean = Worst.NONE;
    Worst sd = Worst.NONE;
    for (int j = 0; j < names.size(); j++) {
      VariableSummary here = summary(names.get(j), run, j);
      VariableSummary there = summary(names.get(j), exact, j);
      double difference = (here.mean() - there.mean()) / there.sd();
      double error = Math.hypot(here.mixing().mcseMean(), there.mixing().mcseMean()) / there.sd();
      mean = mean.or(new Worst(names.get(j), difference, error));
      double ofHere = here.mixing().mcseSd() / here.sd();
      double ofThere = there.mixing().mcseSd() / there.sd();
      double logRatio = Math.log(here.sd() / there.sd());
      sd = sd.or(new Worst(names.get(j), logRatio, Math.hypot(ofHere, ofThere)));
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("largest_mean_difference_in_sds", mean.difference);
    figures.put("its_monte_carlo_error", mean.error);
    figures.put("farthest_sd_ratio", Math.exp(sd.difference));
    figures.put("its_relative_monte_carlo_error", sd.error);
    return new Bias(
        knob,
        figures,
        Text.of(
            "beside a short exact run (%s): the mean of %s differs most, by %.2g posterior sds"
                + " (Monte-Carlo error %.2g), the sd of %s by a factor of %.3g (relative"
                + " Monte-Carlo error %.2g)%s",
            algorithm,
            mean.name,
            mean.difference,
            mean.error,
            sd.name,
            Math.exp(sd.difference),
            sd.error,
            knob.isEmpty() ? "" : " (" + knob + ")"));
  }

  /** A difference and its Monte-Carlo error; the worst one is the largest in its errors. */
  private record Worst(String name, double difference, double error) {
    static final Worst NONE = new Worst("", 0, 1);

    Worst or(Worst other) {
      return Math.abs(other.difference) / other.error > Math.abs(difference) / error ? other : this;
    }
  }

  private static VariableSummary summary(String name, RunResult run, int j) {
    return VariableSummary.of(
        name,
        run.chains().stream()
            .map(chain -> chain.draws().stream().mapToDouble(theta -> theta[j]).toArray())
            .toArray(double[][]::new));
  }
}
