package org.lampyris.bounds.numeric;

/** Probabilities p_k = e^η_k / Σ_j e^η_j, accurate at any η. η is not modified. */
public final class Softmax {
  private Softmax() {}

  /** Returns the index of the largest element, the first of equals. */
  public static int largest(double[] eta) {
    int top = 0;
    for (int k = 1; k < eta.length; k++) {
      if (eta[k] > eta[top]) {
        top = k;
      }
    }
    return top;
  }

  /** Returns log Σ_k e^{η_k − max η}, natural log, given the index of the largest element. */
  public static double logSum(double[] eta, int top) {
    double others = 0;
    for (int k = 0; k < eta.length; k++) {
      others += k == top ? 0 : StableMath.exp(eta[k] - eta[top]);
    }
    return StableMath.log1pSmall(others);
  }

  /**
   * Writes p and 1 − p, both without cancellation, given the index of the largest element. Both
   * arrays are modified.
   *
   * @return log Σ_k e^{η_k − max η}, natural log
   */
  public static double probabilities(double[] eta, int top, double[] p, double[] complement) {
    double others = 0;
    for (int k = 0; k < eta.length; k++) {
      p[k] = k == top ? 1 : StableMath.exp(eta[k] - eta[top]);
      others += k == top ? 0 : p[k];
    }
    for (int k = 0; k < eta.length; k++) {
      p[k] /= 1 + others;
      // The largest is the only one that can be near 1.
      complement[k] = k == top ? others / (1 + others) : 1 - p[k];
    }
    return StableMath.log1pSmall(others);
  }
}
