package org.lampyris.driver.reproduce;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lampyris.driver.output.Efficiency;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * What a row of an experiment came to, warm-up left out.
 *
 * @param name the row's name
 * @param versus the name of a row that this one is compared with besides the first; null for none
 * @param iterations iterations of all chains
 * @param evaluations likelihood evaluations per iteration
 * @param leastEss effective draws per 1000 iterations, of the worst coefficient's mean
 * @param medianEss the same, the median over coefficients
 * @param meanEss the same, the mean over coefficients
 * @param error the standard error of the logarithm of medianEss, by the jackknife over chains; NaN
 *     for one chain
 * @param seconds wall time of an iteration, all chains side by side
 * @param summary the summary of every coefficient
 */
public record RowResult(
    String name,
    @Nullable String versus,
    long iterations,
    double evaluations,
    double leastEss,
    double medianEss,
    double meanEss,
    double error,
    double seconds,
    List<VariableSummary> summary) {

  /** Copies the list. */
  public RowResult {
    summary = List.copyOf(summary);
  }

  /** Returns what a row's run came to. */
  public static RowResult of(
      Experiment.Row row, SampledRun sampled, List<VariableSummary> summary) {
    Efficiency run = Efficiency.of(sampled);
    double thousand = 1e-3 * run.iterations();
    return new RowResult(
        row.name(),
        row.versus(),
        run.iterations(),
        run.evaluations(),
        run.least() / thousand,
        run.median() / thousand,
        run.mean() / thousand,
        jackknife(sampled.draws()),
        run.seconds(),
        summary);
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

  /** Returns the effective draws of all iterations, the median over coefficients. */
  double total() {
    return medianEss * iterations / 1000;
  }

  /** Returns median effective draws per likelihood evaluation, as a multiple of another row's. */
  double speedUp(RowResult reference) {
    return medianEss / evaluations / (reference.medianEss / reference.evaluations);
  }

  /** Returns the standard error of the logarithm of {@link #speedUp}. */
  double speedUpError(RowResult reference) {
    return Math.hypot(error, reference.error);
  }

  /**
   * How far apart two rows are over all coefficients, in combined Monte-Carlo standard errors.
   *
   * @param largest the largest difference
   * @param rootMeanSquare about 1 where both have one distribution
   */
  record Apart(double largest, double rootMeanSquare) {

    private static Apart of(IntToDoubleFunction difference, int coefficients) {
      double[] all = IntStream.range(0, coefficients).mapToDouble(difference).toArray();
      return new Apart(
          Arrays.stream(all).map(Math::abs).max().orElseThrow(),
          Math.sqrt(Arrays.stream(all).map(z -> z * z).average().orElseThrow()));
    }
  }

  /** Returns how far the means are from another row's. */
  Apart meansApart(RowResult reference) {
    return Apart.of(
        j -> {
          VariableSummary a = summary.get(j);
          VariableSummary b = reference.summary.get(j);
          return (a.mean() - b.mean()) / Math.hypot(a.mcseMean(), b.mcseMean());
        },
        summary.size());
  }

  /** Returns how far the logarithms of the standard deviations are from another row's. */
  Apart deviationsApart(RowResult reference) {
    return Apart.of(
        j -> {
          VariableSummary a = summary.get(j);
          VariableSummary b = reference.summary.get(j);
          double error = Math.hypot(a.mcseSd() / a.sd(), b.mcseSd() / b.sd());
          return Math.log(a.sd() / b.sd()) / error;
        },
        summary.size());
  }
}
