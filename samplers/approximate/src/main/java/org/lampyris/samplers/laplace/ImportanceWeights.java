package org.lampyris.samplers.laplace;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.lampyris.bounds.config.Text;
import org.lampyris.bounds.config.UserException;
import org.lampyris.samplers.diagnostics.ParetoSmoothing;

/**
 * Importance weights of draws from g for the posterior p(θ) Π L_n(θ), with the largest ones
 * {@linkplain ParetoSmoothing smoothed}.
 *
 * <p>Above {@link #limit}, the tail of the weights is too heavy for averages by them. Source:
 * Vehtari, Simpson, Gelman, Yao and Gabry (2024), sections 2 and 3; Yao, Vehtari, Simpson and
 * Gelman (2018), "Yes, but did it work?", section 3, for k̂ as a test of an approximation.
 *
 * @param logWeights natural logs, normalised. Not copied.
 * @param k the shape k̂ of their tail: −∞ if all weights are equal, +∞ if it could not be fitted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ImportanceWeights(double[] logWeights, double k) {
  /** Range of log weights below which they differ by rounding, or by nothing that matters. */
  private static final double EQUAL = 1e-3;

  /**
   * Smooths.
   *
   * @param logRatios log(p Π L/g) of each draw, up to a constant. Not modified.
   * @throws UserException (usage) if the posterior is 0 at all draws
   */
  static ImportanceWeights of(double[] logRatios) {
    double most = Arrays.stream(logRatios).max().orElseThrow();
    if (!Double.isFinite(most)) {
      throw UserException.usage(
          "sampler.algorithm: laplace finds the posterior 0 at all draws from its normal"
              + " approximation. Set sampler.algorithm: auto.");
    }
    ParetoSmoothing smoothed = ParetoSmoothing.of(logRatios, 1);
    boolean equal = most - Arrays.stream(logRatios).min().orElseThrow() < EQUAL;
    return new ImportanceWeights(
        smoothed.logWeights(), equal ? Double.NEGATIVE_INFINITY : smoothed.k());
  }

  /** Returns how many draws there are. */
  int size() {
    return logWeights.length;
  }

  /** Returns the weight of a draw; all together are 1. */
  double weight(int i) {
    return Math.exp(logWeights[i]);
  }

  /** Returns the largest k̂ at which averages by the weights are reliable. */
  double limit() {
    return ParetoSmoothing.threshold(size());
  }

  /** Returns whether averages by the weights are reliable. */
  boolean areReliable() {
    return k <= limit();
  }

  /** Returns k̂ in words. */
  String shape() {
    if (Double.isInfinite(k)) {
      return k < 0 ? "all weights are equal" : "the weights have no Pareto tail";
    }
    return Text.of("Pareto k-hat %.2f, reliable up to %.2f", k, limit());
  }

  /** Returns 1/Σ w², the number of equally weighted draws of the same worth. */
  double effective() {
    double squares = 0;
    for (int i = 0; i < size(); i++) {
      squares += weight(i) * weight(i);
    }
    return 1 / squares;
  }

  /**
   * Returns indices of draws, each as often as its weight says, rounded up or down, in random
   * order: a systematic resample.
   */
  int[] resampled(int count, UniformRandomProvider rng) {
    double u = rng.nextDouble();
    int[] chosen = new int[count];
    double upTo = 0;
    int k = 0;
    for (int i = 0; i < size() && k < count; i++) {
      upTo += weight(i);
      while (k < count && (k + u) / count < upTo) {
        chosen[k++] = i;
      }
    }
    // The weights add up to 1 within rounding.
    Arrays.fill(chosen, k, count, k == 0 ? 0 : chosen[k - 1]);
    for (int i = count - 1; i > 0; i--) {
      int j = rng.nextInt(i + 1);
      int swapped = chosen[i];
      chosen[i] = chosen[j];
      chosen[j] = swapped;
    }
    return chosen;
  }
}
