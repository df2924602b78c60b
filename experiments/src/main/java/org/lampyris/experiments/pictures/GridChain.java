package org.lampyris.experiments.pictures;

import java.util.Arrays;

/**
 * Markov chain on a grid of states, with its kernel as a matrix: constants that theorems assume.
 * Distances are total variation, ½ Σ |p_i − q_i|.
 *
 * @param kernel T: row i is the distribution of the next state after i. Not copied.
 */
record GridChain(double[][] kernel) {
  private static final int MOST_STEPS = 1_000_000;

  /**
   * Returns the chain that proposes each of the K states with probability 1/K.
   *
   * @param acceptance α_ij; its diagonal is ignored
   */
  static GridChain of(double[][] acceptance) {
    int states = acceptance.length;
    double[][] kernel = new double[states][states];
    for (int i = 0; i < states; i++) {
      kernel[i][i] = 1;
      for (int j = 0; j < states; j++) {
        if (j != i) {
          kernel[i][j] = acceptance[i][j] / states;
          kernel[i][i] -= kernel[i][j];
        }
      }
    }
    return new GridChain(kernel);
  }

  /** Returns the stationary distribution, by steps from the uniform one until it stands. */
  double[] stationary() {
    double[] at = new double[kernel.length];
    Arrays.fill(at, 1.0 / at.length);
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] next = after(at);
      if (distance(at, next) < 1e-16) {
        return next;
      }
      at = next;
    }
    throw new IllegalStateException("the chain has not converged");
  }

  private double[] after(double[] at) {
    double[] next = new double[at.length];
    for (int i = 0; i < at.length; i++) {
      for (int j = 0; j < at.length; j++) {
        next[j] += at[i] * kernel[i][j];
      }
    }
    return next;
  }

  /** Returns the chain that makes two steps of this one after the other's. */
  private GridChain times(GridChain other) {
    return new GridChain(Arrays.stream(kernel).map(other::after).toArray(double[][]::new));
  }

  /**
   * Returns Dobrushin's coefficient, the largest distance between two rows: the least η with d(PT,
   * S) ≤ η·d(P, S) for all P, if S is stationary and positive.
   */
  double contraction() {
    double most = 0;
    for (double[] one : kernel) {
      for (double[] other : kernel) {
        most = Math.max(most, distance(one, other));
      }
    }
    return most;
  }

  /** Returns the least ρ with T(i, ·) ≥ (1 − ρ)ν for all i and a probability measure ν. */
  double minorization() {
    double common = 0;
    for (int j = 0; j < kernel.length; j++) {
      double least = 1;
      for (double[] row : kernel) {
        least = Math.min(least, row[j]);
      }
      common += least;
    }
    return 1 - common;
  }

  /** Returns the least A with d(T^k(i, ·), π) ≤ A·ρ^k for all i and k from 1 to a last one. */
  double ergodicity(double rho, int last) {
    double[] pi = stationary();
    double least = 0;
    GridChain power = this;
    for (int k = 1; k <= last; k++) {
      for (double[] row : power.kernel) {
        least = Math.max(least, distance(row, pi) / Math.pow(rho, k));
      }
      power = power.times(this);
    }
    return least;
  }

  /** Returns the total variation between two distributions. */
  static double distance(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += 0.5 * Math.abs(one[i] - other[i]);
    }
    return sum;
  }
}
