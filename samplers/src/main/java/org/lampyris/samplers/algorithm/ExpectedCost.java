package org.lampyris.samplers.algorithm;

/**
 * What an algorithm is expected to cost, set-up left out.
 *
 * @param evaluations likelihood evaluations, (row, θ) pairs, of an iteration
 * @param iterations iterations for an effective draw
 */
public record ExpectedCost(double evaluations, double iterations) {
  /** Returns how many likelihood evaluations an effective draw costs. */
  public double ofDraw() {
    return evaluations * iterations;
  }
}
