package org.lampyris.samplers.algorithm;

import org.lampyris.samplers.run.ChainSettings;

/**
 * What an algorithm is expected to cost. All costs are counted in likelihood evaluations of a pass
 * over all rows of 20 coefficients in memory: some 40 ns of a core. They are the same on every
 * machine, so that a choice by them is; what they were measured at is in {@code
 * docs/benchmarks.md}.
 *
 * @param setup all that is done once, before the chains begin
 * @param overhead what an iteration costs besides its evaluations
 * @param evaluation what an evaluation of an iteration costs: more than 1 where rows are picked one
 *     by one
 * @param evaluations likelihood evaluations, (row, θ) pairs, of an iteration
 * @param iterations iterations for an effective draw, of bulk or tail, whichever has fewer
 */
public record ExpectedCost(
    double setup, double overhead, double evaluation, double evaluations, double iterations) {
  /** A Spark job that does nothing, some 2.5 ms. */
  public static final double JOB = 60_000;

  /** Returns what an evaluation in a pass costs with so many coefficients: ½ + D/40. */
  public static double inPass(int coefficients) {
    return 0.5 + coefficients / 40.0;
  }

  /** Returns the cost of an effective draw, what comes before the draws included. */
  public double ofDraw(ChainSettings run) {
    double ofChain =
        setup / run.chains()
            + (run.warmup() + (double) run.draws() * run.thin()) * ofIteration(evaluations);
    return ofChain * iterations / ((double) run.draws() * run.thin());
  }

  private double ofIteration(double evaluated) {
    return overhead + evaluation * evaluated;
  }

  /**
   * Returns the cost of an effective draw if iterations evaluate so many likelihoods, set-up left
   * out.
   */
  double ofDraw(double evaluated) {
    return ofIteration(evaluated) * iterations;
  }

  /** Returns how many evaluations an iteration may have for an effective draw to cost so much. */
  double evaluationsFor(double ofDraw) {
    return (ofDraw / iterations - overhead) / evaluation;
  }
}
