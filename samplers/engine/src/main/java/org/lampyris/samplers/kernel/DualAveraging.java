package org.lampyris.samplers.kernel;

import org.lampyris.samplers.rows.Stored;

/**
 * Adapts a step size so that the mean acceptance probability reaches a target, by Nesterov's dual
 * averaging. Immutable: {@link #update} returns the next state.
 *
 * <p>With H_t = (1 − 1/(t+t₀))·H_{t−1} + (δ − α_t)/(t+t₀): log ε_{t+1} = μ − √t/γ·H_t, and log ε̄
 * the average of log ε with weights t^(−κ). Source: Hoffman and Gelman (2014), section 3.2.1, with
 * γ = 0.05, t₀ = 10, κ = 0.75 and μ = log(10·ε₀) there; here μ = log ε₀, because ε₀ is an
 * asymptotically optimal step size and not a guess that is known to be small. Step sizes, and their
 * average, never exceed the kernel's largest one, so a kernel with bounded steps (Crank–Nicolson)
 * need not return from far beyond.
 *
 * @param logCentre μ
 * @param target δ, in (0, 1)
 * @param logLargest the logarithm of the largest step size
 * @param iteration t, how many updates there have been
 * @param meanError H_t
 * @param logStepSize log ε_{t+1}, for the next iteration
 * @param logAverage log ε̄_t, for after the warm-up
 */
public record DualAveraging(
    double logCentre,
    double target,
    double logLargest,
    int iteration,
    double meanError,
    double logStepSize,
    double logAverage)
    implements Stored {
  private static final double GAMMA = 0.05;
  private static final double T0 = 10;
  private static final double KAPPA = 0.75;

  /** Begins at ε₀, at most the largest, aiming at a mean acceptance probability δ in (0, 1). */
  public static DualAveraging start(double stepSize, double target, double largest) {
    if (!(stepSize > 0 && stepSize <= largest) || !(target > 0 && target < 1)) {
      throw new IllegalArgumentException("step size " + stepSize + ", target " + target);
    }
    double log = Math.log(stepSize);
    return new DualAveraging(log, target, Math.log(largest), 0, 0, log, log);
  }

  /** Returns the state of the beginning, for another target. */
  public DualAveraging again() {
    return new DualAveraging(logCentre, target, logLargest, 0, 0, logCentre, logCentre);
  }

  /** Returns the state after an iteration whose proposal had this acceptance probability. */
  public DualAveraging update(double acceptanceProbability) {
    int t = iteration + 1;
    double error = (1 - 1 / (t + T0)) * meanError + (target - acceptanceProbability) / (t + T0);
    double log = Math.min(logLargest, logCentre - Math.sqrt(t) / GAMMA * error);
    double weight = Math.pow(t, -KAPPA);
    double average = weight * log + (1 - weight) * logAverage;
    return new DualAveraging(logCentre, target, logLargest, t, error, log, average);
  }

  /** Returns the step size for the next iteration of the warm-up. */
  public double stepSize() {
    return stepSize(logStepSize);
  }

  /** Returns the step size to keep after the warm-up. */
  public double adaptedStepSize() {
    return stepSize(logAverage);
  }

  /** Rounding must not lead beyond the largest step size. */
  private double stepSize(double log) {
    return log >= logLargest ? Math.exp(logLargest) : Math.exp(log);
  }
}
