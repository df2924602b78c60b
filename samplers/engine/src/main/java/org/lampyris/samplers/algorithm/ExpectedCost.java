package org.lampyris.samplers.algorithm;

import org.lampyris.bounds.effects.ScaledPrior;
import org.lampyris.bounds.effects.TableEffects;
import org.lampyris.bounds.model.Model;
import org.lampyris.samplers.run.ChainSettings;
import org.lampyris.samplers.run.SamplingContext;

/**
 * Expected cost of an algorithm. All costs are counted in likelihood evaluations of a pass over all
 * rows of 20 coefficients in memory: some 40 ns of a core. They are the same on every machine, so
 * that a choice by them is; what they were measured at is in {@code docs/benchmarks.md}.
 *
 * @param setup all that is done once, before the chains begin
 * @param overhead the cost of an iteration without its evaluations
 * @param evaluation what an evaluation of an iteration costs: more than 1 where rows are picked one
 *     by one
 * @param evaluations likelihood evaluations, (row, θ) pairs, of an iteration
 * @param iterations iterations for an effective draw, of bulk or tail, whichever has fewer
 */
public record ExpectedCost(
    double setup, double overhead, double evaluation, double evaluations, double iterations) {
  /** A Spark job that does nothing, some 2.5 ms. */
  public static final double JOB = 60_000;

  /**
   * Returns the cost of an evaluation in a pass, given the number of coefficients: ½ + D/40 of a
   * logistic regression, more where a row's likelihood {@linkplain Model#expense is dearer}.
   */
  public static double inPass(Model model, int coefficients) {
    return 0.5 * model.expense() + coefficients / 40.0;
  }

  /** Returns the cost of an evaluation in a pass over a table's rows. */
  public static double inPass(SamplingContext context) {
    return inPass(context.model().model(), inRow(context));
  }

  /**
   * Returns how many coefficients a row meets. Where effects of groups are coefficients, only one
   * level of each grouping has effects on a row.
   */
  public static int inRow(SamplingContext context) {
    long coefficients = context.laplace().dimension();
    if (context.model().prior().term() instanceof ScaledPrior) {
      for (TableEffects of : context.model().random()) {
        coefficients -= (of.levels() - 1) * of.size();
      }
    }
    return (int) coefficients;
  }

  /** Returns the cost with more that is done once. */
  ExpectedCost and(double once) {
    return new ExpectedCost(setup + once, overhead, evaluation, evaluations, iterations);
  }

  /** Returns the cost of an effective draw, including set-up. */
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
   * Returns the cost of an effective draw without set-up, given the evaluations of an iteration.
   */
  double ofDraw(double evaluated) {
    return ofIteration(evaluated) * iterations;
  }

  /** Returns the evaluations of an iteration at which an effective draw has a given cost. */
  double evaluationsFor(double ofDraw) {
    return (ofDraw / iterations - overhead) / evaluation;
  }
}
