package org.lampyris.bounds.prior;

/** Checks the parameters of prior densities. */
final class PriorParameters {

  private PriorParameters() {}

  static void requireFinite(String what, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("the " + what + " " + value + " must be a finite number");
    }
  }

  static void requirePositive(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("the " + what + " " + value + " must be above 0");
    }
  }
}
