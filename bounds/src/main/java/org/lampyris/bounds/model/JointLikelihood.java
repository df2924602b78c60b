package org.lampyris.bounds.model;

import java.util.Optional;

/**
 * Log-likelihood of a row as a function of K numbers and the response y, natural log: a linear
 * predictor η, and logarithms or logits τ_1 … τ_m of further parameters, K = 1 + m, such as a
 * scale. Each is the same for all rows, or has a linear predictor of its own.
 *
 * <p>Derivatives in (η, τ_1, …, τ_m), numbered from 0, lie in the order of their indices: ∂₀ … ∂_m;
 * ∂₀₀, ∂₀₁, …, ∂_mm; ∂₀₀₀, ∂₀₀₁, …, ∂_mmm, with indices that do not fall.
 */
public interface JointLikelihood extends LengthScale, Expense, ThirdDerivatives {
  /** Returns m, at least 1. */
  int parameters();

  /** Returns log L(·, τ; ·); terms in τ alone are computed once for all rows. */
  At at(double[] tau);

  /**
   * Returns the bounds for log L as a function of e^−τ_m in place of the last τ: if it is smooth
   * about 0, where τ_m → ∞ and log L is flat in τ_m. Boxes have no e^−τ_m below 0.
   */
  default Optional<ThirdDerivatives> byInverse() {
    return Optional.empty();
  }

  /** Returns which rows share third derivatives; empty if bounds on those are cheap. */
  default Optional<Alike> alike() {
    return Optional.empty();
  }

  /** Returns the places of third derivatives in (η, τ_2) among those in (η, τ_1, τ_2). */
  static int[] withoutFirst() {
    return new int[] {0, 2, 5, 9};
  }

  /** Returns how many first and second derivatives there are in K variables. */
  static int slopes(int k) {
    return k + k * (k + 1) / 2;
  }

  /** Returns how many third derivatives there are in K variables. */
  static int thirds(int k) {
    return k * (k + 1) * (k + 2) / 6;
  }

  /** Returns the place of ∂_ij among first and second derivatives in K variables, i ≤ j. */
  static int place(int k, int i, int j) {
    return k + i * k - i * (i - 1) / 2 + j - i;
  }

  /** Takes a third derivative's indices, i ≤ j ≤ k, and its bound. */
  @FunctionalInterface
  interface Thirds {
    /** Takes one. */
    void take(int i, int j, int k, double bound);
  }

  /** Passes every one of the third derivatives in n variables on, in their order. */
  static void forThirds(int n, double[] bounds, Thirds to) {
    int at = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        for (int k = j; k < n; k++) {
          to.take(i, j, k, bounds[at++]);
        }
      }
    }
  }

  /** A function of η and y. */
  interface At {
    /** Returns log L(η, τ; y). */
    double logLikelihood(double eta, double y);

    /** Returns the size of the largest term in log L, as {@link Likelihood#largestTerm} does. */
    default double largestTerm(double eta, double y) {
      return Math.abs(logLikelihood(eta, y));
    }

    /**
     * Writes the first derivatives of log L(η, τ; y), and returns log L itself.
     *
     * @param out of length {@link #slopes}; what stands behind the first derivatives is undefined.
     *     Modified.
     */
    default double gradient(double eta, double y, double[] out) {
      return derivatives(eta, y, out);
    }

    /**
     * Writes the first and second derivatives of log L(η, τ; y), in their order, and returns log L
     * itself.
     *
     * @param out of length {@link #slopes}. Modified.
     */
    double derivatives(double eta, double y, double[] out);
  }
}
