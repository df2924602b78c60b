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
 * <p>If the shape k̂ of their tail is above {@link #limit}, averages over the tail are unreliable.
 * That matters if enough of the posterior lies there. A fit of excesses over a quantile has the
 * same k̂ for the weights w and a + bw: k̂ does not depend on how much they vary. For n rows the
 * log weights are about n^(−½) times a cubic polynomial, so k̂ does not fall with n, while the
 * error of the approximation does. With mean 1, the weights split at the threshold u of the tail:
 *
 * <pre>w = min(w, u) + (w − u)⁺,  ε = E(w − u)⁺ = M/S · σ/(1 − k̂)</pre>
 *
 * <p>for M of S draws in the tail, and the scale σ of the Pareto distribution. Averages by the
 * first term have bounded weights, so S draws give them and their errors. The second is the
 * posterior's mass ε in the tail, known with its shape alone. It changes a probability by at most
 * ε, and the mean of a coefficient by at most 3ε sds if it lies within {@value #REACH} sds of the
 * mode, as all but one of 400 normal draws do. Below the Monte-Carlo error 1/√S, that is harmless,
 * whatever k̂ is. If ε exceeds a third, the posterior is far from g, whatever k̂ is: k̂ of few
 * draws misses failures. So the weights are reliable if ε ≤ 1/(3√S), or ε ≤ 1/3 and k̂ ≤ limit.
 *
 * <p>Source: Vehtari, Simpson, Gelman, Yao and Gabry (2024), sections 2 and 3; Yao, Vehtari,
 * Simpson and Gelman (2018), "Yes, but did it work?", section 3, for k̂ as a test of an
 * approximation; the rule with ε is ours.
 *
 * @param logWeights natural logs, normalised. Not copied.
 * @param k the shape k̂ of their tail: −∞ if all weights are equal, +∞ if it could not be fitted
 * @param tail ε, the share of the posterior above the tail's threshold: +∞ if k̂ ≥ 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ImportanceWeights(double[] logWeights, double k, double tail) {
  /** Distance from the mode, in posterior sds, that the tail's part is taken to have. */
  private static final double REACH = 3;

  /** Least ε of a posterior that is far from g. */
  private static final double FAR = 1.0 / 3;

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
        smoothed.logWeights(),
        equal ? Double.NEGATIVE_INFINITY : smoothed.k(),
        equal ? 0 : smoothed.excess());
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

  /** Returns the largest ε that Monte-Carlo error hides: 1/(3√S). */
  double harmless() {
    return 1 / (REACH * Math.sqrt(size()));
  }

  /** Returns whether much of the posterior lies where g has little. */
  boolean areFar() {
    return tail > FAR;
  }

  /** Returns whether averages by the weights are reliable. */
  boolean areReliable() {
    return tail <= harmless() || (k <= limit() && !areFar());
  }

  /** Returns k̂ in words. */
  String shape() {
    if (Double.isInfinite(k)) {
      return k < 0 ? "all weights are equal" : "the weights have no Pareto tail";
    }
    String shape = Text.of("Pareto k-hat %.2f, reliable up to %.2f", k, limit());
    if (!areReliable()) {
      return Text.of("%s; its tail holds %.2g of the posterior", shape, Math.min(1, tail));
    }
    return k > limit()
        ? Text.of("%s; harmless, as its tail holds only %.2g of the posterior", shape, tail)
        : shape;
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
