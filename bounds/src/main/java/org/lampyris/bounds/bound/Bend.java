package org.lampyris.bounds.bound;

import java.io.Serializable;

/**
 * Coordinate in place of an element τ of θ, linear in e^−τ: v = τ̂ + 1 − e^(τ̂ − τ), which is τ to
 * first order about τ̂ and stays below τ̂ + 1 for τ → ∞.
 *
 * @param place the element's
 * @param center τ̂
 */
record Bend(int place, double center) implements Serializable {
  /** Squares of v are finite; no region reaches so far below τ̂. */
  private static final double FAR = 100;

  /** Returns v. */
  double of(double tau) {
    return center - Math.expm1(Math.min(FAR, center - tau));
  }

  /** Returns dv/dτ. */
  double slope(double tau) {
    return Math.exp(Math.min(FAR, center - tau));
  }
}
