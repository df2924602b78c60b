package org.lampyris.driver.reproduce;

import java.util.Arrays;
import java.util.List;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.Diagnostics;
import org.lampyris.samplers.diagnostics.VariableSummary;

/**
 * What a row of an experiment came to, warm-up left out.
 *
 * @param name the row's name
 * @param iterations iterations of all chains
 * @param evaluations likelihood evaluations per iteration
 * @param leastEss effective draws per 1000 iterations, of the worst coefficient's mean
 * @param medianEss the same, the median over coefficients
 * @param meanEss the same, the mean over coefficients
 * @param seconds wall time of an iteration, all chains side by side
 * @param summary the summary of every coefficient
 */
public record RowResult(
    String name,
    long iterations,
    double evaluations,
    double leastEss,
    double medianEss,
    double meanEss,
    double seconds,
    List<VariableSummary> summary) {

  /** Copies the list. */
  public RowResult {
    summary = List.copyOf(summary);
  }

  /** Returns what a run came to. */
  public static RowResult of(String name, SampledRun run, List<VariableSummary> summary) {
    long iterations = 0;
    double evaluations = 0;
    double seconds = 0;
    for (ChainTrace chain : run.chains()) {
      iterations += chain.sampling().size();
      for (ChainTrace.Iteration iteration : chain.sampling()) {
        evaluations += iteration.info().likelihoodEvaluations();
        seconds += iteration.seconds();
      }
    }
    double thousands = iterations / 1000.0;
    double[] ess =
        Arrays.stream(run.draws())
            .mapToDouble(Diagnostics::essMean)
            .map(e -> e / thousands)
            .sorted()
            .toArray();
    // Sorting puts NaN, of draws that never moved, last; such a coefficient is the worst.
    double least = Double.isNaN(ess[ess.length - 1]) ? 0 : ess[0];
    int half = ess.length / 2;
    double median = ess.length % 2 == 1 ? ess[half] : 0.5 * (ess[half - 1] + ess[half]);
    return new RowResult(
        name,
        iterations,
        evaluations / iterations,
        least,
        median,
        Arrays.stream(ess).average().orElse(Double.NaN),
        seconds / iterations,
        summary);
  }

  /** Returns median effective draws per likelihood evaluation, as a multiple of another row's. */
  double speedUp(RowResult reference) {
    return medianEss / evaluations / (reference.medianEss / reference.evaluations);
  }

  /** Returns the largest difference of a mean to another row's, in combined standard errors. */
  double meansApart(RowResult reference) {
    double worst = 0;
    for (int j = 0; j < summary.size(); j++) {
      VariableSummary a = summary.get(j);
      VariableSummary b = reference.summary.get(j);
      double error = Math.hypot(a.mcseMean(), b.mcseMean());
      worst = Math.max(worst, Math.abs(a.mean() - b.mean()) / error);
    }
    return worst;
  }

  /** Returns the largest difference of a log sd to another row's, in combined standard errors. */
  double deviationsApart(RowResult reference) {
    double worst = 0;
    for (int j = 0; j < summary.size(); j++) {
      VariableSummary a = summary.get(j);
      VariableSummary b = reference.summary.get(j);
      double error = Math.hypot(a.mcseSd() / a.sd(), b.mcseSd() / b.sd());
      worst = Math.max(worst, Math.abs(Math.log(a.sd() / b.sd())) / error);
    }
    return worst;
  }
}
