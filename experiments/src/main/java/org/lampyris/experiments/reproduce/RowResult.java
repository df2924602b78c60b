package org.lampyris.experiments.reproduce;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.experiments.study.Efficiency;
import org.lampyris.samplers.diagnostics.VariableSummary;
import org.lampyris.samplers.run.Bias;

/**
 * Result of a row of an experiment, without warm-up.
 *
 * @param row the row
 * @param run what its iterations came to
 * @param error the standard error of the logarithm of the median effective draws, by the jackknife
 *     over chains; NaN for one chain
 * @param summary the summary of every coefficient
 * @param off what else is known of how far off its draws are
 */
public record RowResult(
    Experiment.Row row, Efficiency run, double error, List<VariableSummary> summary, Off off) {
  /**
   * Measured bias of draws.
   *
   * @param decisions the measured share of wrong decisions; NaN where none was measured
   * @param totalVariation distance from the posterior by quadrature; NaN if not available
   * @param ofExactDraws its approximate value for as many exact draws as are effective
   * @param sentence the bias that the run itself reports; empty if it is exact
   */
  record Off(double decisions, double totalVariation, double ofExactDraws, String sentence) {
    /** Nothing is known. */
    static final Off UNKNOWN = new Off(Double.NaN, Double.NaN, Double.NaN, "");
  }

  /** Copies the list. */
  public RowResult {
    summary = List.copyOf(summary);
  }

  /**
   * Returns the result of a row's run.
   *
   * @param posterior the posterior by quadrature; null if not available
   */
  static RowResult of(
      Experiment.Row row,
      SampledRun sampled,
      List<VariableSummary> summary,
      @Nullable Quadrature posterior) {
    Efficiency run = Efficiency.of(sampled);
    Bias bias = sampled.result().bias();
    double decisions =
        bias == null ? Double.NaN : bias.figures().getOrDefault("decision_error_rate", Double.NaN);
    String sentence = bias == null ? "" : bias.sentence();
    Off off =
        posterior == null
            ? new Off(decisions, Double.NaN, Double.NaN, sentence)
            : new Off(
                decisions,
                posterior.totalVariation(sampled.chains()),
                // Means may have more effective draws than there are; what else is drawn has not.
                posterior.ofExactDraws(Math.min(run.median(), (double) run.iterations())),
                sentence);
    return new RowResult(row, run, jackknife(sampled.draws()), summary, off);
  }

  /** Returns effective draws a second of all chains together, of the median coefficient. */
  double perSecond() {
    return run.median() / (run.seconds() * run.iterations());
  }

  /** Returns √((C − 1)/C · Σ_c (m_c − m̄)²), m_c the log median without chain c: Efron (1982). */
  private static double jackknife(double[][][] draws) {
    int chains = draws[0].length;
    if (chains == 1) {
      return Double.NaN;
    }
    double[] without =
        IntStream.range(0, chains)
            // Each is per iteration of as many chains: the factor falls out of the differences.
            .mapToDouble(c -> Math.log(Efficiency.median(Efficiency.ess(without(draws, c)))))
            .toArray();
    double mean = Arrays.stream(without).average().orElseThrow();
    double squares = Arrays.stream(without).map(m -> (m - mean) * (m - mean)).sum();
    return Math.sqrt(squares * (chains - 1) / chains);
  }

  private static double[][][] without(double[][][] draws, int chain) {
    return Arrays.stream(draws)
        .map(
            coefficient ->
                IntStream.range(0, coefficient.length)
                    .filter(c -> c != chain)
                    .mapToObj(c -> coefficient[c])
                    .toArray(double[][]::new))
        .toArray(double[][][]::new);
  }

  /** Returns the row's name. */
  String name() {
    return row.name();
  }

  /** Returns effective draws for every 1000 iterations. */
  double perThousand(double ess) {
    return ess / (1e-3 * run.iterations());
  }

  /** Returns median effective draws per likelihood evaluation, as a multiple of another row's. */
  double speedUp(RowResult reference) {
    return medianPerEvaluation() / reference.medianPerEvaluation();
  }

  private double medianPerEvaluation() {
    return perThousand(run.median()) / run.evaluations();
  }

  /** Returns the standard error of the logarithm of {@link #speedUp}. */
  double speedUpError(RowResult reference) {
    return Math.hypot(error, reference.error);
  }

  /**
   * Distance between two rows over all coefficients, in combined Monte-Carlo standard errors.
   *
   * @param largest the largest difference
   * @param rootMeanSquare about 1 where both have one distribution
   */
  record Apart(double largest, double rootMeanSquare) {

    private static Apart of(double[] all) {
      return new Apart(
          Arrays.stream(all).map(Math::abs).max().orElse(Double.NaN),
          Math.sqrt(Arrays.stream(all).map(z -> z * z).average().orElse(Double.NaN)));
    }
  }

  /** Returns how far the means are from another row's. */
  Apart meansApart(RowResult reference) {
    return Apart.of(
        pairs(
            (a, b) ->
                (a.mean() - b.mean()) / Math.hypot(a.mixing().mcseMean(), b.mixing().mcseMean()),
            reference));
  }

  /** Returns how far the logarithms of the standard deviations are from another row's. */
  Apart deviationsApart(RowResult reference) {
    return Apart.of(
        pairs(
            (a, b) ->
                Math.log(a.sd() / b.sd())
                    / Math.hypot(a.mixing().mcseSd() / a.sd(), b.mixing().mcseSd() / b.sd()),
            reference));
  }

  /** Returns how far means are from another row's: root mean square, in that row's sds. */
  double meansOff(RowResult reference) {
    return Math.sqrt(
        average(
            (a, b) -> {
              double off = (a.mean() - b.mean()) / b.sd();
              return off * off;
            },
            reference));
  }

  /** Returns the geometric mean over coefficients of the variances' ratios to another row's. */
  double varianceRatio(RowResult reference) {
    return Math.exp(average((a, b) -> 2 * Math.log(a.sd() / b.sd()), reference));
  }

  private double average(
      ToDoubleBiFunction<VariableSummary, VariableSummary> of, RowResult reference) {
    return Arrays.stream(pairs(of, reference)).average().orElse(Double.NaN);
  }

  /**
   * Returns a figure of every coefficient that moved in this row and in another: a feature that was
   * never selected is 0 in all draws, and says nothing.
   */
  private double[] pairs(
      ToDoubleBiFunction<VariableSummary, VariableSummary> of, RowResult reference) {
    return IntStream.range(0, summary.size())
        .filter(j -> summary.get(j).sd() != 0 && reference.summary.get(j).sd() != 0)
        .mapToDouble(j -> of.applyAsDouble(summary.get(j), reference.summary.get(j)))
        .toArray();
  }
}
