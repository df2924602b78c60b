package org.lampyris.experiments.reproduce;

/**
 * Amari distance between an unmixing matrix W and the inverse of a mixture M, for any order, signs
 * and scales of the sources: with P = WM,
 *
 * <pre>1/(2D(D − 1))·[Σ_i (Σ_j |p_ij|/max_k |p_ik| − 1) + Σ_j (Σ_i |p_ij|/max_k |p_kj| − 1)].</pre>
 *
 * <p>In [0, 1], and 0 exactly where P is a permutation of a diagonal matrix. Source: Amari,
 * Cichocki and Yang (1996), without the factor in front; Bach and Jordan (2002) divide by 2D.
 */
final class AmariDistance {
  private AmariDistance() {}

  /** Returns the distance of D × D matrices, row-major; neither is modified. */
  static double of(double[] unmixing, double[] mixture, int order) {
    double[][] p = new double[order][order];
    double[][] transposed = new double[order][order];
    for (int i = 0; i < order; i++) {
      for (int j = 0; j < order; j++) {
        for (int k = 0; k < order; k++) {
          p[i][j] += unmixing[i * order + k] * mixture[k * order + j];
        }
        transposed[j][i] = p[i][j];
      }
    }
    return (excess(p) + excess(transposed)) / (2.0 * order * (order - 1));
  }

  /** Returns Σ_i (Σ_j |p_ij|/max_k |p_ik| − 1). */
  private static double excess(double[][] p) {
    double sum = 0;
    for (double[] row : p) {
      double total = 0;
      double largest = 0;
      for (double value : row) {
        total += Math.abs(value);
        largest = Math.max(largest, Math.abs(value));
      }
      sum += total / largest - 1;
    }
    return sum;
  }
}
