package org.lampyris.experiments.study;

import java.util.Arrays;
import org.lampyris.driver.output.SampledRun;
import org.lampyris.samplers.chain.ChainTrace;
import org.lampyris.samplers.diagnostics.Diagnostics;

/**
 * Efficiency of a run's iterations, without warm-up.
 *
 * @param iterations iterations of all chains
 * @param evaluations likelihood evaluations per iteration
 * @param seconds wall time of an iteration, as its chain saw it
 * @param least the effective draws, of all chains, of the worst coefficient's mean; 0 if one never
 *     moved
 * @param median the same, the median over coefficients
 * @param mean the same, the mean over coefficients
 */
public record Efficiency(
    long iterations, double evaluations, double seconds, double least, double median, double mean) {

  /** Returns the efficiency of a run. */
  public static Efficiency of(SampledRun run) {
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
    double[] ess = ess(run.draws());
    return new Efficiency(
        iterations,
        evaluations / iterations,
        seconds / iterations,
        Double.isNaN(ess[ess.length - 1]) ? 0 : ess[0],
        median(ess),
        Arrays.stream(ess).average().orElse(Double.NaN));
  }

  /**
   * Returns the effective draws of every coefficient's mean, ascending, NaN last. Coefficients that
   * are 0 in all draws are left out: they belong to features that were never selected.
   *
   * @param draws by coefficient, chain and draw. Not modified.
   */
  public static double[] ess(double[][][] draws) {
    return Arrays.stream(draws)
        .filter(Efficiency::isSelected)
        .mapToDouble(Diagnostics::essMean)
        .sorted()
        .toArray();
  }

  private static boolean isSelected(double[][] chains) {
    return Arrays.stream(chains).flatMapToDouble(Arrays::stream).anyMatch(value -> value != 0);
  }

  /**
   * Returns the median of numbers in ascending order.
   *
   * @param ascending the numbers. Not modified.
   */
  public static double median(double[] ascending) {
    return 0.5 * (ascending[(ascending.length - 1) / 2] + ascending[ascending.length / 2]);
  }
}
