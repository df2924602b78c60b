package org.lampyris.samplers.kernel;

/**
 * What one iteration of a chain did, for diagnostics and adaptation.
 *
 * @param acceptanceProbability the probability with which the θ-proposal was accepted, in [0, 1]
 *     (averaged where the kernel makes several proposals)
 * @param likelihoodEvaluations how many (row, θ) pairs had their likelihood evaluated in this
 *     iteration; a value cached from an earlier evaluation at the same θ counts zero
 * @param brightRows how many rows were bright when θ was updated; −1 where the algorithm has no
 *     brightness
 * @param divergent true if a trajectory was abandoned because its energy error was too large
 * @param tuning what the adaptation of the step size goes by: see {@link ThetaKernel.Step}
 */
public record StepInfo(
    double acceptanceProbability,
    long likelihoodEvaluations,
    long brightRows,
    boolean divergent,
    double tuning) {

  /** An iteration whose kernel is tuned by its acceptance probability. */
  public StepInfo(
      double acceptanceProbability,
      long likelihoodEvaluations,
      long brightRows,
      boolean divergent) {
    this(
        acceptanceProbability, likelihoodEvaluations, brightRows, divergent, acceptanceProbability);
  }
}
