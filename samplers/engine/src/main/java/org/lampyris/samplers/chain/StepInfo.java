package org.lampyris.samplers.chain;

import java.util.List;
import org.lampyris.samplers.kernel.ThetaKernel;

/**
 * Figures of one iteration of a chain, for diagnostics and adaptation.
 *
 * @param acceptanceProbability the probability with which the θ-proposal was accepted, in [0, 1]
 *     (averaged where the kernel makes several proposals)
 * @param likelihoodEvaluations how many (row, θ) pairs had their likelihood evaluated in this
 *     iteration; a value cached from an earlier evaluation at the same θ counts zero
 * @param divergent true if a trajectory was abandoned because its energy error was too large; not
 *     if it left the support
 * @param tuning the figure that adapts the step size: see {@link ThetaKernel.Step}; NaN if the
 *     iteration has none
 * @param columns the algorithm's own figures, one for each declared column
 */
public record StepInfo(
    double acceptanceProbability,
    long likelihoodEvaluations,
    boolean divergent,
    double tuning,
    List<Double> columns) {
  /** An iteration without a θ-step to be tuned, or tuned by its acceptance probability. */
  public StepInfo(double acceptanceProbability, long likelihoodEvaluations, boolean divergent) {
    this(acceptanceProbability, likelihoodEvaluations, divergent, acceptanceProbability, List.of());
  }

  public StepInfo {
    columns = List.copyOf(columns);
  }

  /** An iteration that is one step of a θ-kernel. */
  public static StepInfo of(ThetaKernel.Step step, long evaluations, List<Double> columns) {
    return new StepInfo(
        step.acceptanceProbability(), evaluations, step.divergent(), step.tuning(), columns);
  }
}
